// What is handed to the pipeline once it is in the journal: a parsed hook input, or an event that a source made itself.
import type { Origin } from '../../ipc/envelope.ts';
import type { ParsedHook } from '../agent/agent.ts';
import type { Event } from './event.ts';

/** Whether what comes from this source happened on another machine: its paths and processes are none of this one. */
export const isElsewhere = (source: string): boolean => source === 'http' || source === 'remote';

interface IncomingBase {
  /** Id of the journal entry; becomes the event's id. */
  readonly entryId: string;
  /** socket, spool, http, remote, watch, command, belfry. */
  readonly source: string;
  /** Unix ms when the hook began to read (for others: when it happened): orders a session's events. */
  readonly startedAt: number;
  /** Unix ms when the input was complete: decides what is a repeat. */
  readonly receivedAt: number;
}

/** A hook input that its agent's adapter has parsed. */
export interface IncomingHook extends IncomingBase {
  readonly type: 'hook';
  /** Agent name of the registry. */
  readonly agent: string;
  /** Machine and user of the agent: the daemon's own where the envelope does not say. */
  readonly host: string;
  readonly user: string;
  readonly parsed: ParsedHook;
  readonly origin: Origin;
  /** SHA-256 (hex) of the input's bytes without white space at either end: the same input is the same digest. */
  readonly digest: string;
}

/** An event with a preset text: from a watch, `belfry send`, or Belfry itself. `event.id` is the entry's id. */
export interface IncomingEvent extends IncomingBase {
  readonly type: 'event';
  readonly event: Event;
  /** Id of the occurrence, so that a change seen twice is one event; null: each is its own. */
  readonly occurrence: string | null;
}

export type Incoming = IncomingHook | IncomingEvent;
