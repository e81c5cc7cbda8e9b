// The digest of what quiet hours or a mute held back: what still matters first, and nothing that has resolved itself.
import { formatElapsed } from '../model/quantities.ts';
import type { Event } from '../model/event.ts';
import type { Member, Notification, NotificationContent } from '../model/notification.ts';
import { sanitizeLine } from '../lib/text.ts';
import { combine, titleLines } from './combined-text.ts';

/** One notification that was held. */
export interface HeldMember extends Member {
  readonly event: Event;
  readonly state: Notification['state'];
}

/** What held them, in words: "While it was quiet: ...". */
const BEGINNINGS = { quiet: 'While it was quiet', mute: 'While it was muted' } as const;
export type HeldBy = keyof typeof BEGINNINGS;

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

function sectionOf({ event }: HeldMember): Section {
  if (event.kind === 'agent.waiting') return 'waiting';
  if (event.abnormal || /failed|failing|broken/.test(event.kind)) return 'failed';
  return event.kind === 'agent.finished' || event.kind === 'subagent.finished' || event.kind === 'session.ended'
    ? 'finished'
    : 'other';
}

/** What of it still matters: nobody has acknowledged it, and it is not over. Oldest first; one event counts once. */
export function stillOpen(held: readonly HeldMember[]): readonly HeldMember[] {
  const seen = new Set<string>();
  return [...held]
    .sort((a, b) => a.event.at - b.event.at)
    .filter(({ state, event }) => state === 'open' && !seen.has(event.id) && seen.add(event.id));
}

function lineOf({ title, event }: HeldMember, now: number): string {
  const ago = formatElapsed((now - event.at) / 1_000);
  return ago === null ? title : `${sanitizeLine(title, TITLE)} (${ago} ago)`;
}

/** The digest at `now`, Unix ms; null when nothing is left to say. */
export function digestContent(held: readonly HeldMember[], by: HeldBy, now: number): NotificationContent | null {
  const open = stillOpen(held);
  const sections = SECTIONS.map((section) => ({ section, members: open.filter((one) => sectionOf(one) === section) }));
  const found = sections.filter(({ members }) => members.length > 0);
  const counts = found.map(({ section, members }) => `${members.length} ${COUNTED[section]}`);
  const body = found.map(({ section, members }) =>
    [
      `${HEADINGS[section]}:`,
      ...titleLines(
        members.map((member) => lineOf(member, now)),
        LINES,
      ),
    ].join('\n'),
  );
  const [first] = open;
  if (first === undefined) return null;
  return combine(open, first.event, `${BEGINNINGS[by]}: ${counts.join(', ')}`, body.join('\n\n'));
}
