// The clients that `belfry run` has started: found at the start of the daemon and when one begins, followed until they exit.
import { readWrapped, removeWrapped, runningWrapped, type WrappedClient } from '../../../ipc/wrapped-client.ts';
import { type Background, createBackground } from '../../../lib/async/background.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Agent } from '../../../model/agent/agent.ts';
import { HERE } from '../../../model/session/whereabouts.ts';
import type { Event } from '../../../model/event/event.ts';
import type { IncomingHook } from '../../../model/event/incoming.ts';
import type { Question } from '../../../model/question/question.ts';
import type { SessionRecord } from '../../../model/session/session.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { isAlive } from '../../../runtime/process-table.ts';
import { withAncestors } from '../hook/hook-ancestors.ts';
import type { OpenQuestions } from '../../questions/open-questions.ts';
import type { AskedByHook } from '../hook/may-wait.ts';
import { askForInstruction, type Rest, restAfter, restAfterFailure } from '../joined/between-turns.ts';
import { WrappedSession } from './wrapped-session.ts';

/** What it needs. */
export interface WrappedSessionsDeps {
  readonly agents: (name: string) => Agent | undefined;
  readonly paths: Pick<Paths, 'state'>;
  readonly clock: Clock;
  readonly questions: OpenQuestions;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** All of them. */
export class WrappedSessions {
  readonly #deps: WrappedSessionsDeps;
  readonly #sessions = new Map<string, WrappedSession>();
  readonly #background: Background;
  #stopped = false;

  constructor(deps: WrappedSessionsDeps) {
    this.#deps = deps;
    this.#background = createBackground((error) =>
      deps.log('a client that was started by `belfry run` cannot be followed', { error: String(error) }),
    );
  }

  /** Whether the session of this question, of a daemon before this one, may ask the same again. */
  mayResume({ kind, sessionKey }: Question): boolean {
    const agent = sessionKey.split('/')[2];
    return kind !== 'text' && runningWrapped(this.#deps.paths).some((one) => encodeURIComponent(one.agent) === agent);
  }

  /** Follows those that run, and removes what others have left behind. */
  start(): void {
    for (const about of runningWrapped(this.#deps.paths)) this.#follow(about);
  }

  /** One has begun. */
  begin(id: string): void {
    this.start();
    const about = readWrapped(this.#deps.paths, id);
    if (about !== null) this.#follow(about);
  }

  /** For every input of a hook. */
  observe(hook: IncomingHook): void {
    const { sessionId, signal, prompt } = hook.parsed;
    const session = sessionId === null ? undefined : this.#sessionOf(hook, sessionId);
    if (session === undefined || sessionId === null) return;
    session.sessionId = sessionId;
    if (signal === 'prompted' && prompt !== null) session.prompted(prompt);
    if (signal === 'finished') this.#rests(session, restAfter(session.session, hook));
  }

  /** A turn has failed: what its session takes next may be given it from elsewhere. */
  stopped(record: SessionRecord, failed: Event): void {
    const { agent, host, user, sessionId } = record;
    if (host !== HERE.host || user !== HERE.user) return;
    const session = [...this.#sessions.values()].find(
      (one) => one.about.agent === agent && one.sessionId === sessionId,
    );
    if (session !== undefined) this.#rests(session, restAfterFailure(record, failed));
  }

  #rests(session: WrappedSession, rest: Rest): void {
    const { pid, start } = session.about.client;
    askForInstruction(this.#deps.questions, rest, {
      client: session.client,
      isReachable: async () => isAlive(pid, start),
      reply: (text) => session.reply(text),
    });
  }

  /** Whether what a hook is to ask is asked beside the prompt of its session. */
  serves({ agent, session: { sessionId }, question, origin }: AskedByHook): boolean {
    const { ancestors } = withAncestors(origin);
    return agent.wrapping?.serves(question) === true && this.#runningIn(agent.name, sessionId, ancestors) !== undefined;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const session of this.#sessions.values()) session.close();
    this.#sessions.clear();
    await this.#background.idle();
  }

  /** By its process, whose session may be another one by now; else by its session. */
  #sessionOf({ host, user, agent, origin }: IncomingHook, sessionId: string): WrappedSession | undefined {
    if (host !== HERE.host || user !== HERE.user) return undefined;
    return this.#runningIn(agent, sessionId, origin.ancestors);
  }

  #runningIn(
    agent: string,
    sessionId: string,
    ancestors: IncomingHook['origin']['ancestors'],
  ): WrappedSession | undefined {
    const own = [...this.#sessions.values()].filter(({ about }) => about.agent === agent);
    const runs = ({ about: { client } }: WrappedSession): boolean =>
      ancestors?.some(({ pid, start }) => pid === client.pid && start === client.start) === true;
    return own.find(runs) ?? own.find((session) => session.sessionId === sessionId);
  }

  #follow(about: WrappedClient): void {
    const { agents, clock, questions, log } = this.#deps;
    const wrapping = agents(about.agent)?.wrapping;
    if (wrapping === undefined || this.#stopped || this.#sessions.has(about.id)) return;
    const named = { agent: about.agent, pid: about.client.pid };
    const gone = (why: string | null): void => {
      if (why !== null) log('a client can no longer be followed', { ...named, why });
      this.#sessions.delete(about.id);
      session.end(why === null ? 'exited' : 'unfollowed');
      if (!isAlive(about.wrapper.pid, about.wrapper.start)) removeWrapped(about);
    };
    const session = new WrappedSession(about, wrapping, { clock, background: this.#background, questions, gone, log });
    this.#sessions.set(about.id, session);
    log('a client is followed that was started by `belfry run`', named);
    const start = async (): Promise<void> => {
      const why = await session.start();
      if (why === null) return;
      this.#sessions.delete(about.id);
      log('a client that was started by `belfry run` cannot be followed', { ...named, why });
    };
    this.#background.run(start());
  }
}
