// The event that notifies people that the journal cannot be written, so events are not kept.
import type { Event } from '../../model/event/event.ts';
import { internalEvent } from '../../model/event/internal-event.ts';
import { isDiskFull, type Outage } from './journal-outage.ts';

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
