// Stage 6: `belfry mute`. Urgent events pass unless the silence says all.
import { clockTime } from '../model/clock-time.ts';
import type { Event } from '../model/event.ts';
import type { Silence } from '../model/verdict.ts';
import { matchesFolderOrBelow } from './glob.ts';
import type { Stage } from './matter.ts';
import { say } from './matter.ts';

function covers(silence: Silence, event: Event, home: string, now: number): boolean {
  if (silence.until !== null && silence.until <= now) return false;
  if (event.urgency === 'urgent' && !silence.all) return false;
  if (silence.session !== null && silence.session !== event.sessionId) return false;
  if (silence.cwd !== null && (event.cwd === null || !matchesFolderOrBelow(silence.cwd, event.cwd, home))) return false;
  return true;
}

const end = (silence: Silence): string =>
  silence.until === null ? 'until unmuted' : `until ${clockTime(silence.until)}`;

/** Stops what is muted everywhere; notes the channels that are muted for it. */
export const silence: Stage = (matter, { facts, now }) => {
  const found = facts.silences.filter((s) => covers(s, matter.event, facts.home, now));
  const whole = found.find((s) => s.channel === null);
  if (whole) return say(matter, 'silence', 'stop', `muted ${end(whole)}; undo with: belfry unmute`);
  const muted = found.flatMap((s) => (s.channel === null ? [] : [s.channel]));
  if (muted.length === 0) return say(matter, 'silence', 'pass', 'not muted');
  return say({ ...matter, muted }, 'silence', 'change', `muted on ${muted.join(', ')}`);
};
