// Answering agents from elsewhere: hooks that wait, their questions in the store, and the first answer to each.
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { STOPPED } from '../../../ipc/ask.ts';
import type { Origin } from '../../../ipc/envelope.ts';
import type { Reply } from '../../../ipc/frames.ts';
import { type Background, createBackground } from '../../../lib/background.ts';
import type { Clock } from '../../../lib/clock.ts';
import { AWAY_CURSOR, awayAt } from '../../../model/away.ts';
import type { Agent } from '../../../model/agent.ts';
import type { FinalAnswer, Handed } from '../../../model/answering.ts';
import { sessionKeyText } from '../../../model/ids.ts';
import type { Incoming } from '../../../model/incoming.ts';
import type { ClientProcess } from '../../../model/session.ts';
import type { Store } from '../../../store/contract.ts';
import { type AdmissionDeps, admit, leftOut } from './admit.ts';
import { RESTARTED } from '../../messages/answered-words.ts';
import { type ClientWatch, createClientWatch } from '../../questions/client-watch.ts';
import { createDepartures, type Departures } from './departures.ts';
import { endOfWait } from '../../questions/end-of-wait.ts';
import { withAncestors } from './hook-ancestors.ts';
import { tellToWait } from './heartbeat.ts';
import { handedTo, lastWordOf } from './last-word.ts';
import { createNotifiedInputs, type NotifiedInputs } from '../../questions/notified.ts';
import { putQuestion } from './put-question.ts';
import { createQuestionRows, type QuestionRows } from '../../questions/question-rows.ts';
import type { Question } from '../../../model/question.ts';
import { ShownInput, type ShownInputDeps } from './shown-input.ts';
import { createTurnedAway, type TurnedAway } from './turned-away.ts';
import type { Asked, OpenWait, Wait } from '../../questions/wait.ts';
import { WaitLife } from '../../questions/wait-life.ts';

/** Hooks that may wait at once; one more leaves, and the terminal answers. */
const MOST = 100;
/** Why one is not asked that waited for a daemon which was busy. */
const LEFT_EARLY = 'its hook left before Belfry was ready';
/** The same of one that may not hold its terminal. */
const NOT_AWAY = 'its hook waits only while you are away (belfry away)';

/** What it needs; passed in by the daemon. */
export interface AnsweringDeps extends AdmissionDeps, ShownInputDeps {
  readonly store: Pick<Store, 'putQuestion' | 'tieQuestion' | 'closeQuestion' | 'questions' | 'cursor'>;
  readonly clock: Clock;
  /** The client among the hook's ancestors. */
  readonly client: (agent: Agent, origin: Origin) => Promise<ClientProcess | null>;
  /** Hooks that run after a tool report it until the returned function is called: somebody may be first at the terminal. */
  readonly promptOpen: () => () => void;
  /** Whether the same is asked beside the session's own prompt, so that no hook need hold it. */
  readonly isBeside: (asked: Asked) => Promise<boolean>;
  /** Those of them that have exited. */
  readonly exited: (clients: readonly ClientProcess[]) => Promise<readonly ClientProcess[]>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** The hooks that wait. */
export interface Waits {
  /** Closes these questions, which a daemon before this one left open and which nobody goes on with: their hooks have left with it. */
  readonly start: (left: readonly Question[]) => Promise<void>;
  /** Serves one hook to its end; `gone` aborts when it has left. */
  readonly serve: (
    args: Readonly<Record<string, unknown>>,
    reply: (reply: Reply) => Promise<void>,
    gone: AbortSignal,
  ) => Promise<void>;
  /** For every input that is taken in: it may show that somebody was first at the terminal. Never throws. */
  readonly observe: (incoming: Incoming) => void;
  /** The person is back: hooks that hold a terminal leave. */
  back(): void;
  /** The hook that waits with this question; undefined: none does any more. */
  readonly get: (questionId: string) => Wait | undefined;
  /** Every hook leaves, and the terminals answer. */
  readonly stop: () => Promise<void>;
}

/** Builds it. */
export function createWaits(deps: AnsweringDeps): Waits {
  return new WaitingHooks(deps);
}

class WaitingHooks implements Waits {
  readonly #deps: AnsweringDeps;
  readonly #waits = new Map<string, OpenWait>();
  readonly #notified: NotifiedInputs;
  /** Writes to the store, and looks for clients. */
  readonly #background: Background;
  readonly #clients: ClientWatch;
  readonly #departures: Departures;
  readonly #rows: QuestionRows;
  readonly #turnedAway: TurnedAway;
  #state: 'running' | 'stopped' = 'running';

  constructor(deps: AnsweringDeps) {
    const { clock, exited, log } = deps;
    this.#deps = deps;
    this.#notified = createNotifiedInputs(clock);
    this.#background = createBackground((error) => log('a question could not be written', { error: String(error) }));
    this.#rows = createQuestionRows(deps.store, this.#background);
    this.#turnedAway = createTurnedAway({ ...deps, background: this.#background, notified: this.#notified });
    this.#departures = createDepartures(clock, ({ id }, why) => this.#close(id, why));
    this.#clients = createClientWatch({ clock, exited, background: this.#background, waits: () => this.#all() });
  }

  readonly start: Waits['start'] = async (left) => {
    const { store } = this.#deps;
    for (const { id } of left) if (!this.#waits.has(id)) await store.closeQuestion(id, RESTARTED);
  };

  readonly serve: Waits['serve'] = async (args, reply, gone) => {
    const { log } = this.#deps;
    const until = await this.#awayUntil();
    const asked = admit(args, this.#deps);
    if (typeof asked === 'string') return reply({ data: { left: asked }, done: true });
    const holds = asked.answering.holds === true;
    const unwanted = leftOut(asked, this.#deps.config().answer);
    if (unwanted === null && holds && until === null) {
      await reply({ data: { left: NOT_AWAY }, done: true }); // at once: its terminal is held
      if (!(await this.#deps.isBeside(asked))) this.#turnAway(asked, NOT_AWAY);
      return;
    }
    if (unwanted === null && holds && (await this.#deps.isBeside(asked)))
      return reply({ data: { left: 'it is asked beside its own prompt' }, done: true });
    // What left while the daemon was busy is heard of only now.
    await setImmediate();
    const refused = unwanted ?? this.#refusal(asked, gone);
    if (refused !== null) {
      this.#turnAway(asked, refused);
      return reply({ data: { left: refused }, done: true });
    }
    this.#replace(asked);
    const longest = holds && until !== null ? until - this.#deps.clock.now() : Infinity;
    const waitMs = Math.min(this.#deps.config().answer.wait, longest);
    const wait = this.#open(asked, waitMs, gone);
    const endBeats = await tellToWait(wait, waitMs, reply, { clock: this.#deps.clock, background: this.#background });
    // Only now: the hook leaves when it does not hear at once that it is to wait. All of this writes files.
    if (this.#waits.has(wait.id)) this.#background.run(wait.output.then(this.#deps.promptOpen()));
    log('a hook waits for an answer', { question: wait.id, agent: asked.session.agent, kind: asked.question.kind });
    this.#background.run(this.#put(wait));
    if (asked.answering.inside === undefined) this.#background.run(this.#findClient(wait));
    const output = await wait.output.finally(endBeats);
    await reply({ data: output, done: true });
    if (!('left' in output)) await handedTo(gone, this.#deps.clock);
  };

  readonly observe = (incoming: Incoming): void => {
    if (incoming.type !== 'hook') return;
    this.#notified.note(incoming);
    // Where the client's own code asks, that says when it is over.
    const why = (wait: Wait): string | null => (wait.answering.inside === undefined ? endOfWait(wait, incoming) : null);
    for (const wait of this.#all()) {
      const over = why(wait);
      if (over !== null) wait.leave(over);
    }
    this.#departures.name(why);
  };

  readonly back = (): void => {
    for (const wait of this.#all()) if (wait.answering.holds === true) wait.leave('you are back');
  };

  readonly get = (id: string): Wait | undefined => this.#waits.get(id);

  readonly stop = async (): Promise<void> => {
    this.#state = 'stopped';
    this.#clients.stop();
    this.#turnedAway.stop();
    for (const wait of this.#all()) wait.leave(STOPPED);
    this.#departures.settle();
    await this.#background.idle();
  };

  /** Unix ms; null: nobody is away. */
  async #awayUntil(): Promise<number | null> {
    const { store, clock } = this.#deps;
    return awayAt(await store.cursor(AWAY_CURSOR), clock.now())?.until ?? null;
  }

  /** Those that wait now; ending one does not disturb who goes through them. */
  #all(): readonly OpenWait[] {
    return [...this.#waits.values()];
  }

  #turnAway(asked: Asked, why: string): void {
    if (this.#state === 'running') this.#turnedAway.keep(asked, why);
  }

  /** Why the hook is to leave, or has left; null: it may wait. */
  #refusal(asked: Asked, gone: AbortSignal): string | null {
    if (this.#state === 'stopped') return STOPPED;
    if (gone.aborted) return lastWordOf(asked, gone.reason) ?? LEFT_EARLY;
    return this.#waits.size >= MOST ? `${MOST} others wait already` : null;
  }

  #open(asked: Asked, waitMs: number, gone: AbortSignal): OpenWait {
    const { clock } = this.#deps;
    const id = `qst_${randomBytes(18).toString('base64url')}`;
    const { end, leave, hold, output } = new WaitLife({
      ended: () => {
        this.#waits.delete(id);
        cancelDeadline();
      },
      left: (why) => {
        if (why === null) this.#departures.add(wait);
        else this.#close(id, why);
      },
    });
    const cancelDeadline = clock.setTimer(waitMs, () => leave('the time to answer was over'));
    const left = new Promise<void>((resolve) => gone.addEventListener('abort', () => resolve(), { once: true }));
    gone.addEventListener('abort', () => leave(lastWordOf(asked, gone.reason)), { once: true });
    const nonce = randomBytes(18).toString('base64url');
    const deadline = clock.now() + waitMs;
    // One that has left while the answer was written is held, and hears nothing any more.
    const shown = new ShownInput(asked, this.#deps);
    const deliver = async (answer: FinalAnswer): Promise<Handed> =>
      !gone.aborted && end(shown.output(answer)) ? handedTo(gone, clock) : 'unsent';
    const fault = (answer: FinalAnswer): string | null => asked.answering.fault?.(answer, asked.input) ?? null;
    const answers = { fault, deliver, lookAgain: shown.look, leave, hold, output, left };
    const wait: OpenWait = { ...asked, ...answers, id, nonce, deadline, client: null };
    this.#waits.set(id, wait);
    return wait;
  }

  /** The question of a hook that has left. One that is not written yet is closed as soon as it is. */
  #close(id: string, why: string): void {
    this.#deps.log('a waiting hook leaves', { question: id, why });
    this.#rows.close(id, why);
  }

  /** One session asks one thing at a time, and so does each of its subagents; one that is answered from inside says itself what is over. */
  #replace({ session, question, answering, digest }: Asked): void {
    const key = sessionKeyText(session);
    for (const wait of this.#all())
      if (
        sessionKeyText(wait.session) === key &&
        wait.question.subagent === question.subagent &&
        (answering.inside === undefined || wait.digest === digest)
      )
        wait.leave(wait.question.kind === 'text' ? 'a later turn is over' : 'answered at the terminal');
  }

  #put(wait: OpenWait): Promise<void> {
    const of = { notified: this.#notified, rows: this.#rows, background: this.#background };
    return putQuestion(wait, { ...this.#deps, ...of, isOpen: (id) => this.#waits.has(id) });
  }

  async #findClient(wait: OpenWait): Promise<void> {
    wait.client = await this.#deps.client(wait.agent, withAncestors(wait.origin));
    this.#clients.start();
  }
}
