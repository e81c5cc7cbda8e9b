// An answer of ours that is on its way to a session of Codex. Its server says of a request that it is settled, not by whom: the terminal may have been first. Seen with 0.169.0.
import { isDeepStrictEqual } from 'node:util';
import { sleep } from '../../lib/clock.ts';
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import type { Handed } from '../../model/question/answering.ts';
import type { JoinedAnswer } from '../../model/agent/joining.ts';
import { givenTo } from './rollout-file.ts';

/** Ms in which the server or the rollout says that an answer was taken. */
const TAKEN = 5_000;
/** Ms after which nobody has interrupted what was allowed in the moment when it was. */
const UNDISTURBED = 500;
/** Ms between looks at the rollout. */
const LOOKS = 50;

/** What is sent. */
export interface Given {
  readonly answer: JoinedAnswer;
  /** The request's. */
  readonly params: JsonObject;
  readonly result: JsonObject;
}

/** Sent in this moment. */
export class OwnAnswer {
  readonly handed: Promise<Handed>;
  /** The first one counts. */
  settle: (how: Handed) => void = () => undefined;
  readonly #given: Given;
  readonly #records: () => Promise<readonly JsonObject[]>;
  readonly #timers: NodeJS.Timeout[] = [];
  #isSettled = false;

  /** `records`: the last ones of the session's rollout, where they can be read. */
  constructor(given: Given, records: () => Promise<readonly JsonObject[]>) {
    this.#given = given;
    this.#records = records;
    this.handed = new Promise<Handed>((resolve) => {
      this.settle = resolve;
    }).finally(() => {
      this.#isSettled = true;
      this.#timers.forEach(clearTimeout);
    });
    this.#after(TAKEN, 'unconfirmed');
  }

  /** What was allowed may run for hours; what was denied is over at once. */
  resolved(): void {
    if (this.#isQuestion()) void this.#look();
    else if (this.#given.answer.type === 'allow') this.#after(UNDISTURBED, 'taken');
  }

  hear(method: string, { item, turn }: JsonObject): void {
    if (this.#isQuestion()) return; // nothing that is said of its turn says what was answered
    const isDenial = this.#given.answer.type === 'deny';
    if (method === 'item/completed' && asObject(item)['id'] === this.#given.params['itemId'])
      this.settle((asObject(item)['status'] === 'declined') === isDenial ? 'taken' : 'late');
    // Interrupted before it ran, or while it did: that is not said.
    if (method === 'turn/completed' && asObject(turn)['id'] === this.#given.params['turnId'])
      this.settle(isDenial ? 'late' : 'unconfirmed');
  }

  #isQuestion(): boolean {
    return Array.isArray(this.#given.params['questions']);
  }

  /** Until the rollout has what the model reads as the answer. */
  async #look(): Promise<void> {
    for (; !this.#isSettled; await sleep(LOOKS)) {
      const given = givenTo(await this.#records(), this.#given.params['itemId']);
      if (given === 'other') return this.settle('unconfirmed');
      if (given !== null) return this.settle(isDeepStrictEqual(given, this.#given.result) ? 'taken' : 'late');
    }
  }

  #after(ms: number, how: Handed): void {
    this.#timers.push(setTimeout(() => this.settle(how), ms));
  }
}
