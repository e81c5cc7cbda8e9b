// Events: the list, and one with all that was decided about it.
import type { ApiCall, ApiResult } from '../../../http/api/contract.ts';
import { Refusal } from '../../../http/api/refusal.ts';
import { outcomeOf } from '../../../model/event/event-outcome.ts';
import { attemptJson, eventJson, iso } from '../../../model/row-json.ts';
import type { Verdict } from '../../../model/event/verdict.ts';
import type { EventFilter, StoredEvent } from '../../../store/contract.ts';
import { titleOf } from '../../../pipeline/index.ts';
import { readWhy } from '../../processing/why.ts';
import type { ReadContext } from './context.ts';
import { deliveryRow } from './deliveries.ts';
import { notificationRows } from './notifications.ts';

type Summary = ApiResult<'events.list'>['events'][number];

export async function listEvents(
  { store, displayName }: ReadContext,
  { query }: ApiCall<'events.list'>,
): Promise<ApiResult<'events.list'>> {
  const { limit } = query;
  const found = [...(await store.events({ ...filterOf(query), limit: limit + 1 }))].reverse();
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    events: summaries(page, displayName),
    cursor: found.length > limit && last ? `${last.event.at}.${last.row}` : null,
  };
}

function filterOf(query: ApiCall<'events.list'>['query']): EventFilter {
  const { kind, urgency, agent, session, since, until, failed, q, cursor } = query;
  return {
    ...(kind === undefined ? {} : { kinds: kind }),
    ...(urgency === undefined ? {} : { urgencies: urgency }),
    ...(agent === undefined ? {} : { agents: agent }),
    ...(session === undefined ? {} : { session }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(failed ? { failed } : {}),
    ...(q === undefined ? {} : { text: q }),
    ...(cursor === undefined ? {} : { before: placeOf(cursor) }),
  };
}

function placeOf(cursor: string): { readonly at: number; readonly row: number } {
  const [, at, row] = /^(-?\d{1,16})\.(\d{1,16})$/.exec(cursor) ?? [];
  if (at === undefined || row === undefined) throw new Refusal(400, 'the cursor is none of this list');
  return { at: Number(at), row: Number(row) };
}

/** As lists show them. */
export function summaries(events: readonly StoredEvent[], displayName: ReadContext['displayName']): Summary[] {
  return events.map(({ event, verdicts }) => ({
    id: event.id,
    at: eventJson({ event }).at,
    kind: event.kind,
    detail: event.detail ?? event.reason,
    urgency: event.urgency,
    abnormal: event.abnormal,
    agent: event.agent,
    host: event.host,
    session_id: event.sessionId,
    project: event.project,
    branch: event.branch,
    cwd: event.cwd,
    title: titleOf(event, displayName(event.agent)),
    outcome: shownOutcome(verdicts),
  }));
}

function shownOutcome(verdicts: readonly Verdict[]): Summary['outcome'] {
  const { channels, note } = outcomeOf(verdicts) ?? { channels: [], note: null };
  return { notified: [...channels], note };
}

export async function getEvent(
  context: ReadContext,
  { params }: ApiCall<'events.get'>,
): Promise<ApiResult<'events.get'>> {
  const { store, displayName } = context;
  const stored = await store.event(params.id);
  if (stored === null) throw new Refusal(404, 'there is no event of this id');
  const deliveries = await store.deliveries({ covers: stored.event.id });
  const ids = [...new Set(deliveries.map(({ notificationId }) => notificationId))];
  const notifications = (await Promise.all(ids.map((id) => store.notification(id)))).filter((one) => one !== null);
  return {
    event: { ...eventJson(stored), title: titleOf(stored.event, displayName(stored.event.agent)) },
    verdicts: stored.verdicts.map((verdict) => ({ ...verdict })),
    notifications: await notificationRows(context, notifications),
    deliveries: await Promise.all(
      deliveries.map(async (delivery) => ({
        ...deliveryRow(delivery),
        attempt_list: (await store.attempts(delivery.id)).map(attemptJson),
      })),
    ),
  };
}

/** The id may be a notification's: of several events the first counts. */
export async function getWhy(
  { store, displayName, rules, now }: ReadContext,
  { params }: ApiCall<'events.why'>,
): Promise<ApiResult<'events.why'>> {
  const [first = params.id] = (await store.notification(params.id))?.eventIds ?? [];
  const stored = await store.event(first);
  if (stored === null) throw new Refusal(404, 'there is no event or notification of this id');
  const who = displayName(stored.event.agent);
  const rows = await readWhy(stored, store, rules, { who, now });
  return { event_id: stored.event.id, rows: rows.map((row) => ({ ...row, at: iso(row.at) })) };
}
