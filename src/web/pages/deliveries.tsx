// Deliveries: the outbox, with what was given up to be sent again.
import type { ApiInput, ApiResult } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { usePages } from '../api/pages.ts';
import { now } from '../lib/clock.ts';
import { place } from '../lib/place.ts';
import { counted, deliveryState, stateWords } from '../lib/terms.ts';
import { plannedTitle } from '../../model/delivery/planned-title.ts';
import { ChoiceFilter } from '../parts/choice-filter.tsx';
import { shownText } from '../lib/shown-text.ts';
import { EmptyState } from '../parts/reading/empty-state.tsx';
import { LongList } from '../parts/long-list.tsx';
import { ReplayButton } from '../parts/events/replay-button.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { ClockTime } from '../parts/clock-time.tsx';

type Delivery = ApiResult<'deliveries.list'>['deliveries'][number];

const STATES: readonly (readonly [string, string])[] = [
  ['', 'All states'],
  ...['dead', 'paused', 'pending', 'sent', 'cancelled', 'superseded'].map(
    (state) => [state, stateWords(state)] as const,
  ),
];

export function DeliveriesPage() {
  const { query } = place.value;
  const state = query.get('state') ?? '';
  const channel = query.get('channel') ?? '';
  // What the address names is checked by the server.
  const filter = {
    ...(state === '' ? {} : { state }),
    ...(channel === '' ? {} : { channel }),
  } as ApiInput<'deliveries.list'>;
  const pages = usePages(`deliveries ${state} ${channel}`, {
    read: async (cursor, signal) => {
      const page = await call('deliveries.list', { ...filter, ...(cursor === null ? {} : { cursor }) }, signal);
      return { rows: page.deliveries, cursor: page.cursor };
    },
    pick: ({ deliveries }) => deliveries,
    matches: (row) => (state === '' || row.state === state) && (channel === '' || row.channel === channel),
  });
  return (
    <>
      <h1>Deliveries</h1>
      <search class="head">
        <ChoiceFilter name="state" label="State" options={STATES} />
        {channel === '' ? null : (
          <span class="meta">
            of {shownText(channel)} <a href="/deliveries">all channels</a>
          </span>
        )}
      </search>
      <LongList
        label="Deliveries"
        of={pages}
        row={(delivery) => <DeliveryRow delivery={delivery} />}
        empty={<EmptyState title={state === 'dead' ? 'Nothing was given up' : 'No deliveries'} />}
      />
    </>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { id, event_id, channel, state, attempts, last_error, last_reason, updated_at } = delivery;
  const due = Date.parse(delivery.due);
  const title = plannedTitle({ title: delivery.title, state, due, updatedAt: Date.parse(updated_at) }, now.value);
  const isPlanned = state === 'pending' || state === 'paused';
  const trouble = state === 'sent' ? null : (last_error ?? last_reason);
  return (
    <div class="line">
      <span class="state">
        <StateBadge state={deliveryState(state, due, now.value)} />
      </span>
      <a class="main" href={`/events/${encodeURIComponent(event_id)}`} data-item>
        <strong>{shownText(title)}</strong>
        <span class="sub">
          {[channel, attempts === 0 ? null : counted(attempts, 'attempt'), trouble]
            .filter((part) => part !== null)
            .map(shownText)
            .join(' · ')}
        </span>
      </a>
      <span class="sub when">
        {isPlanned && due > now.value ? 'due ' : ''}
        <ClockTime at={isPlanned && due > now.value ? delivery.due : updated_at} />
      </span>
      {state === 'dead' ? <ReplayButton id={id} title={title} /> : null}
    </div>
  );
}
