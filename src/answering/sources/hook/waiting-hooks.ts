// Hooks that wait for an answer, and code inside a client that does the same: each waits or leaves as the daemon says, and prints what it is given.
import { setImmediate } from 'node:timers/promises';
import { type AskOutput, type FarHook, STOPPED } from '../../../ipc/ask.ts';
import type { Origin } from '../../../ipc/envelope.ts';
import type { Reply } from '../../../ipc/frames.ts';
import { type Background, createBackground } from '../../../lib/async/background.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Agent } from '../../../model/agent/agent.ts';
import { farPath } from '../../../model/far-file.ts';
import { type FileReads, SETTING_OF } from '../../../model/question/answering.ts';
import { awayAt } from '../../../model/presence/away.ts';
import type { Config } from '../../../model/settings/config.ts';
import { endingWords } from '../../../model/question/endings.ts';
import { sessionKeyText } from '../../../model/ids.ts';
import type { ClientProcess } from '../../../model/session/session.ts';
import type { Store } from '../../../store/contract.ts';
import type { Asker } from '../../questions/asker.ts';
import type { OpenQuestion } from '../../questions/open-question.ts';
import type { OpenQuestions } from '../../questions/open-questions.ts';
import { endingOfWord, handedTo } from '../inside/why-they-left.ts';
import { type AdmissionDeps, admit, type AskedByHook, matchOf } from './may-wait.ts';
import { tellToWait } from './heartbeat.ts';
import { withAncestors } from './hook-ancestors.ts';
import { printedTo } from './printed-decision.ts';
import { ShownInput, type ShownInputDeps } from './shown-input.ts';
import { createTurnedAway, type TurnedAway } from './questions-turned-away.ts';

/** Hooks that may wait at once; one more leaves, and the terminal answers. */
const MAX_WAITING = 100;
/** Why one is not asked that waited for a daemon which was busy. */
const LEFT_EARLY = 'its hook left before Belfry was ready';
/** The same of one that may not hold its terminal. */
const NOT_AWAY = 'its hook waits only while you are away (belfry away)';

/** Of a machine elsewhere the ends of files can be looked at. */
const endsThere = (files: FileReads, remote: string | undefined): FileReads => ({
  start: async () => null,
  end: async (path, most) => {
    const there = remote === undefined ? null : farPath(remote, path);
    return there === null ? null : files.end(there, most);
  },
});

/** What it needs. */
export interface WaitingHooksDeps extends AdmissionDeps, ShownInputDeps {
  readonly store: Pick<Store, 'putQuestion' | 'machine'>;
  readonly clock: Clock;
  readonly config: () => Config;
  readonly questions: OpenQuestions;
  /** The client among the hook's ancestors. */
  readonly client: (agent: Agent, origin: Origin) => Promise<ClientProcess | null>;
  /** Hooks that run after a tool report it until the returned function is called: somebody may be first at the terminal. */
  readonly promptOpen: () => () => void;
  /** Whether the same is asked beside the session's own prompt, so that no hook need hold it. */
  readonly isBeside: (asked: AskedByHook) => Promise<boolean>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** One that waits. */
interface Waiting {
  readonly asked: AskedByHook;
  readonly question: OpenQuestion;
  /** What it prints; resolves at the end. */
  readonly output: Promise<AskOutput>;
}

/** All of them. */
export class WaitingHooks {
  readonly #deps: WaitingHooksDeps;
  readonly #waiting = new Set<Waiting>();
  /** Writes to the store, and looks for clients. */
  readonly #background: Background;
  readonly #turnedAway: TurnedAway;
  #state: 'running' | 'stopped' = 'running';

  constructor(deps: WaitingHooksDeps) {
    const { log, questions } = deps;
    this.#deps = deps;
    this.#background = createBackground((error) => log('a hook could not be served', { error: String(error) }));
    this.#turnedAway = createTurnedAway({ ...deps, background: this.#background, reports: questions.reports });
  }

  /** Serves one hook to its end; `gone` aborts when it has left. `far`: it waits on a machine elsewhere. */
  async serve(
    args: Readonly<Record<string, unknown>>,
    reply: (reply: Reply) => Promise<void>,
    gone: AbortSignal,
    far?: FarHook,
  ): Promise<void> {
    const { clock, questions, isBeside } = this.#deps;
    const until = await this.#awayUntil();
    const asked = admit(args, this.#deps, far);
    if (typeof asked === 'string') return reply({ data: { left: asked }, done: true });
    const { kind } = asked.question;
    const holds = asked.answering.holds === true;
    const unwanted = questions.takes(kind) ? null : `[answer] kinds leaves out ${SETTING_OF[kind]}`;
    if (unwanted === null && holds && until === null) {
      await reply({ data: { left: NOT_AWAY }, done: true }); // at once: its terminal is held
      if (!(await isBeside(asked))) this.#turnAway(asked, NOT_AWAY);
      return;
    }
    if (unwanted === null && holds && (await isBeside(asked)))
      return reply({ data: { left: 'it is asked beside its own prompt' }, done: true });
    // What left while the daemon was busy is heard of only now.
    await setImmediate();
    const refused = unwanted ?? this.#refusal(asked, gone);
    if (refused !== null) {
      this.#turnAway(asked, refused);
      return reply({ data: { left: refused }, done: true });
    }
    this.#replace(asked);
    const waiting = this.#begin(asked, gone, holds && until !== null ? until - clock.now() : Infinity);
    await this.#wait(waiting, reply, gone);
  }

  /** The person is back: hooks that hold a terminal leave. */
  back(): void {
    for (const { asked, question } of [...this.#waiting]) if (asked.answering.holds === true) question.end('back');
  }

  /** Every hook leaves, and the terminals answer. */
  async stop(): Promise<void> {
    this.#state = 'stopped';
    this.#turnedAway.stop();
    for (const { question } of [...this.#waiting]) question.lose('stopped');
    await this.#background.idle();
  }

  /** Unix ms; null: nobody is away. */
  async #awayUntil(): Promise<number | null> {
    const { store, clock } = this.#deps;
    return awayAt(await store.machine(), clock.now())?.until ?? null;
  }

  #turnAway(asked: AskedByHook, why: string): void {
    if (this.#state === 'running') this.#turnedAway.keep(asked, why);
  }

  /** Why the hook is to leave, or has left; null: it may wait. */
  #refusal({ answering }: AskedByHook, gone: AbortSignal): string | null {
    if (this.#state === 'stopped') return STOPPED;
    if (gone.aborted) return answering.inside === undefined ? LEFT_EARLY : endingWords(endingOfWord(gone.reason));
    return this.#waiting.size >= MAX_WAITING ? `${MAX_WAITING} others wait already` : null;
  }

  /** One session asks one thing at a time, and so does each of its subagents; one that is answered from inside says itself what is over, and asks the same again only when it was cut off. */
  #replace({ session, question, answering, digest }: AskedByHook): void {
    const key = sessionKeyText(session);
    for (const { asked, question: before } of [...this.#waiting]) {
      if (sessionKeyText(asked.session) !== key || asked.question.subagent !== question.subagent) continue;
      if (answering.inside === undefined) before.end(asked.question.kind === 'text' ? 'later-turn' : 'at-terminal');
      else if (asked.digest === digest) before.lose('session-lost');
    }
  }

  /** `longest`: ms. */
  #begin(asked: AskedByHook, gone: AbortSignal, longest: number): Waiting {
    const { clock, questions } = this.#deps;
    const { far } = asked;
    const looking =
      far === null ? this.#deps : { ...this.#deps, files: endsThere(this.#deps.files, far.origin.remote) };
    const shown = new ShownInput(asked, looking);
    let print: (output: AskOutput) => void = () => undefined;
    const output = new Promise<AskOutput>((resolve) => {
      print = resolve;
    });
    const asker: Asker = {
      source: asked.answering.inside === undefined ? 'hook' : 'inside',
      notification: matchOf(asked),
      lookAgain: shown.look,
      fault: (answer) => asked.answering.fault?.(answer, asked.input) ?? null,
      give: async (answer, isOvertaken) => {
        if (answer.type === 'reply' && isOvertaken()) return 'late';
        // One that has left while the answer was written hears nothing any more.
        if (gone.aborted) return 'unsent';
        print(shown.output(answer));
        const handed = await handedTo(gone, clock);
        return handed === 'taken' ? printedTo(asked, answer, looking) : handed;
      },
      over: (why) => {
        this.#waiting.delete(waiting);
        print({ left: endingWords(why) });
      },
      ...(far !== null && { isReachable: async () => far.isReachable() }),
    };
    const question = questions.begin(asked, asker, longest);
    const waiting: Waiting = { asked, question, output };
    this.#waiting.add(waiting);
    const left = (): void => (asker.source === 'hook' ? question.leave() : question.end(endingOfWord(gone.reason)));
    gone.addEventListener('abort', left, { once: true });
    return waiting;
  }

  async #wait(
    { asked, question, output }: Waiting,
    reply: (reply: Reply) => Promise<void>,
    gone: AbortSignal,
  ): Promise<void> {
    const { clock, questions, promptOpen } = this.#deps;
    const endBeats = await tellToWait(asked, question.left, reply, { clock, background: this.#background });
    // Only now: the hook leaves when it does not hear at once that it is to wait. All of this writes files.
    if (question.isOpen) this.#background.run(output.then(promptOpen()));
    questions.put(question);
    if (asked.answering.inside === undefined) this.#background.run(this.#findClient(asked, question));
    const said = await output.finally(endBeats);
    await reply({ data: said, done: true });
    if (!('left' in said)) await handedTo(gone, clock);
  }

  async #findClient({ agent, origin }: AskedByHook, question: OpenQuestion): Promise<void> {
    this.#deps.questions.watch(question, await this.#deps.client(agent, withAncestors(origin)));
  }
}
