// What one operation is to show on a terminal, and how its outcome is said.
import * as z from 'zod';
import type { ChannelTools, OutgoingMessage } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { closeSequence, type Sequence, showSequence, type TerminalNote } from './sequences.ts';

export interface TerminalSettings {
  readonly bell: boolean;
  readonly sequence: Sequence | 'auto' | 'none';
  readonly tmux: boolean;
  readonly by_client: boolean;
}

export type Failure = Extract<Outcome, { ok: false }>;

const receiptSchema = z.object({
  tmux: z.object({ socket: z.string(), pane: z.string() }).nullable(),
  tty: z.string().nullable(),
  terminal: z.string().nullable(),
  sequence: z.enum(['osc9', 'osc777', 'osc99']).nullable(),
  /** Unix ms. */
  at: z.number(),
});
/** Where it was shown, and how. */
export type TerminalReceipt = z.output<typeof receiptSchema>;

/** A receipt as it came back from the store; null: none that was ever given. */
export const readReceipt = (receipt: unknown): TerminalReceipt | null => receiptSchema.safeParse(receipt).data ?? null;

/** What is to be seen afterwards. */
export interface Shown {
  /** False: nothing of it any more. */
  readonly open: boolean;
  readonly bell: boolean;
  /** Where and how it is shown already; null: nowhere. */
  readonly before: TerminalReceipt | null;
}

/** One operation at one place: a device, or a pane. */
export interface OperationAt<P> {
  readonly message: OutgoingMessage;
  readonly note: TerminalNote;
  readonly shown: Shown;
  readonly settings: TerminalSettings;
  readonly tools: ChannelTools;
  readonly place: P;
  readonly signal: AbortSignal;
  /** Ms. */
  readonly limit: number;
}

export const NOTHING: Failure = {
  ok: false,
  reason: 'client',
  error: 'nothing can be shown in this terminal with these settings',
};

/** What shows it, or takes it away; empty: nothing does. */
export function bytesOf(sequence: Sequence | null, note: TerminalNote, open: boolean): string {
  if (sequence === null) return '';
  return open ? showSequence(sequence, note) : closeSequence(sequence, note);
}

/** For `belfry why`. */
export function wordsOf(open: boolean, what: readonly (string | false | null)[], where: string): string {
  const parts = what.filter((part) => typeof part === 'string').join(', ');
  return open ? `${parts} on ${where}` : `taken away on ${where}`;
}
