// Which notification a waiting hook's question belongs to: the one opened by the same input, which the notifying hook reported.
import type { Clock } from '../lib/clock.ts';
import { notificationIdOf } from '../model/ids.ts';
import type { IncomingHook } from '../model/incoming.ts';

/** Inputs that are remembered; the oldest go first. */
const MOST = 500;
/** The notifying hook of the same moment is waited for this long, ms. */
const PATIENCE = 750;
/** The two hooks of one event start within this, ms; what is older was an earlier request of the same words. */
const TOGETHER = 1_500;

/** Finds notifications by the digest of the input that opened them. */
export interface NotifiedInputs {
  /** For every input of a notifying hook. */
  note(hook: IncomingHook): void;
  /** Null: no such input came in time. */
  notificationOf(digest: string, startedAt: number): Promise<string | null>;
  /** Calls `found` once, now or when such an input comes; the returned function ends that. */
  whenNoted(digest: string, startedAt: number, found: (notificationId: string) => void): () => void;
}

/** Remembers inputs for a while, in memory: a question does not outlive this process. */
export function createNotifiedInputs(clock: Clock): NotifiedInputs {
  const seen = new Map<string, { readonly id: string; readonly startedAt: number }>();
  const waiting = new Map<string, Set<() => void>>();

  const find = (digest: string, startedAt: number): string | null => {
    const found = seen.get(digest);
    return found !== undefined && found.startedAt >= startedAt - TOGETHER ? notificationIdOf(found.id) : null;
  };

  function whenNoted(digest: string, startedAt: number, found: (id: string) => void): () => void {
    const known = find(digest, startedAt);
    if (known !== null) {
      found(known);
      return () => undefined;
    }
    const look = (): void => {
      const id = find(digest, startedAt);
      if (id === null) return;
      end();
      found(id);
    };
    const end = (): void => {
      const looks = waiting.get(digest);
      looks?.delete(look);
      if (looks?.size === 0) waiting.delete(digest);
    };
    waiting.set(digest, (waiting.get(digest) ?? new Set()).add(look));
    return end;
  }

  return {
    note: ({ digest, entryId, startedAt, parsed: { signal } }) => {
      if (signal !== 'waiting' && signal !== 'finished') return;
      const before = seen.get(digest);
      // Of several reports of one occurrence the first opened it.
      if (before !== undefined && before.startedAt >= startedAt - TOGETHER) return;
      seen.delete(digest);
      seen.set(digest, { id: entryId, startedAt });
      const [oldest] = seen.keys();
      if (seen.size > MOST && oldest !== undefined) seen.delete(oldest);
      for (const look of waiting.get(digest) ?? []) look();
    },
    notificationOf: (digest, startedAt) =>
      new Promise((resolve) => {
        let settle = (id: string | null): void => resolve(id);
        const end = whenNoted(digest, startedAt, (id) => settle(id));
        const cancel = clock.setTimer(PATIENCE, () => settle(null));
        settle = (id) => {
          cancel();
          end();
          resolve(id);
        };
      }),
    whenNoted,
  };
}
