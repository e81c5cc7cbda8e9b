// A time: how long ago, with the exact one on hover.
import { now } from '../lib/clock.ts';
import { exactTime, relativeTime } from '../lib/time-words.ts';

export function TimeAgo({ at }: { readonly at: string }) {
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={exactTime(time)}>
      {relativeTime(time, now.value)}
    </time>
  );
}
