// Delivering again. A dead letter was never accepted: it goes out under its own id, with its attempts counted from zero.
// What was sent, superseded or cancelled goes out under a new id, or the receiver would drop it as a repeat.
import { type Delivery, newDelivery } from '../model/delivery/delivery.ts';
import type { Store } from '../store/contract.ts';

/** What becomes of the deliveries that were asked for. */
export interface Replay {
  /** Of those that will go out. */
  readonly ids: readonly string[];
  /** So many were in progress already. */
  readonly inProgress: number;
  /** Their channel is no longer in the settings. */
  readonly removed: readonly Delivery[];
}

const AGAIN = '-again-';

/** The id of what a replay repeats, through any number of replays. */
const originOf = ({ id }: Delivery): string => id.split(AGAIN)[0] ?? id;
const unfinished = ({ state }: Delivery): boolean => state === 'pending' || state === 'leased' || state === 'paused';

/** One delivery per event and channel goes out, whatever was replayed before. `known`: the channels there are. */
export async function replayDeliveries(
  store: Pick<Store, 'transition' | 'addDelivery' | 'releaseHeld'>,
  deliveries: readonly Delivery[],
  known: ReadonlySet<string>,
  now: number,
): Promise<Replay> {
  const ids: string[] = [];
  const removed: Delivery[] = [];
  let inProgress = 0;
  for (const same of byReceiver(deliveries)) {
    const [first] = same;
    const held = same.filter(({ heldBy, state }) => heldBy !== null && state === 'pending').map(({ id }) => id);
    const dead = same.findLast(({ state }) => state === 'dead');
    if (!first) continue;
    if (!known.has(first.channel)) removed.push(dead ?? first);
    else if ((await store.releaseHeld(held, now)) > 0) ids.push(...held);
    else if (same.some(unfinished)) inProgress++;
    else if (dead) {
      if ((await store.transition({ ids: [dead.id], from: ['dead'] }, 'pending', now)) > 0) ids.push(dead.id);
      else inProgress++;
    } else {
      const again = repeatOf(first, now);
      await store.addDelivery(again);
      ids.push(again.id);
    }
  }
  return { ids, inProgress, removed };
}

/** By event and channel, in their order. */
function byReceiver(deliveries: readonly Delivery[]): Iterable<Delivery[]> {
  const groups = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const key = JSON.stringify([delivery.eventId, delivery.channel]);
    const group = groups.get(key);
    if (group) group.push(delivery);
    else groups.set(key, [delivery]);
  }
  return groups.values();
}

function repeatOf(delivery: Delivery, now: number): Delivery {
  const { operation, revision, step } = delivery;
  const id = `${originOf(delivery)}${AGAIN}${now.toString(36)}`;
  return { ...delivery, ...newDelivery(now), id, operation, revision, step };
}
