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
}

/** Remembers inputs for a while, in memory: a question does not outlive this process. */
export function createNotifiedInputs(clock: Clock): NotifiedInputs {
  const seen = new Map<string, { readonly id: string; readonly startedAt: number }>();
  const waiting = new Map<string, Set<() => void>>();

  const find = (digest: string, startedAt: number): string | null => {
    const found = seen.get(digest);
    return found !== undefined && found.startedAt >= startedAt - TOGETHER ? notificationIdOf(found.id) : null;
  };

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
    notificationOf: (digest, startedAt) => {
      const known = find(digest, startedAt);
      if (known !== null) return Promise.resolve(known);
      return new Promise((resolve) => {
        const end = (): void => {
          cancel();
          const looks = waiting.get(digest);
          looks?.delete(end);
          if (looks?.size === 0) waiting.delete(digest);
          resolve(find(digest, startedAt));
        };
        const cancel = clock.setTimer(PATIENCE, end);
        waiting.set(digest, (waiting.get(digest) ?? new Set()).add(end));
      });
    },
  };
}
