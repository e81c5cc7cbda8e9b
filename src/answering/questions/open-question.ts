// One open question: the life of the wait for its answer.
//
//   open ---hold--> held ---release--> open
//   open ---leave-> leaving          whoever asked has gone without a word: for a moment its hooks may still say why
//   open ---lose--> over             its row goes on, as its source asks again
//   open, leaving ---end--> over     with a reason
//   held ---deliver--> over          an answer was handed over, however far that got
//
// Whatever comes while it is held happens when it is released, so that the row and the agent agree.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { FinalAnswer, Handed } from '../../model/question/answering.ts';
import type { Ending } from '../../model/question/endings.ts';
import { type Asked, type Asker, type Client, SOURCES } from './asker.ts';
import type { QuestionRow } from './kept-questions.ts';

/** Ms in which an input may still say why a hook has left: a client ends it and reports its tool at the same moment, in either order. */
const NAMING = 300;

/** Who keeps it. */
export interface QuestionOwner {
  readonly clock: Clock;
  /** It waits no more, however that came. */
  over(question: OpenQuestion): void;
  /** Without an answer: its row is to say why. */
  ended(question: OpenQuestion, why: Ending): void;
  /** Its row stays as it is; `why` is to be said if nobody asks again. */
  kept(row: QuestionRow, why: Ending): void;
}

type Life =
  | { readonly state: 'open' }
  | { readonly state: 'held'; readonly holders: number; readonly next: () => void; readonly isOvertaken: boolean }
  | { readonly state: 'leaving'; readonly cancel: () => void }
  | { readonly state: 'over' };

const OPEN: Life = { state: 'open' };
const OVER: Life = { state: 'over' };

/** Begins open. */
export class OpenQuestion {
  readonly asked: Asked;
  readonly asker: Asker;
  readonly id: string;
  readonly nonce: string;
  /** Unix ms. */
  readonly deadline: number;
  client: Client = null;
  /** As it was written; null: it is not yet, and nobody was asked. */
  row: QuestionRow | null;
  /** The row of the same question as it was shown before: this one takes its place. */
  replaced: QuestionRow | null = null;
  /** Resolves when nobody waits any more. */
  readonly ended: Promise<void>;
  readonly #owner: QuestionOwner;
  readonly #cancelDeadline: () => void;
  #life: Life = OPEN;
  #resolve: () => void = () => undefined;

  /** `row`: the one that it goes on with; null: it is new, and waits so long, ms. */
  constructor(asked: Asked, asker: Asker, waitMs: number, row: QuestionRow | null, owner: QuestionOwner) {
    const { clock } = owner;
    this.asked = asked;
    this.asker = asker;
    this.#owner = owner;
    this.row = row;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.id = row?.id ?? newQuestionId();
    this.nonce = row?.nonce ?? randomBytes(18).toString('base64url');
    this.deadline = row?.deadline ?? clock.now() + waitMs;
    this.#cancelDeadline = clock.setTimer(Math.max(0, this.deadline - clock.now()), () => this.end('expired'));
  }

  /** Whether somebody waits. */
  get isOpen(): boolean {
    return this.#life.state === 'open' || this.#life.state === 'held';
  }

  /** Ms that are left. */
  get left(): number {
    return Math.max(0, this.deadline - this.#owner.clock.now());
  }

  /** While an answer is being written nothing else ends it; the returned function ends that. */
  readonly hold = (): (() => void) => {
    const { state } = this.#life;
    if (state === 'held') this.#life = { ...this.#life, holders: this.#life.holders + 1 };
    if (state === 'open') this.#life = { state: 'held', holders: 1, next: () => undefined, isOvertaken: false };
    return () => {
      if (this.#life.state !== 'held') return;
      const { holders, next } = this.#life;
      if (holders > 1) this.#life = { ...this.#life, holders: holders - 1 };
      else {
        this.#life = OPEN;
        next();
      }
    };
  };

  /** Whether its session went on while an answer was on its way. */
  readonly isOvertaken = (): boolean => this.#life.state === 'held' && this.#life.isOvertaken;

  /** Hands the answer over, which is the end of the wait however far it got. */
  readonly deliver = async (answer: FinalAnswer): Promise<Handed> => {
    if (!this.isOpen) return 'unsent';
    try {
      return await this.asker.give(answer, this.isOvertaken);
    } finally {
      this.#finish(OVER, 'left');
    }
  };

  /** It is over without an answer. */
  end(why: Ending): void {
    if (this.#life.state === 'held') this.#life = { ...this.#life, isOvertaken: true };
    if (this.#isLater(() => this.end(why)) || this.#life.state === 'over') return;
    this.#finish(OVER, why);
    this.#owner.ended(this, why);
  }

  /** Whoever asked has gone and did not say why. */
  leave(): void {
    if (this.#isLater(() => this.leave()) || this.#life.state !== 'open') return;
    const cancel = this.#owner.clock.setTimer(NAMING, () => this.end('left'));
    this.#finish({ state: 'leaving', cancel }, 'left');
  }

  /** Whoever asked cannot be heard any more. `why`: the end of it, unless the same is asked again soon. */
  lose(why: Ending): void {
    if (this.#isLater(() => this.lose(why)) || this.#life.state === 'over') return;
    const goesOn = SOURCES[this.asker.source].asksAgain ? this.row : null;
    if (goesOn === null) this.end(this.#life.state === 'leaving' ? 'left' : why);
    else {
      this.#finish(OVER, why);
      this.#owner.kept(goesOn, why);
    }
  }

  /** Whether it is held: `what` happens afterwards, in place of what was to happen before. */
  #isLater(what: () => void): boolean {
    if (this.#life.state !== 'held') return false;
    this.#life = { ...this.#life, next: what };
    return true;
  }

  /** Nobody waits any more. */
  #finish(life: Life, why: Ending): void {
    const before = this.#life;
    this.#life = life;
    if (before.state === 'leaving') before.cancel();
    else {
      this.#cancelDeadline();
      this.asker.over(why);
      this.#resolve();
    }
    if (life.state === 'over') this.#owner.over(this);
  }
}

/** Another one each time. */
export const newQuestionId = (): string => `qst_${randomBytes(18).toString('base64url')}`;
