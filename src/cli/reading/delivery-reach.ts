// How far an event got on its channels, and the one word that lists say of it.
import type { DeliveryState } from '../../model/delivery/delivery.ts';
import type { StoreReader } from '../../store/contract.ts';

/** By channel: also what a group or a digest took with it. */
export type Reach = ReadonlyMap<string, Reached>;

/** The furthest that it got there; one further on counts before those in front of it. */
const REACHED = ['waiting', 'paused', 'failed', 'sent'] as const;
type Reached = (typeof REACHED)[number];

const OF_STATE: Readonly<Partial<Record<DeliveryState, Reached>>> = {
  pending: 'waiting',
  leased: 'waiting',
  paused: 'paused',
  dead: 'failed',
  sent: 'sent',
};

/** Most deliveries that are read of one event. */
const MAX_DELIVERIES = 1_000;

/** Empty: nobody was to be notified, or what was planned was taken back. */
export async function reachOf(store: StoreReader, eventId: string): Promise<Reach> {
  // A late member of a group comes with a change of the group's message.
  const rows = await store.deliveries({ covers: eventId, operations: ['send', 'update'], limit: MAX_DELIVERIES });
  const found = new Map<string, Reached>();
  const add = (channel: string, state: DeliveryState): void => {
    const [one, other] = [OF_STATE[state], found.get(channel)];
    if (one && (other === undefined || REACHED.indexOf(one) > REACHED.indexOf(other))) found.set(channel, one);
  };
  for (const { eventId: first, content, channel, state, scheduled, step } of rows) {
    // A digest holds other events on another channel. A step or a reminder comes only if nobody reacts.
    if (first !== eventId && !content.events.includes(eventId)) continue;
    if (state !== 'pending' || !scheduled || step === 0) add(channel, state);
  }
  for (const { channel, operation, state, updatedAt } of rows) {
    if (operation !== 'send' || state !== 'superseded' || found.has(channel)) continue;
    // After an outage, one delivery made at that moment takes the place of many.
    const made = { channel, since: updatedAt, createdBefore: updatedAt + 1, limit: MAX_DELIVERIES };
    for (const digest of await store.deliveries(made))
      if (digest.content.events.includes(eventId)) add(channel, digest.state);
  }
  return found;
}

/** Whether somebody was notified. */
export function sentWord(reach: Reach): 'yes' | 'partly' | 'waiting' | 'failed' | 'no' {
  const all = new Set(reach.values());
  const isMissed = all.has('failed') || all.has('paused');
  if (all.has('sent')) return isMissed ? 'partly' : 'yes';
  if (all.has('waiting')) return 'waiting';
  return isMissed ? 'failed' : 'no';
}
