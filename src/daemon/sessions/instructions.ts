// Hands a session that has stopped its next instruction, one at a time, and sees whether a prompt follows.
import { withDeadline } from '../../lib/async/deadline.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AnsweringService } from '../../answering/index.ts';
import { UserError } from '../../model/errors.ts';
import type { Event } from '../../model/event/event.ts';
import { type SessionKey, sessionKeyText } from '../../model/ids.ts';
import { endingWords } from '../../model/question/endings.ts';
import { seenOf } from '../../model/question/seen.ts';
import type { StoppedSession } from '../../model/session/stopped.ts';
import type { ResumeSettings } from '../../model/settings/config.ts';
import { memoryOf } from '../../pipeline/index.ts';
import type { Store } from '../../store/contract.ts';
import { continuedEvent, heldEvent } from './going-on-events.ts';
import { instructable } from './instructable.ts';

export interface InstructionsDeps {
  readonly store: Pick<Store, 'question' | 'questions' | 'session'>;
  readonly clock: Clock;
  readonly settings: () => ResumeSettings;
  readonly answering: Pick<AnsweringService, 'answer'>;
  /** Hands an own event to ingest; the same id twice is one event. */
  readonly raise: (event: Event, occurrence: string) => Promise<void>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Who gives the instruction; null: the settings do. */
export type By = string | null;

/** An instruction that was given. */
interface Given {
  /** Unix ms. */
  readonly at: number;
  readonly followed: Promise<true>;
  readonly prompted: () => void;
}

/** Ms within which a prompt follows its instruction. */
export const FOLLOWS = 10_000;
/** Why nothing is sent. */
export const TERMINAL = 'only its terminal takes an instruction; type it there';
export const UNDER_WAY = 'it is being given its instruction';

/** Nothing is given yet. */
export class Instructions {
  readonly #deps: InstructionsDeps;
  /** Those under way, by their sessions' keys. */
  readonly #given = new Map<string, Given>();
  #isStopped = false;

  constructor(deps: InstructionsDeps) {
    this.#deps = deps;
  }

  isUnderWay(session: SessionKey): boolean {
    return this.#given.has(sessionKeyText(session));
  }

  /** It works again. */
  prompted(session: SessionKey): void {
    this.#given.get(sessionKeyText(session))?.prompted();
  }

  /** Waits for no prompt any more. */
  stop(): void {
    this.#isStopped = true;
    for (const { prompted } of this.#given.values()) prompted();
  }

  /** Null once it is handed over, as far as that is known; else why nothing was sent. */
  async give(stopped: StoppedSession, by: By): Promise<string | null> {
    const key = sessionKeyText(stopped.record);
    if (this.#given.has(key)) return UNDER_WAY;
    let prompted: () => void = () => undefined;
    const followed = new Promise<true>((resolve) => {
      prompted = () => resolve(true);
    });
    this.#given.set(key, { at: this.#deps.clock.now(), followed, prompted });
    let isGiven = false;
    try {
      const refusal = await this.#hand(stopped, by);
      isGiven = refusal === null;
      return refusal;
    } finally {
      if (!isGiven) this.#given.delete(key);
    }
  }

  async #hand({ record, failed }: StoppedSession, by: By): Promise<string | null> {
    const { store, settings, answering, log } = this.#deps;
    const question = await instructable(record, store);
    if (question === null) return TERMINAL;
    // It may have been prompted while the others were given theirs, or while its account was asked for room.
    const now = await store.session(record);
    if (now?.state !== 'failed' || memoryOf(now).failure?.id !== failed.id) return 'it has gone on meanwhile';
    const answer = { type: 'reply', text: settings().text } as const;
    const answerer = by === null ? { by: 'Belfry', via: 'resume' } : { by, via: 'continue' };
    try {
      await answering.answer({ id: question.id, seen: seenOf(question), answer, answerer });
      return null;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      // What was handed over and not confirmed may be taken yet.
      if ((await store.question(question.id))?.closed === endingWords('unconfirmed')) return null;
      log('a stopped session could not go on', { session: record.sessionId, why: error.message });
      return error.message;
    }
  }

  /** What became of one that was given: it is journaled. */
  async follow(stopped: StoppedSession, by: By): Promise<{ result: 'continued' | 'held'; why: string | null }> {
    const { clock, raise } = this.#deps;
    const key = sessionKeyText(stopped.record);
    const { at, followed } = this.#given.get(key) ?? { at: clock.now(), followed: Promise.resolve(true) };
    const isGoing = await withDeadline<boolean>(clock, FOLLOWS, false, () => followed);
    this.#given.delete(key);
    if (this.#isStopped) return { result: 'held', why: 'the daemon stops' };
    const event = isGoing ? continuedEvent(stopped, at, by) : heldEvent(stopped, clock.now(), true);
    await raise(event, event.id);
    return isGoing
      ? { result: 'continued', why: null }
      : { result: 'held', why: 'it was given its instruction, but no prompt followed; look at its terminal' };
  }
}
