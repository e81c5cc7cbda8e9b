// One line an event, as `events` lists and follows them.
import { eventTitle, eventWords } from '../daemon/event-title.ts';
import { stripMarkdown } from '../lib/markdown.ts';
import { clockTime, shortTime } from '../model/clock-time.ts';
import type { Event } from '../model/event.ts';
import { outcomeOf } from '../model/event-outcome.ts';
import type { Verdict } from '../model/verdict.ts';
import type { StoredEvent, StoreReader } from '../store/contract.ts';
import type { Io } from './io.ts';
import type { Cell, ListColumn, Tone } from './table-output.ts';

/** The title says project, agent and what kind of event it is, so those columns go first. */
export const EVENT_COLUMNS: readonly ListColumn[] = [
  { name: 'TIME', rank: 0 },
  { name: 'ID', rank: 1 },
  { name: 'KIND', rank: 3 },
  { name: 'DETAIL', rank: 5 },
  { name: 'AGENT', rank: 7 },
  { name: 'PROJECT', rank: 6 },
  { name: 'SENT TO', rank: 2 },
  { name: 'SENT', rank: 0, insteadOf: 'SENT TO' },
  { name: 'TITLE', rank: 0, lines: 2 },
];

/** Channels that an event did not reach, by the event's id: "failed" or "paused". */
export type Undelivered = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Most deliveries that are read for a list. */
const MOST = 1_000;

/** What did not arrive of these events. */
export async function undeliveredOf(store: StoreReader, events: readonly StoredEvent[]): Promise<Undelivered> {
  if (events.length === 0) return new Map();
  const since = Math.min(...events.map(({ event }) => event.at));
  const all = new Map(events.map(({ event }) => [event.id, new Map<string, string>()]));
  for (const { eventId, content, channel, state } of await store.deliveries({
    since,
    states: ['dead', 'paused'],
    limit: MOST,
  }))
    for (const id of new Set([eventId, ...content.events]))
      all.get(id)?.set(channel, state === 'dead' ? 'failed' : 'paused');
  return all;
}

/** The cells of {@link EVENT_COLUMNS}. `now`: Unix ms. */
export function eventRow(
  { event, verdicts }: StoredEvent,
  short: (id: string) => string,
  io: Pick<Io, 'tty'>,
  now: number,
  undelivered: Undelivered = new Map(),
): Cell[] {
  const tone: Tone = event.abnormal || event.urgency === 'urgent' ? 'bad' : event.urgency === 'low' ? 'dim' : 'plain';
  const sent = verdicts.findLast((verdict) => verdict.verdict === 'route');
  const missed = undelivered.get(event.id) ?? new Map<string, string>();
  const reach = { tone: missed.size > 0 ? 'bad' : sent ? 'good' : 'dim' } as const;
  return [
    { text: io.tty ? shortTime(event.at, now) : clockTime(event.at), tone: 'dim' },
    io.tty ? short(event.id) : event.id,
    { text: event.kind, tone },
    event.detail ?? event.reason ?? '',
    event.agent,
    event.project ?? '',
    { text: sentTo(verdicts, missed), ...reach },
    { text: sentWord(outcomeOf(verdicts)?.channels ?? [], missed), ...reach },
    whatOf(event),
  ];
}

/** Names of channels, or why nobody was notified. `missed`: those that it did not reach. */
function sentTo(verdicts: readonly Verdict[], missed: ReadonlyMap<string, string>): string {
  const outcome = outcomeOf(verdicts);
  if (outcome === null) return 'not sent';
  const { channels, note } = outcome;
  if (note !== null) return note.startsWith('not sent') ? note : `not sent: ${note}`;
  return channels.map((name) => (missed.has(name) ? `${name} (${missed.get(name)})` : name)).join(', ');
}

/** Whether these channels were reached, in one word. `missed`: those that were not. */
export function sentWord(channels: readonly string[], missed: ReadonlyMap<string, string>): string {
  if (missed.size === 0) return channels.length > 0 ? 'yes' : 'no';
  return channels.some((name) => !missed.has(name)) ? 'partly' : 'failed';
}

/** The title as people saw it, and what it does not say yet: the command, what the client said. */
function whatOf(event: Event): string {
  const title = eventTitle(event);
  const words = event.presetText === null ? stripMarkdown(eventWords(event)) : '';
  return words === '' ? title : `${title} · ${words}`;
}
