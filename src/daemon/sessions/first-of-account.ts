// Of the sessions that one limit stopped, one goes on first: it shows whether there is room, and the others follow.
import { type SessionKey, sessionKeyText } from '../../model/ids.ts';
import { accountOf, type StoppedSession } from '../../model/session/stopped.ts';

/** Ms that the first session of an account goes on before the others follow. */
const PROOF = 60_000;

interface First {
  readonly session: string;
  /** Unix ms from which the others follow. */
  readonly until: number;
}

/** In memory: after a restart another one goes first. */
export class FirstOfAccount {
  readonly #first = new Map<string, First>();

  /** Which session it has to wait for, and until when (Unix ms); null: for none, and if it is the first that asks, the others wait for it from now on. */
  before(stopped: StoppedSession, now: number): First | null {
    if (stopped.limit === null) return null;
    const [account, session] = [accountOf(stopped), sessionKeyText(stopped.record)];
    const first = this.#first.get(account);
    if (first === undefined) this.#first.set(account, { session, until: now + PROOF });
    return first !== undefined && first.session !== session && first.until > now ? first : null;
  }

  /** It has finished a turn: there is room, and nobody has to wait for it. */
  finished(session: SessionKey): void {
    const key = sessionKeyText(session);
    for (const [account, first] of this.#first)
      if (first.session === key) this.#first.set(account, { ...first, until: 0 });
  }

  /** Its limit was reached again: after the next reset somebody goes first again. */
  reached(stopped: StoppedSession): void {
    this.#first.delete(accountOf(stopped));
  }
}
