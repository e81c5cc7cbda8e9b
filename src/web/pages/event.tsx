// One event: why it went where it did, each message with its attempts, and what came in.
import type { ApiResult, StreamRows } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { useLive } from '../api/live.ts';
import { now } from '../lib/clock.ts';
import { kindWords } from '../lib/kinds.ts';
import { agentName } from '../lib/names.ts';
import { shownText } from '../lib/shown-text.ts';
import { deliveryState } from '../lib/terms.ts';
import { AttemptList } from '../parts/events/attempt-list.tsx';
import { EmptyState } from '../parts/reading/empty-state.tsx';
import { ExplainEvent } from '../parts/rules/explain-event.tsx';
import { FieldList } from '../parts/field-list.tsx';
import { ReplayButton } from '../parts/events/replay-button.tsx';
import { Shown } from '../parts/reading/read-state.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { ClockTime } from '../parts/clock-time.tsx';
import { WhyList } from '../parts/events/why-list.tsx';

type Whole = ApiResult<'events.get'>;

export function EventPage({ id }: { readonly id: string }) {
  const isOfIt = ({ events, deliveries, waiting }: NonNullable<StreamRows>): boolean =>
    events.some((event) => event.id === id) ||
    deliveries.some(({ event_id }) => event_id === id) ||
    (waiting?.notifications.some(({ event_ids }) => event_ids.includes(id)) ?? false);
  const live = useLive(`event ${id}`, isOfIt, (signal) => call('events.get', { id }, signal));
  return (
    <>
      <p class="trail">
        <a href="/events">Events</a>
      </p>
      <Shown of={live}>{(whole) => <TimeLine whole={whole} />}</Shown>
    </>
  );
}

function TimeLine({ whole: { event, notifications, deliveries } }: { readonly whole: Whole }) {
  return (
    <article>
      <h1>{event.title}</h1>
      <p class="meta lead">
        <ClockTime at={event.at} />
        <span>{[agentName(event.agent), kindWords(event.kind), event.urgency].join(' · ')}</span>
        {event.session_id === null ? null : (
          <a href={`/sessions/${encodeURIComponent(event.session_id)}`}>Open session</a>
        )}
      </p>
      <section aria-labelledby="why">
        <h2 id="why">Why</h2>
        <WhyList id={event.id} />
      </section>
      <section aria-labelledby="sent">
        <h2 id="sent">Where it went</h2>
        {deliveries.length === 0 ? <EmptyState title="It was sent to nobody" /> : null}
        {deliveries.map((delivery) => (
          <DeliveryBlock key={delivery.id} delivery={delivery} />
        ))}
      </section>
      {notifications.length === 0 ? null : (
        <section aria-labelledby="became">
          <h2 id="became">What became of it</h2>
          <ul class="steps">
            {notifications.map((one) => (
              <li key={one.id}>
                <StateBadge state={one.state} />
                <span>
                  {[one.title === event.title ? null : one.title, endOf(one)]
                    .filter((part) => part !== null)
                    .join(': ')}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="explain">
        <h2 id="explain">What would happen now</h2>
        <ExplainEvent id={event.id} />
      </section>
      <section aria-labelledby="input">
        <h2 id="input">What came in</h2>
        <details class="fold">
          <summary>Every field, as it is kept</summary>
          <FieldList fields={event} />
        </details>
      </section>
    </article>
  );
}

const endOf = ({ acknowledged, resolved }: Whole['notifications'][number]): string | null =>
  resolved?.why ?? (acknowledged === null ? null : `acknowledged by ${acknowledged.by} (${acknowledged.via})`);

function DeliveryBlock({ delivery }: { readonly delivery: Whole['deliveries'][number] }) {
  const { id, channel, operation, state, due, attempt_list, held_by, title } = delivery;
  return (
    <div class="card block">
      <div class="row">
        <span class="meta">
          <strong class="title">{shownText(channel)}</strong>
          <StateBadge state={deliveryState(state, Date.parse(due), now.value)} />
          {operation === 'send' ? null : operation}
          {held_by === null ? null : `held by ${held_by}`}
          {state === 'pending' ? (
            <span>
              due <ClockTime at={due} />
            </span>
          ) : null}
        </span>
        {state === 'sent' || state === 'dead' ? <ReplayButton id={id} title={`${title} to ${channel}`} /> : null}
      </div>
      <AttemptList attempts={attempt_list} isSaid={operation === 'send'} />
    </div>
  );
}
