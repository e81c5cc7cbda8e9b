// The stage runner: takes what is in the journal through facts, decision, context and words into the outbox.
import type { Clock } from '../lib/clock.ts';
import type { Agent } from '../model/agent.ts';
import type { Config } from '../model/config.ts';
import type { Event } from '../model/event.ts';
import type { Incoming } from '../model/incoming.ts';
import type { Context } from '../model/notification.ts';
import type { SessionRecord } from '../model/session.ts';
import type { Decision, Store } from '../store/contract.ts';

/** Takes secrets out of a text; must not throw for any text. */
export type Redact = (text: string) => string | Promise<string>;

/** What a context reader is asked about. */
export interface ContextQuestion {
  readonly event: Event;
  readonly record: SessionRecord | null;
  /** Last words and prompt of the hook input itself, when it carried them. */
  readonly lastWords: string | null;
  readonly prompt: string | null;
  readonly transcript: string | null;
}

/** All the telling stands on; handed in by the daemon. */
export interface TellingParts {
  readonly store: Store;
  readonly clock: Clock;
  /** The settings in force, asked for each event, so that a changed file takes effect. */
  readonly config: () => Config;
  readonly agents: (name: string) => Agent | undefined;
  /** The user's home, for `~` in routes. */
  readonly home: string;
  readonly host: string;
  /** Git or folder name and branch of a working folder; never throws. */
  readonly place: (cwd: string) => Promise<{ project: string | null; branch: string | null }>;
  /** What is said beyond the input; keeps its own deadline; never throws. */
  readonly context: (question: ContextQuestion) => Promise<Context>;
  readonly redact: Redact;
  /** Undecided journal entries, parsed, in order of `startedAt`; intake's. */
  readonly backlog: (limit: number) => Promise<readonly Incoming[]>;
  /** Deliveries are waiting for these channels. */
  readonly wake: (channels: readonly string[]) => void;
  /** A decision was written: for followers. */
  readonly decided?: (decision: Decision) => void;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** The stage runner at work. */
export interface Telling {
  /** Hands over what was just journaled. When too much is in hand it is left to the journal and comes with the backlog. Never throws. */
  take(incoming: Incoming): void;
  /** Begins with what the journal holds undecided. */
  start(): void;
  /** Resolves when nothing is in hand or behind. */
  idle(): Promise<void>;
  /** Finishes what is in hand and takes no more. */
  stop(): Promise<void>;
}

/** Builds the stage runner. */
export type CreateTelling = (parts: TellingParts) => Telling;
