// The event that notifies people of an input that could not be decided, so that its content reached nobody.
import { internalEvent } from '../model/event/internal-event.ts';
import type { JournalEntry } from '../store/contract.ts';
import type { InternalEvent } from './entry.ts';

/** Source of Belfry's own events. */
export const OWN_SOURCE = 'belfry';

/** One alarm an entry: its id is made of the entry's. */
export function undecidable(entry: Pick<JournalEntry, 'id'>, why: string, now: number): InternalEvent {
  const event = internalEvent({
    id: `undecidable-${entry.id}`,
    kind: 'journal.failing',
    at: now,
    abnormal: true,
    urgency: 'urgent',
    detail: 'undecidable',
    message: why,
    presetText: {
      title: 'belfry: an event could not be processed',
      body: `It was received, but handling it failed every time (${why}). Its input is kept in the quarantine; \`belfry doctor\` says where. Please report this error.`,
    },
    attributes: { entry: entry.id },
  });
  return { event, source: OWN_SOURCE, occurrence: event.id };
}
