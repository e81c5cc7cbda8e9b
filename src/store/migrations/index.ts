// Every version of the schema, in order: the statements that lead to it from the one before.
import { first } from './001-first.ts';
import { sessionEvents } from './002-session-events.ts';
import { retryCounters } from './003-retry-counters.ts';
import type { Database } from '../sqlite/engine/database.ts';
import { deliveryCounts } from './004-delivery-counts.ts';
import { notifications } from './005-notifications.ts';
import { held } from './006-held.ts';
import { covers } from './007-covers.ts';
import { parents } from './008-parents.ts';
import { indexes } from './009-indexes.ts';
import { turns } from './010-turns.ts';
import { heldOpen } from './011-held-open.ts';
import { batches } from './012-batches.ts';
import { versions } from './013-versions.ts';

/** Statements, or what statements alone cannot do; run in one transaction. */
export type Migration = string | ((db: Database) => void);

/** Entry 0 makes version 1. Never edited once released; a change is a new entry. */
export const MIGRATIONS: readonly Migration[] = [
  first,
  sessionEvents,
  retryCounters,
  deliveryCounts,
  notifications,
  held,
  covers,
  parents,
  indexes,
  turns,
  heldOpen,
  batches,
  versions,
];
