// Sequences on their way to a session's own client, which writes them to its terminal: a channel offers one, and a hook that the client runs takes it.
import type { Clock } from '../../lib/clock.ts';
import type { ClientTerminals } from '../../model/channel/client-terminals.ts';

/** Sessions for which something is offered, or hooks that wait for it, at once; more are turned away. */
const MAX_WAITING = 100;

/** One side that waits for the other. */
interface Waiting<T> {
  readonly settle: (value: T) => void;
}

/** In memory: neither side outlives this process. */
export function createClientTerminals(clock: Pick<Clock, 'setTimer'>): ClientTerminals {
  const offers = new Map<string, Waiting<boolean> & { readonly sequence: string }>();
  const takers = new Map<string, Waiting<string | null>>();

  /** Waits in `among`; `late` is what it resolves with when the time is up, or the signal fires. */
  function wait<T, W extends Waiting<T>>(
    among: Map<string, W>,
    key: string,
    make: (settle: (value: T) => void) => W,
    { late, ms, signal }: { readonly late: T; readonly ms: number; readonly signal: AbortSignal },
  ): Promise<T> {
    if (signal.aborted || (among.size >= MAX_WAITING && !among.has(key))) return Promise.resolve(late);
    among.get(key)?.settle(late);
    return new Promise((resolve) => {
      const own = make((value) => {
        cancel();
        signal.removeEventListener('abort', giveUp);
        if (among.get(key) === own) among.delete(key);
        resolve(value);
      });
      const giveUp = (): void => own.settle(late);
      const cancel = clock.setTimer(ms, giveUp);
      signal.addEventListener('abort', giveUp, { once: true });
      among.set(key, own);
    });
  }

  return {
    offer: async (key, sequence, ms, signal) => {
      const taker = takers.get(key);
      if (taker === undefined)
        return wait(offers, key, (settle) => ({ settle, sequence }), { late: false, ms, signal });
      taker.settle(sequence);
      return true;
    },
    take: async (key, ms, signal) => {
      const offered = offers.get(key);
      if (offered === undefined)
        return wait<string | null, Waiting<string | null>>(takers, key, (settle) => ({ settle }), {
          late: null,
          ms,
          signal,
        });
      offered.settle(true);
      return offered.sequence;
    },
  };
}
