// What a store must do, in roles: whoever needs one of them is given no more. SQLite has all of them, PostgreSQL those of a hub;
// test/contracts/store/ has the suite of each role, which every engine that has it passes.
import type { ChangeFeed } from './roles/changes.ts';
import type { Decisions } from './roles/decisions.ts';
import type { Journal } from './roles/journal.ts';
import type { Machine } from './roles/machine.ts';
import type { Outbox } from './roles/outbox.ts';
import type { Questions } from './roles/questions.ts';
import type { StoreReader } from './roles/reader.ts';
import type { State } from './roles/state.ts';
import type { Timers } from './roles/timers.ts';
import type { Upkeep } from './roles/upkeep.ts';

export type * from './records.ts';
export type { Committed } from './roles/decisions.ts';
export type { StoreReader } from './roles/reader.ts';

/** A list's limit where each one matters. */
export const ALL = Number.MAX_SAFE_INTEGER;
/** Attempts kept of each delivery. */
export const ATTEMPTS_KEPT = 20;
/** Nobody else handles a timer for so long, ms; a handler that takes longer bears that another one does the same. A lease of a process that has ended is over with it. */
export const TIMER_LEASE_MS = 5 * 60_000;
/** Changes are kept so long, ms. */
export const CHANGES_KEPT = 24 * 3_600_000;

/** The roles that every engine has. */
export interface SharedStore extends StoreReader, ChangeFeed, Decisions, Outbox, Timers, Questions, State {}

/** All roles, of an engine that keeps what one machine does. */
export interface Store extends SharedStore, Journal, Machine, Upkeep {
  /** Unix ms, the same for all who share the store. */
  now(): number;
}
