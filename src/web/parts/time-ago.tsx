// A time: how long ago, with the exact one on hover.
import { clockTime } from '../../model/time/clock-time.ts';
import { now } from '../lib/clock.ts';
import { relativeTime } from '../lib/time-words.ts';

export function TimeAgo({ at }: { readonly at: string }) {
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={clockTime(time)}>
      {relativeTime(time, now.value)}
    </time>
  );
}
