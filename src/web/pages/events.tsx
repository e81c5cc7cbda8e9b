// Events: the journal with filters and search, the latest first.
import type { ApiInput } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { usePages } from '../api/pages.ts';
import { KIND_OPTIONS } from '../lib/kinds.ts';
import { place } from '../lib/place.ts';
import { ChoiceFilter } from '../parts/choice-filter.tsx';
import { EmptyState } from '../parts/reading/empty-state.tsx';
import { EventRow, type EventSummary } from '../parts/events/event-row.tsx';
import { LongList } from '../parts/long-list.tsx';
import { SearchField } from '../parts/search-field.tsx';

const URGENCIES = [
  ['', 'Any urgency'],
  ['urgent', 'Urgent'],
  ['normal', 'Normal'],
  ['low', 'Low'],
] as const;
const RESULTS = [
  ['', 'Any result'],
  ['true', 'Delivery failed'],
] as const;

const NAMES = ['q', 'kind', 'urgency', 'session', 'agent', 'failed'] as const;

export function EventsPage() {
  const { query } = place.value;
  const asked = NAMES.flatMap((name) => {
    const value = query.get(name) ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  // What the address names is checked by the server.
  const filter = Object.fromEntries(asked) as ApiInput<'events.list'>;
  const pages = usePages(`events ${JSON.stringify(asked)}`, {
    read: async (cursor, signal) => {
      const page = await call('events.list', { ...filter, ...(cursor === null ? {} : { cursor }) }, signal);
      return { rows: page.events, cursor: page.cursor };
    },
    pick: ({ events }) => events,
    matches: (event) => matches(event, new Map(asked)),
  });
  return (
    <>
      <h1>Events</h1>
      <search class="head">
        <SearchField label="Search events" />
        <ChoiceFilter name="kind" label="Kind" options={KIND_OPTIONS} />
        <ChoiceFilter name="urgency" label="Urgency" options={URGENCIES} />
        <ChoiceFilter name="failed" label="Result" options={RESULTS} />
      </search>
      <LongList
        label="Events"
        of={pages}
        row={(event) => <EventRow event={event} />}
        empty={
          asked.length > 0 ? (
            <EmptyState title="No event matches" />
          ) : (
            <EmptyState title="No events yet">Every hook of an agent becomes an event here.</EmptyState>
          )
        }
      />
    </>
  );
}

/** Null: only the interface searches in the whole event, and knows what became of its deliveries. */
function matches(event: EventSummary, asked: ReadonlyMap<string, string>): boolean | null {
  if (asked.has('q') || asked.has('failed')) return null;
  const has = (name: string, value: string | null): boolean =>
    asked
      .get(name)
      ?.split(',')
      .includes(value ?? '') ?? true;
  return (
    has('kind', event.kind) &&
    has('urgency', event.urgency) &&
    has('agent', event.agent) &&
    has('session', event.session_id)
  );
}
