// Stage 10: `belfry mute`. What it keeps back is held until it ends, and then comes as a digest. Urgent events pass unless it says all.
import { clockTime } from '../model/clock-time.ts';
import type { Event } from '../model/event.ts';
import type { PlannedDelivery } from '../model/planned-delivery.ts';
import type { Silence } from '../model/verdict.ts';
import { matchesFolderOrBelow } from './glob.ts';
import { holdBack } from './hold-back.ts';
import type { Stage } from './pipeline-state.ts';
import { addVerdict } from './pipeline-state.ts';

function covers(silence: Silence, event: Event, home: string, now: number): boolean {
  if (silence.until !== null && silence.until <= now) return false;
  if (event.urgency === 'urgent' && !silence.all) return false;
  if (silence.session !== null && silence.session !== event.sessionId) return false;
  if (silence.cwd !== null && (event.cwd === null || !matchesFolderOrBelow(silence.cwd, event.cwd, home))) return false;
  return true;
}

/** The silence that keeps an event from a channel at a time, Unix ms: of several the one that ends last. Null: none does. */
export function mutedBy(
  event: Event,
  { channel, due }: Pick<PlannedDelivery, 'channel' | 'due'>,
  silences: readonly Silence[],
  home: string,
): Silence | null {
  const found = silences.filter((s) => covers(s, event, home, due));
  return longest(found.filter((s) => s.channel === null || s.channel === channel)) ?? null;
}

/** "until 2026-11-21 15:54:12". */
export const muteEnd = (silence: Silence): string =>
  silence.until === null ? 'until you unmute' : `until ${clockTime(silence.until)}`;

/** Of several the one that ends last: until then it is to be silent. */
const longest = (silences: readonly Silence[]): Silence | undefined =>
  silences.toSorted((a, b) => (a.until ?? Infinity) - (b.until ?? Infinity)).at(-1);

/** What holds the deliveries that this silence keeps back. */
export const muteHold = ({ id }: Pick<Silence, 'id'>): string => `mute:${id}`;

/** Holds back what goes to muted channels. */
export const silence: Stage = (state, { facts, now }) => {
  if (facts.silences.length === 0) return state;
  const found = facts.silences.filter((s) => covers(s, state.event, facts.home, now));
  if (found.length === 0) return addVerdict(state, 'silence', 'pass', 'not muted');
  const held = holdBack(
    state,
    ({ channel, due }) => {
      const by = mutedBy(state.event, { channel, due }, found, facts.home); // a delay may end after it does
      return by === null ? null : { by: muteHold(by), until: by.until };
    },
    now,
  );
  if (held === null) return addVerdict(state, 'silence', 'pass', 'not muted where it goes');
  const { next, channels, whole } = held;
  const [only] = found;
  const by = longest(found.filter((s) => s.channel === null)) ?? only;
  const until = by === undefined ? '' : muteEnd(by);
  const end = by?.until === null ? 'muted until you run `belfry unmute`' : `muted ${until}; \`belfry unmute\` ends it`;
  if (whole) return addVerdict(next, 'silence', 'stop', end);
  return addVerdict(next, 'silence', 'change', `muted on ${channels.join(', ')} ${until}`);
};
