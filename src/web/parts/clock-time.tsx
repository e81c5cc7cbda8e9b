// A time by the clock, with its day where that is not today; its place is kept where there is none.
import { clockTime, dayTime } from '../../model/time/clock-time.ts';
import { minute } from '../lib/clock.ts';

export function ClockTime({ at }: { readonly at: string | null }) {
  if (at === null) return <span class="when" />;
  const time = Date.parse(at);
  return (
    <time class="when" dateTime={at} title={clockTime(time)}>
      {dayTime(time, minute.value * 60_000)}
    </time>
  );
}
