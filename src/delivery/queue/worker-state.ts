// What the parts of one channel's worker share.
import { setMaxListeners } from 'node:events';
import { type AccountMember, createLimiter, type Limiter } from '../channel/accounts.ts';
import { type Breaker, type BreakerChange, changeBetween } from '../policy/breaker.ts';
import { type ChannelInstances, createChannelInstances } from '../channel/channel-instance.ts';
import type { ConfiguredChannel } from '../channel/configured-channel.ts';
import type { DeliveryDeps } from '../deps.ts';
import { createDirectSends, type DirectSends } from './direct-queue.ts';
import type { KeptRunning } from '../channel/keep-running.ts';
import { startListening, startMirroring } from '../channel/listen.ts';
import { createOutcomeRecorder, type OutcomeRecorder } from '../policy/record-outcome.ts';
import { createWakeLoop, type WakeLoop } from './wake-loop.ts';

/** What was written to the outbox. `sends`: no changes of messages. */
export type WrittenRows = 'sends' | 'anything';

/** What may wait in the outbox beside what is being sent, as far as is known without a look: nothing since a claim took the last, then what was written since. */
export type MayWait = 'nothing' | WrittenRows;

export interface WorkerState {
  readonly name: string;
  readonly deps: DeliveryDeps;
  readonly loop: WakeLoop;
  readonly instances: ChannelInstances;
  readonly limiter: Limiter;
  readonly account: AccountMember;
  readonly direct: DirectSends;
  readonly recorder: OutcomeRecorder;
  /** What goes on besides sends. */
  readonly running: readonly KeptRunning[];
  /** What is being sent, by delivery. */
  readonly inFlight: Map<string, Promise<void>>;
  /** Fires when what is in flight has to end. */
  readonly cancelled: AbortController;
  /** Undefined until the store was read. */
  breaker: Breaker | undefined;
  /** What follows from an outcome; kept until the store has taken it. */
  pendingChange: BreakerChange;
  /** A probe was asked for: it need not be due. */
  probeRequested: boolean;
  stopped: boolean;
  mayWait: MayWait;
  /** Unix ms, to see a clock that was set back. */
  lastNow: number;
}

/** Of a worker that has done nothing yet. `join`: makes it a member of its account. */
export function createWorkerState(
  first: ConfiguredChannel,
  deps: DeliveryDeps,
  join: (configuredNow: () => ConfiguredChannel) => AccountMember,
): WorkerState {
  const { clock } = deps;
  const loop = createWakeLoop(clock);
  const instances = createChannelInstances(first, deps);
  const account = join(instances.configured);
  const { limits } = instances;
  const limiter = createLimiter({ channel: first.name, limits, shared: account.paces }, clock, loop.wake);
  const cancelled = new AbortController();
  setMaxListeners(0, cancelled.signal); // one per running send
  return {
    name: first.name,
    deps,
    loop,
    instances,
    limiter,
    account,
    cancelled,
    direct: createDirectSends(limiter, clock),
    recorder: createOutcomeRecorder(deps),
    running: [startListening, startMirroring].map((start) => start(first.name, instances, deps)),
    inFlight: new Map(),
    breaker: undefined,
    pendingChange: 'none',
    probeRequested: false,
    stopped: false,
    mayWait: 'anything',
    lastNow: clock.now(),
  };
}

/** Something was written, or comes back. */
export function nowWaits(state: WorkerState, what: WrittenRows): void {
  if (what === 'anything' || state.mayWait === 'nothing') state.mayWait = what;
}

export const isFailing = ({ breaker }: WorkerState): boolean => breaker?.failing ?? false;

/** Unix ms until which the receiver asked for silence; 0: it did not. */
export const pausedUntil = ({ breaker, account }: WorkerState): number =>
  Math.max(breaker?.health.pausedUntil ?? 0, account.pausedUntil());

/** The breaker's state could not be written. */
export function logUnkept({ name, deps }: WorkerState, error: unknown): void {
  deps.log('delivery: the state of a channel could not be kept', { channel: name, error: String(error) });
}

/** The same, while an outcome was recorded: in memory the state has changed even so. */
export function unkeptChange(state: WorkerState, error: unknown, before: boolean): BreakerChange {
  logUnkept(state, error);
  return changeBetween(before, state.breaker?.failing ?? before);
}
