// Stage 6: `belfry mute`. Urgent events pass unless the silence says all.
import { clockTime } from '../model/clock-time.ts';
import type { Event } from '../model/event.ts';
import type { Silence } from '../model/verdict.ts';
import { matchesFolderOrBelow } from './glob.ts';
import type { Stage } from './pipeline-state.ts';
import { addVerdict } from './pipeline-state.ts';

function covers(silence: Silence, event: Event, home: string, now: number): boolean {
  if (silence.until !== null && silence.until <= now) return false;
  if (event.urgency === 'urgent' && !silence.all) return false;
  if (silence.session !== null && silence.session !== event.sessionId) return false;
  if (silence.cwd !== null && (event.cwd === null || !matchesFolderOrBelow(silence.cwd, event.cwd, home))) return false;
  return true;
}

const end = (silence: Silence): string =>
  silence.until === null ? 'until you unmute' : `until ${clockTime(silence.until)}`;

/** Stops what is muted everywhere; notes the channels that are muted for it. */
export const silence: Stage = (state, { facts, now }) => {
  const found = facts.silences.filter((s) => covers(s, state.event, facts.home, now));
  const whole = found.find((s) => s.channel === null);
  if (whole) return addVerdict(state, 'silence', 'stop', `muted ${end(whole)}; \`belfry unmute\` ends it`);
  const mutedChannels = found.flatMap((s) => (s.channel === null ? [] : [s.channel]));
  if (mutedChannels.length === 0) return addVerdict(state, 'silence', 'pass', 'not muted');
  return addVerdict({ ...state, mutedChannels }, 'silence', 'change', `muted on ${mutedChannels.join(', ')}`);
};
