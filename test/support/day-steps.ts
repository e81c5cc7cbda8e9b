// What must hold, of every random day, of what waits and of the steps that follow a first send.
import { notificationIdOf } from '../../src/model/ids.ts';
import { type Delivery, IN_DIGEST } from '../../src/model/delivery/delivery.ts';
import type { Event } from '../../src/model/event/event.ts';
import type { Notification } from '../../src/model/notification/notification.ts';
import type { Got } from './timeline.ts';

/** Seconds after the first send of each step, by its number, as the settings of every day have them. */
export const STEPS: readonly number[] = [120, 600];

/** Why what was held of a finish is not sent. */
const REPLACED = 'a later finish of the same turn takes its place';

const UNFINISHED: ReadonlySet<string> = new Set<Delivery['state']>(['pending', 'leased', 'paused']);

interface Told extends Got {
  /** Unix ms. */
  readonly time: number;
}

interface Left {
  readonly got: readonly Told[];
  readonly rows: readonly Delivery[];
  readonly notifications: readonly Notification[];
}

/** Nothing that waits expires or is given up, and every digest that is named is there. */
export function waitedInVain({ rows, notifications }: Left): readonly string[] {
  const states = new Map(notifications.map(({ id, state }) => [id, state]));
  return rows.flatMap(({ notificationId, state, lastError, channel, step }) => {
    const what = `step ${step} on ${channel}`;
    if (state === 'dead') return [`${what} was given up`];
    if (UNFINISHED.has(state) && states.get(notificationId) === 'expired') return [`${what} waits, and is expired`];
    const digest = lastError?.startsWith(IN_DIGEST) ? lastError.slice(IN_DIGEST.length) : null;
    return digest !== null && !states.has(digest) ? [`${what} is in a digest that there is not`] : [];
  });
}

/** When people were told of a notification by each of its steps, Unix ms; the first send may have been a digest. */
function toldBySteps(id: string, { got, rows }: Left): ReadonlyMap<number, number> {
  const own = rows.filter((row) => row.notificationId === id && row.operation === 'send');
  const digests = new Set(
    own.flatMap(({ step, lastError }) =>
      step === 0 && lastError?.startsWith(IN_DIGEST) ? [lastError.slice(IN_DIGEST.length)] : [],
    ),
  );
  const found = new Map<number, number>();
  for (const { notificationId, operation, step, time } of got) {
    const number = digests.has(notificationId) && step === 0 ? 0 : notificationId === id ? step : null;
    if (operation !== 'send' || number === null || number > STEPS.length) continue;
    found.set(number, Math.min(time, found.get(number) ?? Infinity));
  }
  return found;
}

/** No step comes sooner after the message before it than was planned: not after a late one, and no two at once. */
export function stepsTooSoon(left: Left): readonly string[] {
  const ids = new Set(left.got.filter(({ step }) => step > 0 && step <= STEPS.length).map((one) => one.notificationId));
  return [...ids].flatMap((id) => {
    const told = toldBySteps(id, left);
    return [...told].flatMap(([step, time]) => {
      const before = [...told].filter(([other, at]) => other < step && at <= time).sort(([a], [b]) => b - a)[0];
      if (step === 0 || before === undefined) return [];
      const planned = (STEPS[step - 1] ?? 0) - (STEPS[before[0] - 1] ?? 0);
      const ms = time - before[1];
      return ms < planned * 1_000 - 1_000
        ? [`step ${step} came ${ms} ms after step ${before[0]}, not ${planned} s`]
        : [];
    });
  });
}

/** Every step of an event that people were told of, or are still to be told of, is there: sent, to come, or taken back with a reason. */
export function stepsLost(event: Event, { rows, notifications }: Left): readonly string[] {
  const own = notifications.find(({ id }) => id === notificationIdOf(event.id));
  if (own?.state !== 'open') return [];
  const of = new Set(
    notifications.flatMap(({ id, detail, eventIds }) =>
      detail !== 'digest' && eventIds.includes(event.id) ? [id] : [],
    ),
  );
  const sends = rows.filter(({ notificationId, operation }) => operation === 'send' && of.has(notificationId));
  // Another finish of the same turn says it in its place.
  const first = sends.filter(({ step }) => step === 0);
  if (first.length > 0 && first.every(({ lastError }) => lastError === REPLACED)) return [];
  const isInGroup = sends.some(({ heldBy, state }) => heldBy?.startsWith('group:') === true && state === 'pending');
  if (isInGroup) return []; // planned with the group, when that goes out
  return STEPS.flatMap((_after, i) =>
    sends.some(({ step }) => step === i + 1) ? [] : [`${event.kind} has no step ${i + 1}, though it is open`],
  );
}
