// One line an event, as `events` lists and follows them.
import { eventTitle } from '../daemon/event-title.ts';
import { clockTime, shortTime } from '../model/clock-time.ts';
import type { Event } from '../model/event.ts';
import type { Verdict } from '../model/verdict.ts';
import type { StoredEvent } from '../store/contract.ts';
import type { Io } from './io.ts';
import type { Cell, ListColumn, Tone } from './table-output.ts';

/** The title says project and agent too, so their columns go first. */
export const EVENT_COLUMNS: readonly ListColumn[] = [
  { name: 'TIME', rank: 0 },
  { name: 'ID', rank: 1 },
  { name: 'KIND', rank: 2 },
  { name: 'DETAIL', rank: 5 },
  { name: 'AGENT', rank: 7 },
  { name: 'PROJECT', rank: 6 },
  { name: 'SENT TO', rank: 3 },
  { name: 'WHAT', rank: 0, lines: 2 },
];

/** The cells of {@link EVENT_COLUMNS}. `now`: Unix ms. */
export function eventRow(
  { event, verdicts }: StoredEvent,
  short: (id: string) => string,
  io: Pick<Io, 'tty'>,
  now: number,
): Cell[] {
  const tone: Tone = event.abnormal || event.urgency === 'urgent' ? 'bad' : event.urgency === 'low' ? 'dim' : 'plain';
  const sent = verdicts.findLast((verdict) => verdict.verdict === 'route');
  return [
    { text: io.tty ? shortTime(event.at, now) : clockTime(event.at), tone: 'dim' },
    io.tty ? short(event.id) : event.id,
    { text: event.kind, tone },
    event.detail ?? event.reason ?? '',
    event.agent,
    event.project ?? '',
    { text: sentTo(verdicts), tone: sent ? 'good' : 'dim' },
    whatOf(event),
  ];
}

/** Names of channels, or why nobody was notified. */
function sentTo(verdicts: readonly Verdict[]): string {
  const last = verdicts.findLast(({ verdict }) => verdict === 'route' || verdict === 'stop');
  if (last === undefined) return 'not sent';
  if (last.verdict === 'stop') return last.note.startsWith('not sent') ? last.note : `not sent: ${last.note}`;
  return last.note.split(':', 1)[0] ?? ''; // "desk, team: route 1"
}

/** The title as people saw it, and what the client said beside it. */
function whatOf(event: Event): string {
  const { message, presetText } = event;
  const title = eventTitle(event);
  return message === null || message === '' || presetText !== null ? title : `${title} · ${message}`;
}
