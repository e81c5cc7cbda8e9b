// Quiet hours, a mute or an outage that ends: what was held and still matters goes out as one digest.
import type { Arrival } from '../../dispatch/regroup.ts';
import { type BatchPlan, PLAIN_BATCH } from '../../dispatch/batch-plan.ts';
import { type Delivery, IN_DIGEST, type PlannedCancel } from '../../model/delivery/delivery.ts';
import { ASKED_THREAD, DIGEST_THREAD } from '../../model/delivery/holds.ts';
import type { Decision, StoreReader } from '../../store/contract.ts';
import { arrivalsOf, type Due, heldElsewhere, planOf, sent, sorted } from './batch.ts';
import { heldSteps } from './held-steps.ts';
import type { Plan } from '../writer.ts';

/** Most deliveries of one digest; those beyond come in another. */
export const MOST_HELD = 1_000;
/** Of what is held, and is over by the time of the digest. */
const OVER_BEFORE = 'over before its digest';
/** Of a further step of what the digest is the first message of. */
const COUNTS_FROM_DIGEST = 'counts from the digest';
/** A digest follows what becomes of its members, in messages so far apart at least, ms. */
const EVERY = 5_000;

/** What `why` and `events` say of the events of a digest. */
async function coveredEvents(arrivals: readonly Arrival[], store: StoreReader): Promise<Decision['events']> {
  const ids = [...new Set(arrivals.map(({ event }) => event.id))];
  const covered = ids.map(async (id): Promise<Decision['events']> => {
    const stored = await store.event(id);
    if (stored === null) return [];
    const channels = [...new Set(arrivals.flatMap(({ event, channel }) => (event.id === id ? [channel] : [])))];
    const verdicts = [{ stage: 'digest', verdict: 'route', note: `${channels.join(', ')}: in a digest` }] as const;
    return [{ event: stored.event, fingerprint: stored.fingerprint, verdicts }];
  });
  return (await Promise.all(covered)).flat();
}

/** Takes rows back that something takes the place of. */
const replacedBy = (rows: readonly Delivery[], note: string): readonly PlannedCancel[] =>
  rows.map(({ notificationId, channel, step }) => ({
    notificationId,
    because: 'superseded',
    channels: [channel],
    step,
    note,
  }));

/** Quiet hours, a mute or an outage that ends: what it held and still matters, as one digest. Null: it holds nothing. */
export async function released(due: Due, store: StoreReader): Promise<Plan | null> {
  const { hold, now, timer, gate } = due;
  const held = await store.deliveries({ heldBy: hold, states: ['pending'], limit: MOST_HELD, fromOldest: true });
  if (held.length === 0) return null;
  const found = sorted(held, due);
  const records = found.goes.filter(({ channel }) => gate.profiles.get(channel)?.audience === 'records');
  const people = found.goes.filter((row) => !records.includes(row));
  const all = await arrivalsOf(people, new Set(), store);
  const open = new Set(all.arrivals.flatMap(({ isOver: over, notificationId }) => (over ? [] : [notificationId])));
  const steps = await heldSteps(people, (id) => open.has(id), { store, profiles: gate.profiles }, now);
  const { arrivals, own } = await arrivalsOf(steps.now, steps.shared, store);
  const left = arrivals.filter((arrival) => !arrival.isOver).toSorted((a, b) => a.event.at - b.event.at);
  const thread = `${timer.data['force'] === true ? ASKED_THREAD : DIGEST_THREAD}${hold}:${timer.due}`;
  const { escalate, repeat } = steps;
  const plan: BatchPlan = { ...PLAIN_BATCH, every: EVERY, escalate, repeat };
  const shown = own.filter(({ eventIds }) => left.some(({ event }) => eventIds.includes(event.id)));
  const digest = { arrivals: left, own: shown };
  const alone = steps.alone.map(({ row }) => row);
  const over = steps.now.filter((row) => left.every(({ notificationId }) => notificationId !== row.notificationId));
  return planOf(due, [
    ...(left.length > 0 ? [await sent(steps.now, digest, null, { thread, plan, note: IN_DIGEST }, due, store)] : []),
    heldElsewhere(found),
    { rehold: records.map(({ id }) => ({ id, heldBy: null, due: now })) },
    { cancel: replacedBy(over, OVER_BEFORE) },
    { cancel: replacedBy([...alone, ...steps.replaced], COUNTS_FROM_DIGEST) },
    { deliveries: steps.alone.flatMap(({ next }) => next), clear: steps.timers.map(({ id }) => id) },
    { events: await coveredEvents(left, store) },
  ]);
}
