// Ids that servers gave to notifications, so that a session's next one replaces its last, and that only what is still shown is taken away.
// An id means nothing to another run of a server: there it may be another program's.
import * as z from 'zod';

/** What was shown last under an id; `server` names one run of a server. */
interface Entry {
  readonly server: string;
  readonly id: number;
  readonly notificationId: string;
}

const receiptSchema = z.object({ id: z.int().positive(), server: z.string() });
/** What `send` returns: where its notification is. */
export type DesktopReceipt = z.output<typeof receiptSchema>;

/** A receipt as it came back from the store; null: none that was ever given. */
export function readReceipt(receipt: unknown): DesktopReceipt | null {
  return receiptSchema.safeParse(receipt).data ?? null;
}

export interface ShownNotifications {
  remember(threadKey: string, shown: Entry): void;
  forget(threadKey: string): void;
  /** The id that the session's next notification replaces; 0: none of this run of the server. */
  idToReplace(server: string, threadKey: string): number;
  /** Whether a later notification of the session stands in its place. */
  isReplaced(threadKey: string, receipt: DesktopReceipt, notificationId: string): boolean;
}

const MOST_REMEMBERED = 500;

/** Nothing is shown yet. */
export function createShown(): ShownNotifications {
  const shown = new Map<string, Entry>();
  return {
    remember: (threadKey, entry) => {
      shown.delete(threadKey);
      if (entry.id > 0) shown.set(threadKey, entry);
      const [oldest] = shown.keys();
      if (shown.size > MOST_REMEMBERED && oldest !== undefined) shown.delete(oldest);
    },
    forget: (threadKey) => void shown.delete(threadKey),
    idToReplace: (server, threadKey) => {
      const last = shown.get(threadKey);
      return last?.server === server ? last.id : 0;
    },
    isReplaced: (threadKey, { server }, notificationId) => {
      const last = shown.get(threadKey);
      return last?.server === server && last.notificationId !== notificationId;
    },
  };
}
