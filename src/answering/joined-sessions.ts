// Joins the sessions that ask something, for as long as they do, where their client holds them in a server of its own.
import { type Background, createBackground } from '../lib/background.ts';
import type { Clock } from '../lib/clock.ts';
import type { Agent } from '../model/agent.ts';
import { subjectSchema } from '../model/answering.ts';
import { type SessionKey, sessionKeyText } from '../model/ids.ts';
import type { IncomingHook } from '../model/incoming.ts';
import type { JoinedSession, Joining, JoinPlace } from '../model/joining.ts';
import { HERE } from '../model/local-host.ts';
import type { Question } from '../model/question.ts';
import type { ClientProcess } from '../model/session.ts';
import type { JoinedSource } from './joined-question.ts';
import type { JoinedQuestions } from './joined-questions.ts';

/** Sessions that are joined at once. */
const MOST = 20;
/** Sessions of which it is known that they went on. */
const MOST_NOTED = 300;
/** A session that asks nothing is left after this long, ms: between its report and its question the client may decide by itself. */
const LINGER = 60_000;
/** What a session still asks comes within this time after it was joined, ms. */
const REPEATED = 2_000;
/** Pauses before a session that was lost is joined again, ms. */
const AGAIN: readonly number[] = [300, 1_500, 5_000];

/** What it needs. */
export interface JoinedSessionsDeps {
  readonly agents: (name: string) => Agent | undefined;
  readonly clock: Clock;
  readonly place: JoinPlace;
  readonly questions: JoinedQuestions;
  /** Whether answering was installed for this agent. */
  readonly isInstalled: (agent: Agent) => Promise<boolean>;
  /** Runs the agent's own program; whether it ended well. */
  readonly run: (agent: Agent, args: readonly string[]) => Promise<boolean>;
  /** The client among the hook's ancestors. */
  readonly client: (agent: Agent, origin: IncomingHook['origin']) => Promise<ClientProcess | null>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** A session that is joined, or about to be. */
interface Joined {
  readonly source: JoinedSource;
  session: JoinedSession | null;
  cancel: () => void;
}

/** Nothing is joined before something is asked. */
export class JoinedSessions {
  readonly #deps: JoinedSessionsDeps;
  readonly #joined = new Map<string, Joined>();
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
    if (asks) this.#background.run(this.#wanted(agent, joining, key));
    if (signal === 'prompted' || signal === 'ended') this.#note(sessionKeyText(key), hook.startedAt);
    if (signal === 'finished') this.#background.run(this.#rests(agent, joining, key, hook));
  }

  /** Joins the session of a question that a daemon before this one left open; false: it cannot be joined. */
  async resume(question: Question): Promise<boolean> {
    const subject = subjectSchema.safeParse(question.subject);
    const agent = subject.success ? this.#deps.agents(subject.data.agent) : undefined;
    if (!subject.success || agent?.joining === undefined || question.kind === 'text') return false;
    const key = { ...HERE, agent: agent.name, sessionId: subject.data.sessionId };
    if (sessionKeyText(key) !== question.sessionKey || !(await this.#deps.isInstalled(agent))) return false;
    this.#background.run(this.#join(agent.joining, key));
    return true;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const one of this.#joined.values()) this.#close(one);
    this.#joined.clear();
    await this.#background.idle();
  }

  async #wanted(agent: Agent, joining: Joining, key: SessionKey): Promise<void> {
    if (await this.#deps.isInstalled(agent)) await this.#join(joining, key);
  }

  async #rests(agent: Agent, joining: Joining, session: SessionKey, hook: IncomingHook): Promise<void> {
    const { isInstalled, place, questions, run } = this.#deps;
    if (!(await isInstalled(agent))) return;
    const client = await this.#deps.client(agent, hook.origin);
    if ((this.#movedOn.get(sessionKeyText(session)) ?? 0) > hook.startedAt) return;
    questions.rests({
      ...{ session, hook, client },
      isReachable: () => joining.runs(place, session.sessionId),
      reply: async (text) => {
        const args = joining.reply(session.sessionId, text);
        if (args === null) return 'unsent';
        return (await run(agent, args)) ? 'taken' : 'unconfirmed';
      },
    });
  }

  #note(session: string, at: number): void {
    this.#movedOn.delete(session);
    this.#movedOn.set(session, at);
    const [oldest] = this.#movedOn.keys();
    if (this.#movedOn.size > MOST_NOTED && oldest !== undefined) this.#movedOn.delete(oldest);
  }

  /** Nothing where it is joined already. `tries`: how often it was lost. */
  async #join(joining: Joining, session: SessionKey, tries = 0): Promise<void> {
    const { place, questions, log } = this.#deps;
    const text = sessionKeyText(session);
    const before = this.#joined.get(text);
    if (before !== undefined) return this.#linger(before);
    if (this.#stopped || this.#joined.size >= MOST) return;
    const answer: JoinedSource['answer'] = async (id, said) => (await joined.session?.answer(id, said)) ?? 'unsent';
    const joined: Joined = { source: { session, client: null, answer }, session: null, cancel: () => undefined };
    this.#joined.set(text, joined);
    const { source } = joined;
    const result = await joining.join(place, session.sessionId, {
      asked: (request) => questions.asked(source, request),
      resolved: (id) => questions.resolved(source, id),
      lost: () => {
        questions.lost(source);
        this.#leave(joined);
        const pause = AGAIN[tries];
        if (pause === undefined) return;
        const cancel = this.#deps.clock.setTimer(pause, () => {
          this.#joined.delete(text);
          this.#background.run(this.#join(joining, session, tries + 1));
        });
        this.#joined.set(text, { source, session: null, cancel });
      },
    });
    if (typeof result === 'string') {
      log('a session cannot be joined', { agent: session.agent, session: session.sessionId, why: result });
      questions.giveUp(session);
      return this.#leave(joined);
    }
    if (this.#stopped) return result.close();
    joined.session = result;
    joined.cancel = this.#deps.clock.setTimer(REPEATED, () => {
      questions.giveUp(session);
      this.#linger(joined);
    });
  }

  /** Looks in a while whether it still asks something. */
  #linger(joined: Joined): void {
    if (joined.session === null) return;
    joined.cancel();
    joined.cancel = this.#deps.clock.setTimer(LINGER, () => {
      if (this.#deps.questions.openOf(joined.source) > 0) this.#linger(joined);
      else this.#leave(joined);
    });
  }

  #leave(joined: Joined): void {
    this.#close(joined);
    this.#joined.delete(sessionKeyText(joined.source.session));
  }

  #close({ cancel, session }: Joined): void {
    cancel();
    session?.close();
  }
}

const isHere = ({ host, user }: IncomingHook): boolean => host === HERE.host && user === HERE.user;
