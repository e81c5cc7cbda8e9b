// The contract of a channel: one file under src/channels knows one service's rules.
import type * as z from 'zod';
import type { Outcome } from './delivery.ts';
import type { NotificationContent } from './notification.ts';

/** Where to look a secret up and what the environment offers; passed in by the daemon. */
export interface SendContext {
  readonly signal: AbortSignal;
  /** Unix ms. */
  readonly now: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** The delivery's own data, besides its notification. */
export interface OutgoingMessage {
  /** Stable id, the receiver's means to drop a repeat. */
  readonly id: string;
  readonly content: NotificationContent;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly threadKey: string;
}

/** What `doctor` says of a channel. */
export interface CheckResult {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to do, when not ok. */
  readonly fix?: string;
}

/** A kind of channel. `S`: its settings after validation, secrets resolved to their values. */
export interface Channel<S = unknown, R = unknown> {
  readonly type: string;
  /** The keys below [channels.NAME] besides `type`, `level`, which every channel has. */
  readonly schema: z.ZodType<S>;
  /** Keys of the settings that hold "env:NAME", "file:PATH" or a secret. */
  readonly secrets: readonly string[];
  readonly limits: {
    /** Deliveries under way at once. */
    readonly concurrency: number;
    /** Shortest time between two sends, ms; 0: none. */
    readonly minIntervalMs: number;
    /** A send's own time limit, ms. */
    readonly timeout: number;
  };
  /** True: the receiver drops a repeat by the delivery's id. Otherwise a send of unknown outcome is repeated once at most. */
  readonly idempotent?: boolean;
  /** Pure: the request, message or call that `send` makes; cut to the service's limits by graphemes after escaping. */
  readonly render: (message: OutgoingMessage, settings: S, at: { now: number; platform: NodeJS.Platform }) => R;
  /** Never throws for expected trouble: outcomes are values. */
  readonly send: (rendered: R, message: OutgoingMessage, settings: S, context: SendContext) => Promise<Outcome>;
  /** Checks without sending anything. */
  readonly check: (settings: S, context: SendContext) => Promise<readonly CheckResult[]>;
  /** Settings used when no config file exists; null: takes part only when configured. */
  readonly defaultSettings: S | null;
  /** For the docs table. */
  readonly docs: { readonly summary: string; readonly example: string };
}

/** Declares a channel; the type is checked, nothing else happens. */
export function defineChannel<S, R>(channel: Channel<S, R>): Channel<S, R> {
  return channel;
}
