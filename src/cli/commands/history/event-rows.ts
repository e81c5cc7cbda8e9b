// One line an event, as `events` lists and follows them.
import { eventTitle, eventWords } from '../../../decisions/event-title.ts';
import { stripMarkdown } from '../../../lib/text/markdown.ts';
import { clockTime, shortTime } from '../../../model/time/clock-time.ts';
import type { Event } from '../../../model/event/event.ts';
import { outcomeOf } from '../../../model/event/event-outcome.ts';
import type { Verdict } from '../../../model/event/verdict.ts';
import type { StoredEvent, StoreReader } from '../../../store/contract.ts';
import type { Io } from '../../io.ts';
import { type Reach, reachOf, sentWord } from '../../reading/delivery-reach.ts';
import type { Cell, ListColumn, Tone } from '../../output/table-output.ts';

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

const SENT_TONES = { yes: 'good', partly: 'bad', waiting: 'plain', failed: 'bad', no: 'dim' } as const;

/** How far each of these events got, by its id. */
export async function reachesOf(
  store: StoreReader,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<string, Reach>> {
  return new Map(await Promise.all(events.map(async ({ event: { id } }) => [id, await reachOf(store, id)] as const)));
}

/** The cells of {@link EVENT_COLUMNS}. `now`: Unix ms. */
export function eventRow(
  { event, verdicts }: StoredEvent,
  short: (id: string) => string,
  io: Pick<Io, 'tty'>,
  now: number,
  reach: Reach = new Map(),
): Cell[] {
  const tone: Tone = event.abnormal || event.urgency === 'urgent' ? 'bad' : event.urgency === 'low' ? 'dim' : 'plain';
  const isStopped = (outcomeOf(verdicts)?.note ?? null) !== null;
  const sent = isStopped ? 'no' : sentWord(reach);
  const style = { tone: SENT_TONES[sent] };
  return [
    { text: io.tty ? shortTime(event.at, now) : clockTime(event.at), tone: 'dim' },
    io.tty ? short(event.id) : event.id,
    { text: event.kind, tone },
    event.detail ?? event.reason ?? '',
    event.agent,
    event.project ?? '',
    { text: sentTo(verdicts, reach), ...style },
    { text: sent, ...style },
    whatOf(event),
  ];
}

/** Said behind a channel. none: what was planned there was taken back, or cleared. */
const MISSED = { sent: '', waiting: '', failed: ' (failed)', paused: ' (paused)', none: ' (not sent)' } as const;

/** Names of channels, with those that it did not reach marked, or why nobody was notified. */
function sentTo(verdicts: readonly Verdict[], reach: Reach): string {
  const outcome = outcomeOf(verdicts);
  if (outcome === null) return 'not sent';
  const { channels, note } = outcome;
  if (note !== null) return note.startsWith('not sent') ? note : `not sent: ${note}`;
  return channels.map((name) => `${name}${MISSED[reach.get(name) ?? 'none']}`).join(', ');
}

/** The title as people saw it, and what it does not say yet: the command, what the client said. */
function whatOf(event: Event): string {
  const title = eventTitle(event);
  const words = event.presetText === null ? stripMarkdown(eventWords(event)) : '';
  return words === '' ? title : `${title} · ${words}`;
}
