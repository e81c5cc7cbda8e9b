// How a channel that fails is described to people: `failing`, or that its quota is used up and until when.
import { clockTime } from '../time/clock-time.ts';

/** `next`: when it is tried again, as ISO 8601 or Unix ms; undefined where an older daemon does not say. */
export function failingWords(reason: string | null, next: string | number | null | undefined): string {
  if (reason !== 'quota') return 'failing';
  return next === null || next === undefined
    ? 'quota used up'
    : `quota used up until ${clockTime(new Date(next).getTime())}`;
}
