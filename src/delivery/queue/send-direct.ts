// One send bypassing the outbox: not while the receiver asked to wait, and what it says of the channel counts.
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { attempt } from '../channel/attempt.ts';
import type { AccountMember } from '../channel/accounts.ts';
import { type Breaker, type BreakerChange, createBreaker, healthy } from '../policy/breaker.ts';
import type { ChannelInstances } from '../channel/channel-instance.ts';
import { type DirectSender, refusedNow } from './direct-queue.ts';
import type { DeliveryDeps } from '../deps.ts';

/** The channel's worker, as far as a direct send is concerned. */
export interface DirectContext {
  readonly name: string;
  readonly instances: ChannelInstances;
  /** Undefined until the worker has looked into the store. */
  readonly breaker: Breaker | undefined;
  readonly account: AccountMember;
  readonly deps: DeliveryDeps;
  readonly cancel: AbortSignal;
  /** The channel accepts: what waits for it is tried at once. */
  readonly probe: () => void;
  readonly changed: (change: BreakerChange) => void;
  readonly logged: (error: unknown) => void;
}

/** Never rejects. A failing test does not turn the channel to failing: whoever asked sees that. */
export async function sendDirect(message: OutgoingMessage, by: DirectSender, context: DirectContext): Promise<Outcome> {
  const { name, instances, breaker, account, deps } = context;
  const { store, clock } = deps;
  const known = breaker ?? (await createBreaker(name, store, clock).catch(() => undefined)); // the journal may be in trouble
  const health = known?.health ?? healthy(name, clock.now());
  const pausedUntil = Math.max(health.pausedUntil ?? 0, account.pausedUntil());
  const refused = refusedNow({ ...health, pausedUntil }, by, clock.now());
  if (refused) return refused;
  const outcome = await attempt(instances, { message, receipt: null }, clock, context.cancel);
  account.report(outcome);
  if (outcome.ok) context.probe();
  else if (outcome.retryAfter !== undefined || outcome.reason === 'rate-limited') {
    const change = await known?.record(outcome, { threadKey: message.threadKey }, false).catch(context.logged);
    if (change && change !== 'none') context.changed(change);
  }
  return outcome;
}
