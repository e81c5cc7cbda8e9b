// What became of sessions that were to go on, or were kept from it, in words.
import { atDayTime } from '../time/clock-time.ts';

/** `held`: it was given its instruction, and no prompt followed. */
export type WentOnResult = 'continued' | 'held' | 'planned' | 'refused';

/** Of one, after its name. `at`, `now`: Unix ms; `why`: in words, null: nothing is to be said. */
export function wentOnWords(
  { result, at, why }: { readonly result: WentOnResult; readonly at: number | null; readonly why: string | null },
  now: number,
): string {
  const words = {
    continued: 'goes on',
    planned: `goes on ${at === null ? 'later' : atDayTime(at, now)}`,
    held: 'did not go on',
    refused: 'nothing was sent',
  }[result];
  return why === null ? words : `${words}: ${why}`;
}

/** Of those that Belfry does not continue any more, by name. */
export function keptWords(names: readonly string[]): string {
  const [last, ...others] = [...names].reverse();
  if (last === undefined) return 'Belfry was not going to continue any of them.';
  const first = others.length === 0 ? '' : `${others.reverse().join(', ')} and `;
  return `Belfry will not continue ${first}${last}.`;
}
