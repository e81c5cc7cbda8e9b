// Deliveries of a failing channel: they wait for a probe, and go out when it accepts again.
import type { ChannelType } from '../../model/channel/channel.ts';
import type { Delivery } from '../../model/delivery/delivery.ts';
import { OUTAGE_HOLD } from '../../model/delivery/holds.ts';
import type { ChannelHealth } from '../../store/contract.ts';
import { dropResolved } from './channel-failing.ts';
import type { DeliveryDeps } from '../deps.ts';
import { needsOperator } from './record-outcome.ts';

/** Notifications that wait in vain, named in the log at one time. */
const MOST_NAMED = 100;

type Parts = Pick<DeliveryDeps, 'store' | 'clock' | 'log'>;

/** A channel that cannot work here at all may be the only one: then the log is where its notifications are found. */
export function logUndelivered({ channel, content }: Delivery, error: string, log: Parts['log']): void {
  log('delivery: nobody was notified', { channel, error, notification: content.title });
}

/** What cannot go out now waits for a probe. */
export async function park({ channel, reason, error }: ChannelHealth, { store, clock, log }: Parts): Promise<void> {
  if (reason !== null && needsOperator(reason))
    for (const delivery of await store.deliveries({
      channel,
      states: ['pending'],
      operations: ['send'],
      limit: MOST_NAMED,
    }))
      if (delivery.attempts === 0) logUndelivered(delivery, error ?? reason, log);
  await store.transition({ channel, from: ['pending'] }, 'paused', clock.now());
}

/** Older than this, ms, what waited for its channel goes out as one; up to so many are still sent one by one. */
const STALE = 3_600_000;
const FEW = 3;

/** The channel accepts again: what is still current goes out, in order. A record gets all of it, each by itself. */
export async function unpark(
  channel: string,
  audience: ChannelType['audience'],
  { store, clock, log, judge }: Parts & Pick<DeliveryDeps, 'judge'>,
): Promise<void> {
  const now = clock.now();
  const dropped = await dropResolved(store, now);
  const hold = `${OUTAGE_HOLD}${channel}`;
  const old = { channel, createdBefore: now - STALE, few: FEW, hold };
  const held =
    judge === undefined || audience === 'records' ? 0 : await store.holdBacklog(old, judge.timerOf(hold, now), now);
  if (held > 0) await judge?.held(hold);
  const drained = await store.transition({ channel, from: ['paused'] }, 'pending', now);
  log('delivery: channel accepts again', { channel, dropped, held, drained });
}
