// The first message of each session, which the later ones are replies to: remembered while the channel is open, and by the receipts of what was sent before.
import * as z from 'zod';
import type { OutgoingMessage } from '../../model/channel/channel.ts';

/** Where a message is; `thread`: the message it is a reply to, null: none. */
export const receiptSchema = z.object({
  channel: z.string().regex(/^[A-Z0-9]{2,40}$/),
  ts: z.string().regex(/^\d{1,20}\.\d{1,10}$/),
  thread: z
    .string()
    .regex(/^\d{1,20}\.\d{1,10}$/)
    .nullable(),
});
export type SlackReceipt = z.output<typeof receiptSchema>;

/** Threads of one channel. */
export interface Threads {
  /** The first message's ts; null: there is none there. */
  of(message: OutgoingMessage, channel: string): string | null;
  readonly remember: (threadKey: string, root: string) => void;
  /** Nothing can be added to it: the next message begins another. */
  readonly forget: (threadKey: string) => void;
}

const MAX_THREADS = 1_000;

/** None yet. */
export function createThreads(): Threads {
  /** Null: forgotten, so an earlier receipt does not count either. */
  const known = new Map<string, string | null>();
  const put = (threadKey: string, root: string | null): void => {
    known.delete(threadKey);
    known.set(threadKey, root);
    const [oldest] = known.keys();
    if (known.size > MAX_THREADS && oldest !== undefined) known.delete(oldest);
  };
  return {
    of: ({ threadKey, threadReceipt }, channel) => {
      const root = known.get(threadKey);
      if (root !== undefined) return root;
      const before = receiptSchema.safeParse(threadReceipt).data;
      return before?.channel === channel ? (before.thread ?? before.ts) : null;
    },
    remember: put,
    forget: (threadKey) => put(threadKey, null),
  };
}
