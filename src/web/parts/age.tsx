// How long something has lasted, with its beginning on hover.
import { clockTime } from '../../model/time/clock-time.ts';
import { now } from '../lib/clock.ts';
import { shortDuration } from '../lib/time-words.ts';

export function Age({ since }: { readonly since: string }) {
  const time = Date.parse(since);
  return (
    <time class="age" dateTime={since} title={`since ${clockTime(time)}`}>
      {shortDuration(now.value - time)}
    </time>
  );
}
