// What is still to come of a notification, counted down: "phone in 4 min", "reminder on desk in 28 min".
import { shortDuration } from '../time-words.ts';
import { shownText } from '../shown-text.ts';
import type { Notification } from '../../store/waiting-item.ts';

type Step = Notification['next'][number];

/** Ms that lie between steps which are said together. */
const TOGETHER = 1_000;

const CONDITION: Readonly<Record<Step['only'], string>> = {
  always: '',
  away: ' if you are away then',
  idle: ' if you are idle then',
};

const goTogether = (a: Step, b: Step): boolean =>
  a.what === b.what &&
  a.only === b.only &&
  a.held === b.held &&
  Math.abs(Date.parse(a.at) - Date.parse(b.at)) < TOGETHER;

/** What is to come of several, the soonest first. */
export const soonestFirst = (next: readonly Step[]): Step[] =>
  next.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));

/** One for each moment, the soonest first. `now`: Unix ms. */
export function nextWords(next: readonly Step[], now: number): readonly string[] {
  const moments: Step[][] = [];
  for (const step of next) {
    const same = moments.find(([first]) => first !== undefined && goTogether(first, step));
    if (same === undefined) moments.push([step]);
    else same.push(step);
  }
  const words = moments.flatMap((steps) => {
    const [first] = steps;
    return first === undefined ? [] : momentWords(first, [...new Set(steps.map(({ channel }) => channel))], now);
  });
  return [...new Set(words)]; // several within the same minute read the same
}

function momentWords({ what, at, only, held }: Step, channels: readonly string[], now: number): string {
  const left = Date.parse(at) - now;
  const to = channels.map(shownText).join(', ');
  const who = what === 'reminder' ? `reminder on ${to}` : to;
  const how = held ? ' together with others' : '';
  return `${who}${how} ${left <= 0 ? 'now' : `in ${shortDuration(left)}`}${CONDITION[only]}`;
}

/** By how much it is put off. */
export const HOLD_MINUTES = 10;

/** What can be put off: not what is sent first, nor what comes together with others. */
export const canHold = ({ state, next }: Notification): boolean =>
  state === 'open' && next.some(({ what, held }) => what !== 'first' && !held);
