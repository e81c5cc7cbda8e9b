// Joins the sessions that ask something, for as long as they do, where their client holds them in a server of its own.
import { type Background, createBackground } from '../../../lib/async/background.ts';
import { withDeadline } from '../../../lib/async/deadline.ts';
import type { Agent } from '../../../model/agent/agent.ts';
import { subjectSchema } from '../../../model/question/answering.ts';
import { type SessionKey, sessionKeyText } from '../../../model/ids.ts';
import type { Event } from '../../../model/event/event.ts';
import type { IncomingHook } from '../../../model/event/incoming.ts';
import type { Joining, Room } from '../../../model/agent/joining.ts';
import { HERE } from '../../../model/session/whereabouts.ts';
import type { Question } from '../../../model/question/question.ts';
import type { ClientProcess, SessionRecord } from '../../../model/session/session.ts';
import { JoinedLife, type JoinedLifeDeps } from './joined-session.ts';
import type { OpenQuestions } from '../../questions/open-questions.ts';
import { askForInstruction, type Rest, restAfter, restAfterFailure } from './between-turns.ts';
import type { AskedByHook } from '../hook/may-wait.ts';

/** Sessions that are joined at once. */
const MAX_SESSIONS = 20;
/** Half the patience of a hook that holds its terminal, ms. */
const SERVES_MS = 60;
/** Sessions of which it is known that they went on. */
const MOST_NOTED = 300;
/** What it needs. */
export interface JoinedSessionsDeps extends Pick<JoinedLifeDeps, 'clock' | 'place' | 'files' | 'exited' | 'log'> {
  readonly agents: (name: string) => Agent | undefined;
  readonly questions: OpenQuestions;
  /** Whether answering was installed for this agent. */
  readonly isInstalled: (agent: Agent) => Promise<boolean>;
  /** The client among the hook's ancestors. */
  readonly client: (agent: Agent, origin: IncomingHook['origin']) => Promise<ClientProcess | null>;
}

/** Nothing is joined before something is asked. */
export class JoinedSessions {
  readonly #deps: JoinedSessionsDeps;
  readonly #joined = new Map<string, JoinedLife>();
  readonly #background: Background;
  /** Unix ms of the latest prompt or end of a session. */
  readonly #movedOn = new Map<string, number>();
  #stopped = false;

  constructor(deps: JoinedSessionsDeps) {
    this.#deps = deps;
    this.#background = createBackground((error) => deps.log('a session could not be joined', { error: String(error) }));
  }

  /** For every input of a hook. */
  observe(hook: IncomingHook): void {
    const agent = this.#deps.agents(hook.agent);
    const { sessionId, signal, detail } = hook.parsed;
    const joining = agent?.joining;
    if (agent === undefined || joining === undefined || sessionId === null || !isHere(hook)) return;
    const key = { ...HERE, agent: agent.name, sessionId };
    const asks = signal === 'waiting' && (detail === 'permission' || detail === 'question');
    if (asks) this.#background.run(this.#wanted(agent, joining, key, hook.origin));
    if (signal === 'prompted' || signal === 'ended') this.#note(sessionKeyText(key), hook.startedAt);
    if (signal === 'ended') this.#joined.get(sessionKeyText(key))?.ended();
    if (signal === 'finished') {
      const client = (): Promise<ClientProcess | null> => this.#deps.client(agent, hook.origin);
      this.#background.run(this.#rests(agent, joining, restAfter(key, hook), client));
    }
  }

  /** Whether its account has room for another turn. */
  async room({ agent: name, sessionId }: SessionKey): Promise<Room> {
    return this.#deps.agents(name)?.joining?.room?.(this.#deps.place, sessionId) ?? 'not asked';
  }

  /** A turn has failed: what its session takes next may be given it from elsewhere. */
  async stopped(record: SessionRecord, failed: Event): Promise<void> {
    const agent = this.#deps.agents(record.agent);
    const isOurs = record.host === HERE.host && record.user === HERE.user;
    if (agent?.joining === undefined || !isOurs) return;
    await this.#rests(agent, agent.joining, restAfterFailure(record, failed), async () => record.process);
  }

  /** Joins the session of a question that a daemon before this one left open; false: it cannot be joined. */
  async resume(question: Question): Promise<boolean> {
    const subject = subjectSchema.safeParse(question.subject);
    const agent = subject.success ? this.#deps.agents(subject.data.agent) : undefined;
    if (!subject.success || agent?.joining === undefined || question.kind === 'text') return false;
    const key = { ...HERE, agent: agent.name, sessionId: subject.data.sessionId };
    if (sessionKeyText(key) !== question.sessionKey || !(await this.#deps.isInstalled(agent))) return false;
    const life = this.#lifeOf(agent.joining, key);
    if (life === null) return false;
    this.#background.run(life.wanted());
    return true;
  }

  /** Whether what a hook is to ask is asked beside the prompt of its session, which can be joined. */
  async serves({ agent: { joining }, session, question }: AskedByHook): Promise<boolean> {
    if (joining?.serves(question) !== true || !this.#hasRoom(session)) return false;
    // Late is no: the hook that holds its terminal leaves soon, and then nobody could answer from elsewhere.
    return withDeadline(this.#deps.clock, SERVES_MS, false, () => joining.runs(this.#deps.place, session.sessionId));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const life of [...this.#joined.values()]) life.close();
    await this.#background.idle();
  }

  async #wanted(agent: Agent, joining: Joining, key: SessionKey, origin: IncomingHook['origin']): Promise<void> {
    if (!(await this.#deps.isInstalled(agent))) return;
    const life = this.#lifeOf(joining, key);
    if (life === null) return;
    this.#background.run(life.wanted());
    const client = await this.#deps.client(agent, origin);
    if (client !== null) life.client = client;
  }

  async #rests(
    agent: Agent,
    joining: Joining,
    rest: Rest,
    clientOf: () => Promise<ClientProcess | null>,
  ): Promise<void> {
    const { isInstalled, place, questions } = this.#deps;
    const { session, startedAt } = rest;
    if (!(await isInstalled(agent))) return;
    const client = await clientOf();
    if ((this.#movedOn.get(sessionKeyText(session)) ?? 0) > startedAt) return;
    askForInstruction(questions, rest, {
      client,
      isReachable: () => joining.runs(place, session.sessionId),
      reply: (text, isOvertaken) => joining.reply(place, session.sessionId, text, isOvertaken),
    });
  }

  #note(session: string, at: number): void {
    this.#movedOn.delete(session);
    this.#movedOn.set(session, at);
    const [oldest] = this.#movedOn.keys();
    if (this.#movedOn.size > MOST_NOTED && oldest !== undefined) this.#movedOn.delete(oldest);
  }

  /** Whether it is joined, or can be. */
  #hasRoom(session: SessionKey): boolean {
    if (this.#joined.has(sessionKeyText(session))) return true;
    return !this.#stopped && (this.#joined.size < MAX_SESSIONS || this.#longestLost() !== undefined);
  }

  /** Null: too many are joined. */
  #lifeOf(joining: Joining, session: SessionKey): JoinedLife | null {
    const text = sessionKeyText(session);
    const known = this.#joined.get(text);
    if (known !== undefined) return known;
    if (this.#stopped) return null;
    if (this.#joined.size >= MAX_SESSIONS) this.#longestLost()?.end();
    if (this.#joined.size >= MAX_SESSIONS) return null;
    const life: JoinedLife = new JoinedLife(session, joining, {
      ...this.#deps,
      run: this.#background.run,
      // A later one may have taken its place.
      over: () => {
        if (this.#joined.get(text) === life) this.#joined.delete(text);
      },
    });
    this.#joined.set(text, life);
    return life;
  }

  #longestLost(): JoinedLife | undefined {
    const lost = [...this.#joined.values()].filter(({ lostAt }) => lostAt !== null);
    return lost.sort((a, b) => (a.lostAt ?? 0) - (b.lostAt ?? 0))[0];
  }
}

const isHere = ({ host, user }: IncomingHook): boolean => host === HERE.host && user === HERE.user;
