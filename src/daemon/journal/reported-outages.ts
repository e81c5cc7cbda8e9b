// Outages of the journal, logged, and reported to people past the journal that cannot be written.
import type { Event } from '../../model/event/event.ts';
import { isDiskFull } from '../../lib/files/disk-full.ts';
import { createOutageTracker, type OutageTracker, type Outage } from './journal-outage.ts';
import type { Log } from '../shared/log.ts';
import { internalEvent } from '../../model/event/internal-event.ts';

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

/** One event an outage: its id is made of the time it began. `folder`: where the journal lies. */
export function journalFailing({ error }: Outage, began: number, folder: string): Event {
  const full = isDiskFull(error);
  const fix = full ? `Free some space on the disk of ${folder}.` : `Make ${folder} writable.`;
  return internalEvent({
    id: `journal-failing-${began}`,
    kind: 'journal.failing',
    at: began,
    abnormal: true,
    urgency: 'urgent',
    detail: full ? 'disk-full' : null,
    presetText: {
      title: full ? 'belfry: the disk is full' : 'belfry: cannot write the event journal',
      body: `${fix} The event journal cannot be written (${error}). Until then new events are not delivered; those that cannot be spooled are lost. \`belfry status\` counts them.`,
    },
  });
}
