// Outages of the journal, logged, and reported to people past the journal that cannot be written.
import type { Event } from '../../model/event/event.ts';
import { journalFailing } from './journal-failing.ts';
import { createOutageTracker, type OutageTracker } from './journal-outage.ts';
import type { Log } from '../shared/log.ts';

/** Follows the journal. `folder`: the database's, for people; `notify` must not throw. */
export function createReportedOutages(deps: {
  readonly now: () => number;
  readonly log: Log;
  readonly notify: (event: Event) => void;
  readonly folder: string;
}): OutageTracker {
  const { now, log, notify, folder } = deps;
  return createOutageTracker({
    now,
    onOutage: (outage, began) => {
      log('the journal cannot be written', { error: outage.error });
      notify(journalFailing(outage, began, folder));
    },
    onRecovery: ({ since, refused, recovered }) =>
      log('the journal can be written again', { since: new Date(since).toISOString(), refused, recovered }),
  });
}
