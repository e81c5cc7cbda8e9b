// A session's timeline: prompts, what it asked and for how long it waited, who was notified where, who answered and where.
import type { ApiCall, ApiResult } from '../../../http/api/contract.ts';
import { oneLine, truncate } from '../../../lib/text/text.ts';
import type { Delivery } from '../../../model/delivery/delivery.ts';
import { type Event, isPrompt } from '../../../model/event/event.ts';
import { sessionKeyText } from '../../../model/ids.ts';
import { NOT_OVER, type Notification } from '../../../model/notification/notification.ts';
import { resolutionOf } from '../../../model/notification/resolution.ts';
import { formatElapsed } from '../../../model/quantities.ts';
import { iso } from '../../../model/row-json.ts';
import type { SessionRecord } from '../../../model/session/session.ts';
import { midnight } from '../../../model/time/clock-time.ts';
import { coveredMs, type Span } from '../../../model/time/covered-time.ts';
import { titleOf } from '../../../pipeline/index.ts';
import type { StoreReader } from '../../../store/contract.ts';
import type { ReadContext } from './context.ts';
import { sessionNamed } from './sessions.ts';

type Timeline = ApiResult<'sessions.timeline'>;

interface Row extends Omit<Timeline['rows'][number], 'at' | 'until'> {
  readonly at: number;
  readonly until: number | null;
}

/** Latest events and notifications that are looked at, and messages of one notification. */
const MOST = { events: 1_000, notifications: 200, sends: 100 } as const;
/** Longest prompt, in graphemes. */
const MAX_TEXT = 300;

/** What a session asked, with how it ended. `until`, Unix ms: null, it still waits; undefined: nobody knows. */
interface Wait {
  readonly event: Event;
  readonly until: number | null | undefined;
}

/** An acknowledgement that answers nothing leaves it waiting. */
function endOf({ state, acknowledged, resolved }: Notification): number | null | undefined {
  if (acknowledged?.answered === true) return acknowledged.at;
  if (resolved !== null) return resolved.at;
  return NOT_OVER.some((open) => open === state) ? null : undefined;
}

/** By the id of the first event; a batch is none of its members'. */
const byEvent = (notifications: readonly Notification[]): ReadonlyMap<string, Notification> =>
  new Map(notifications.flatMap((one) => (one.group === undefined ? [[one.eventIds[0] ?? '', one] as const] : [])));

function eventRow({ event, until }: Wait, who: string, now: number): Row {
  const row = { at: event.at, until: until ?? null, channel: null, event_id: event.id };
  const { prompt } = event.attributes;
  if (event.detail === 'prompted') {
    const said = typeof prompt === 'string' ? oneLine(prompt) : '';
    return { ...row, what: 'prompt', text: said === '' ? 'Work was given.' : truncate(said, MAX_TEXT) };
  }
  const title = oneLine(titleOf(event, who));
  if (!isPrompt(event)) return { ...row, what: 'event', text: title };
  if (until === undefined) return { ...row, what: 'wait', text: title };
  const length = formatElapsed(((until ?? now) - event.at) / 1_000) ?? 'less than 1 s';
  return { ...row, what: 'wait', text: `${title}: ${until === null ? `has waited ${length}` : `waited ${length}`}` };
}

/** Messages that went out about a notification, also with others in one. */
function sentRow({ channel, updatedAt, step, content: { count, title }, eventId }: Delivery): Row {
  const others = count > 1 ? `, with ${count - 1} more` : '';
  const text = `${step > 0 ? 'Sent again' : 'Sent'} to ${oneLine(channel)}${others}: ${oneLine(title)}`;
  return { at: updatedAt, until: null, channel, what: 'sent', event_id: eventId, text };
}

function endRow(one: Notification): readonly Row[] {
  const over = resolutionOf(one);
  if (over === null || one.group !== undefined) return [];
  const what = one.acknowledged?.answered === true ? 'answer' : 'end';
  const why = one.acknowledged?.answered === true ? resolutionOf({ ...one, resolved: null }) : over;
  const [event_id = ''] = one.eventIds;
  const { at, why: text } = why ?? over;
  return [{ at, until: null, channel: null, what, event_id, text: `${oneLine(one.title)}: ${oneLine(text)}` }];
}

async function sendsOf(notifications: readonly Notification[], ids: ReadonlySet<string>, store: StoreReader) {
  const all = new Set(notifications.flatMap(({ id, inGroup }) => (inGroup === undefined ? [id] : [id, inGroup])));
  const of = { states: ['sent'], operations: ['send'], limit: MOST.sends } as const;
  const sends = await Promise.all([...all].map((notificationId) => store.deliveries({ ...of, notificationId })));
  return sends.flat().filter(({ content }) => content.events.some((id) => ids.has(id)));
}

/** Tools it asked for, the most asked first; those that ran without asking leave no event. */
function toolsOf(events: readonly Event[]): Timeline['tools'] {
  const counts = new Map<string, number>();
  for (const event of events) {
    const tool = isPrompt(event) ? (event.attributes['tool'] as { readonly name?: unknown } | null | undefined) : null;
    if (typeof tool?.name === 'string') counts.set(tool.name, (counts.get(tool.name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([name, count]) => ({ name: oneLine(name), count }));
}

function waitedToday(waits: readonly Wait[], now: number): Timeline['waited_today'] {
  const spans = waits.flatMap(({ event, until }): readonly Span[] =>
    until === undefined || !isPrompt(event) ? [] : [[event.at, until ?? now]],
  );
  const seconds = Math.round(coveredMs(spans, midnight(new Date(now)), now) / 1_000);
  const length = formatElapsed(seconds);
  return { seconds, text: length === null ? 'Has not waited for you today.' : `${length} waited for you today.` };
}

const isOf =
  ({ host, user, agent }: SessionRecord) =>
  (event: Event): boolean =>
    event.host === host && event.user === user && event.agent === agent;

/** Its latest events from `since` on (today's where nothing is said), with what became of each. */
export async function getTimeline(
  { store, now, displayName }: ReadContext,
  { params, query }: ApiCall<'sessions.timeline'>,
): Promise<Timeline> {
  const record = await sessionNamed(store, params.key);
  const today = midnight(new Date(now));
  const since = query.since ?? today;
  const [stored, notifications] = await Promise.all([
    store.events({ session: record.sessionId, since: Math.min(since, today), limit: MOST.events }),
    store.notifications({ threadKey: sessionKeyText(record), limit: MOST.notifications }),
  ]);
  const known = byEvent(notifications);
  const all = stored.map(({ event }) => event).filter(isOf(record));
  const waits = all.map((event): Wait => {
    const notification = known.get(event.id);
    return { event, until: isPrompt(event) && notification !== undefined ? endOf(notification) : undefined };
  });
  const shown = waits.filter(({ event }) => event.at >= since);
  const ids = new Set(shown.map(({ event }) => event.id));
  const about = notifications.filter(({ eventIds }) => eventIds.some((id) => ids.has(id)));
  const rows = [
    ...shown.map((wait) => eventRow(wait, displayName(wait.event.agent), now)),
    ...(await sendsOf(about, ids, store)).map(sentRow),
    ...about.flatMap(endRow),
  ].sort((a, b) => a.at - b.at);
  return {
    since: new Date(since).toISOString(),
    cut: stored.length >= MOST.events || notifications.length >= MOST.notifications,
    waited_today: waitedToday(waits, now),
    prompts: shown.filter(({ event }) => event.detail === 'prompted').length,
    tools: toolsOf(shown.map(({ event }) => event)),
    rows: rows.map((row) => ({ ...row, at: new Date(row.at).toISOString(), until: iso(row.until) })),
  };
}
