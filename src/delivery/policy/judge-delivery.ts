// Whether a leased delivery still makes sense, and may go out now: what was decided after it was planned may have made it pointless.
import type { ChannelCapabilities, ChannelType, MessageResolution } from '../../model/channel/channel.ts';
import type { Delivery, Unless } from '../../model/delivery/delivery.ts';
import type { Notification, NotificationState } from '../../model/notification/notification.ts';
import { resolutionOf } from '../../model/notification/resolution.ts';
import type { ClaimedDelivery, Store } from '../../store/contract.ts';
import { LONGEST_HOLD } from '../../model/delivery/holds.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { OutcomeRecorder } from './record-outcome.ts';

/** Whether it goes out; `note`: why, for people. */
export type Due = { readonly goesOut: true; readonly note: string | null } | { readonly goesOut: false };

const HELD_BACK: Due = { goesOut: false };

/** What does not go out now is put off, or done. */
export async function judgeDue(
  delivery: ClaimedDelivery,
  recorder: Pick<OutcomeRecorder, 'postpone' | 'drop'>,
  { judge, clock }: Pick<DeliveryDeps, 'judge' | 'clock'>,
): Promise<Due> {
  if (judge === undefined || delivery.operation !== 'send') return { goesOut: true, note: null };
  const asked = await judge.ask(delivery);
  const { note } = asked;
  switch (asked.verdict) {
    case 'go':
      return { goesOut: true, note };
    case 'hold': {
      const due = asked.until ?? clock.now() + LONGEST_HOLD;
      const timer = judge.timerOf(asked.by, due);
      await recorder.postpone(delivery, { due, heldBy: asked.by, timer, note: asked.note, shiftLater: 0 });
      await judge.held(asked.by);
      return HELD_BACK;
    }
    case 'wait': {
      const shiftLater = asked.leaves ? asked.until - clock.now() : 0;
      await recorder.postpone(delivery, { due: asked.until, heldBy: null, timer: null, note: asked.note, shiftLater });
      return HELD_BACK;
    }
    case 'seen':
      await judge.seen(delivery, asked.note);
      await recorder.drop(delivery, 'cancelled', `seen: ${asked.note}`);
      return HELD_BACK;
  }
}

/** Go ahead, or the state in which it ends with the reason for people. */
export type Judgement =
  | {
      readonly receipt: unknown;
      readonly resolution: MessageResolution | null;
      /** What is to be done: a send of what is there already is an update. */
      readonly operation: Delivery['operation'];
    }
  | { readonly drop: 'cancelled' | 'superseded'; readonly why: string };

/** What the channel is like. */
export interface JudgedChannel {
  readonly audience: ChannelType['audience'];
  readonly can: Pick<ChannelCapabilities, 'update' | 'retract'>;
}

/** Most operations on one message that are looked at, from the latest on: one that takes its place comes later. */
const MAX_OPERATIONS = 200;

const TAKEN_BACK: Readonly<Record<Unless, readonly NotificationState[]>> = {
  none: [],
  resolved: ['resolved'],
  acknowledged: ['resolved', 'acknowledged'],
};

/** By what has become of its notification; reads the operations before and after it. */
export async function judgeDelivery(
  delivery: Delivery & Pick<ClaimedDelivery, 'notification'>,
  channel: JudgedChannel,
  store: Pick<Store, 'deliveries' | 'latestReceipt'>,
): Promise<Judgement> {
  const { notification } = delivery;
  if (delivery.operation === 'send') {
    const drop = takenBack(delivery, notification);
    if (drop !== null) return drop;
    return { receipt: null, resolution: null, operation: 'send', ...(await grown(delivery, channel, store)) };
  }
  if (!channel.can[delivery.operation])
    return { drop: 'cancelled', why: `the channel cannot ${delivery.operation} what it sent any more` };
  const { notificationId, channel: name, step } = delivery;
  const message = { notificationId, channel: name, step };
  const rows = await store.deliveries({ ...message, limit: MAX_OPERATIONS });
  if (rows.some((row) => supersedes(row, delivery)))
    return { drop: 'superseded', why: 'a later change takes its place' };
  const shown = await store.deliveries({ ...message, states: ['sent'], operations: ['send', 'update'], limit: 1 });
  if (shown.length === 0) return { drop: 'cancelled', why: 'nothing was sent, so there is nothing to change' };
  const receipt = await store.latestReceipt(delivery);
  if (receipt === null && channel.audience === 'people')
    return { drop: 'cancelled', why: 'the channel gave back nothing by which what it sent could be changed' };
  const resolution = notification === null ? null : resolutionOf(notification);
  return { receipt, resolution, operation: delivery.operation };
}

/** One that was in flight when its notification was resolved is not tried again. */
function takenBack({ unless }: Delivery, notification: Notification | null): Judgement | null {
  if (notification === null || !TAKEN_BACK[unless].includes(notification.state)) return null;
  return { drop: 'cancelled', why: `its notification was ${notification.state} before it was sent` };
}

/** A group that grew while its first send was on its way: once that has arrived, it is changed. */
async function grown(
  delivery: Delivery,
  { audience, can }: JudgedChannel,
  store: Pick<Store, 'deliveries' | 'latestReceipt'>,
): Promise<{ readonly operation: 'update'; readonly receipt: unknown } | null> {
  const { revision, step, notificationId, channel } = delivery;
  if (revision === 1 || step > 0 || !can.update) return null;
  const rows = await store.deliveries({
    notificationId,
    channel,
    states: ['sent'],
    operations: ['send'],
    limit: MAX_OPERATIONS,
  });
  if (rows.every((row) => row.step !== step)) return null;
  const receipt = await store.latestReceipt(delivery);
  return receipt === null && audience === 'people' ? null : { operation: 'update', receipt };
}

/** A later form of the same message that is still to come, or was shown already. */
function supersedes({ id, operation, revision, state }: Delivery, of: Delivery): boolean {
  if (id === of.id || operation === 'send' || of.operation === 'retract') return false;
  if (state === 'cancelled' || state === 'superseded' || state === 'dead') return false;
  return operation === 'retract' || revision > of.revision;
}
