// One send bypassing the outbox: not while the receiver asked to wait, and what it says of the channel counts.
import type { OutgoingMessage } from '../model/channel.ts';
import type { Outcome } from '../model/delivery.ts';
import { attempt } from './attempt.ts';
import { type Breaker, type BreakerChange, createBreaker } from './breaker.ts';
import type { ChannelInstances } from './channel-instance.ts';
import { type DirectSender, refusedNow } from './direct.ts';
import type { DeliveryDeps } from './deps.ts';

/** The channel's worker, as far as a direct send is concerned. */
export interface DirectContext {
  readonly name: string;
  readonly instances: ChannelInstances;
  /** Undefined until the worker has looked into the store. */
  readonly breaker: Breaker | undefined;
  readonly deps: DeliveryDeps;
  readonly cancel: AbortSignal;
  /** The channel accepts: what waits for it is tried at once. */
  readonly probe: () => void;
  readonly changed: (change: BreakerChange) => void;
  readonly logged: (error: unknown) => void;
}

/** Never rejects. A failing test does not turn the channel to failing: whoever asked sees that. */
export async function sendDirect(message: OutgoingMessage, by: DirectSender, context: DirectContext): Promise<Outcome> {
  const { name, instances, breaker, deps } = context;
  const { store, clock } = deps;
  const known = breaker ?? (await createBreaker(name, store, clock).catch(() => undefined)); // the journal may be in trouble
  const refused = known ? refusedNow(known.health, by, clock.now()) : null;
  if (refused) return refused;
  const outcome = await attempt(instances, { message, receipt: null }, clock, context.cancel);
  if (outcome.ok) context.probe();
  else if (outcome.retryAfter !== undefined || outcome.reason === 'rate-limited') {
    const change = await known?.record(outcome, { threadKey: message.threadKey }, false).catch(context.logged);
    if (change && change !== 'none') context.changed(change);
  }
  return outcome;
}
