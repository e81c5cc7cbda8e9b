// The digest of what quiet hours, a mute or an outage held back: what still matters first.
import { formatElapsed } from '../model/quantities.ts';
import type { Event } from '../model/event/event.ts';
import { MUTE_HOLD, OUTAGE_HOLD, QUIET_HOLD } from '../model/delivery/holds.ts';
import type { Member, NotificationContent } from '../model/notification/notification.ts';
import { sanitizeLine } from '../lib/text/text.ts';
import { combine, titleLines } from './combined-text.ts';

/** What held them, in words: "While it was quiet: ...". */
const BEGINNINGS: readonly (readonly [hold: string, words: string])[] = [
  [QUIET_HOLD, 'While it was quiet'],
  [MUTE_HOLD, 'While it was muted'],
  [OUTAGE_HOLD, 'While this channel was failing'],
];

const SECTIONS = ['waiting', 'failed', 'finished', 'other'] as const;
type Section = (typeof SECTIONS)[number];

const HEADINGS: Readonly<Record<Section, string>> = {
  waiting: 'Still waiting',
  failed: 'Failed',
  finished: 'Finished',
  other: 'Other',
};
const COUNTED: Readonly<Record<Section, string>> = {
  waiting: 'still waiting',
  failed: 'failed',
  finished: 'finished',
  other: 'other',
};
/** Lines of one section, and graphemes of each title. */
const LINES = 10;
const TITLE = 130;

function sectionOf({ event }: Member): Section {
  if (event.kind === 'agent.waiting') return 'waiting';
  if (event.abnormal || /failed|failing|broken/.test(event.kind)) return 'failed';
  return event.kind === 'agent.finished' || event.kind === 'subagent.finished' || event.kind === 'session.ended'
    ? 'finished'
    : 'other';
}

function lineOf({ title, event }: Member, now: number): string {
  const ago = formatElapsed((now - event.at) / 1_000);
  return ago === null ? title : `${sanitizeLine(title, TITLE)} (${ago} ago)`;
}

/** The digest of what `hold` held, at `now`, Unix ms; null of none. `first`: the event of the first; `wentOn`: sessions that stood still, and went on. */
export function digestContent(
  members: readonly Member[],
  first: Event,
  { hold, now, wentOn }: { readonly hold: string; readonly now: number; readonly wentOn: readonly Member[] },
): NotificationContent | null {
  const sections = SECTIONS.map((section) => ({ section, own: members.filter((one) => sectionOf(one) === section) }));
  const found = sections.filter(({ own }) => own.length > 0);
  const shown = [
    ...found.map(({ section, own }) => [HEADINGS[section], own] as const),
    ...(wentOn.length === 0 ? [] : [['Continued', wentOn] as const]),
  ];
  const counts = found.map(({ section, own }) => `${own.length} ${COUNTED[section]}`);
  const body = shown.map(([heading, own]) =>
    [
      `${heading}:`,
      ...titleLines(
        own.map((member) => lineOf(member, now)),
        LINES,
      ),
    ].join('\n'),
  );
  const beginning = BEGINNINGS.find(([name]) => hold.startsWith(name))?.[1] ?? 'Held back';
  return combine(members, first, `${beginning}: ${counts.join(', ')}`, body.join('\n\n'));
}
