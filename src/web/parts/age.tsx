// How long something has lasted, with its beginning on hover.
import { clockTime } from '../../model/time/clock-time.ts';
import { now } from '../lib/clock.ts';
import { shortDuration } from '../lib/time-words.ts';

/** How long something still lasts, after what it is: ", 2 h left". */
export function Left({ until }: { readonly until: string }) {
  const time = Date.parse(until);
  return (
    <time dateTime={until} title={`until ${clockTime(time)}`}>
      {now.value < time ? `, ${shortDuration(time - now.value)} left` : ', over'}
    </time>
  );
}

export function Age({ since }: { readonly since: string }) {
  const time = Date.parse(since);
  return (
    <time class="age" dateTime={since} title={`since ${clockTime(time)}`}>
      {shortDuration(now.value - time)}
    </time>
  );
}
