// A mute in words.
import { clockTime } from '../time/clock-time.ts';
import type { Silence } from './verdict.ts';

/** "session abc, channel desk, until 2026-03-01 10:00:00; urgent events too; reason: demo". */
export function describeSilence(silence: Silence): string {
  return wordsOf(silence, silence.until === null ? ['until you unmute'] : [`until ${clockTime(silence.until)}`]);
}

/** The same without its end. */
export const mutedWhat = (silence: Silence): string => wordsOf(silence, []);

function wordsOf(silence: Silence, end: readonly string[]): string {
  const what = [
    silence.session === null ? null : `session ${silence.session}`,
    silence.cwd === null ? null : `folder ${silence.cwd}`,
    silence.channel === null ? null : `channel ${silence.channel}`,
  ].filter((part) => part !== null);
  return [
    [...(what.length === 0 ? ['everything'] : what), ...end].join(', '),
    silence.all ? 'urgent events too' : 'urgent events still come through',
    ...(silence.reason ? [`reason: ${silence.reason}`] : []),
  ].join('; ');
}
