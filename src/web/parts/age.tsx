// How long something has lasted, with its beginning on hover.
import { clockTime, dayTime } from '../../model/time/clock-time.ts';
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

/** That something goes on by itself, and in how long: ", continues in 4 min". */
export function Continues({ at }: { readonly at: string }) {
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={`at ${clockTime(time)}`}>
      {now.value < time ? `, continues in ${shortDuration(time - now.value)}` : ', continues now'}
    </time>
  );
}

/** Since when its machine is not reachable: "not reachable since 14:02". */
export function Unreachable({ since }: { readonly since: string }) {
  const time = Date.parse(since);
  return <span class="unreachable">not reachable since {dayTime(time, now.value)}</span>;
}

export function Age({ since }: { readonly since: string }) {
  const time = Date.parse(since);
  return (
    <time class="age" dateTime={since} title={`since ${clockTime(time)}`}>
      {shortDuration(now.value - time)}
    </time>
  );
}
