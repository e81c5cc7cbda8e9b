// How long something has lasted, with its beginning on hover.
import { now } from '../lib/clock.ts';
import { exactTime, shortDuration } from '../lib/time-words.ts';

export function Age({ since }: { readonly since: string }) {
  const time = Date.parse(since);
  return (
    <time class="age" dateTime={since} title={`since ${exactTime(time)}`}>
      {shortDuration(now.value - time)}
    </time>
  );
}
