// Delivery: one worker a channel takes what the outbox holds to its receiver.
import type { Clock } from '../lib/clock.ts';
import type { SendContext } from '../model/channel.ts';
import type { Attempt, Delivery, Outcome } from '../model/delivery.ts';
import type { Event } from '../model/event.ts';
import type { Notification } from '../model/notification.ts';
import type { Store } from '../store/contract.ts';
import { attempt } from './attempt.ts';
import { type ChannelFindings, checkChannel } from './check-channel.ts';
import type { ConfiguredChannel } from './configured-channel.ts';
import { deadLetterRemoved } from './removed-channels.ts';
import { type Replay, replayDeliveries } from './replay.ts';
import { startWorker, type Worker } from './worker.ts';

export type { ConfiguredChannel } from './configured-channel.ts';
export { removedReason } from './removed-channels.ts';
export { startRetention } from './retention.ts';

/** What delivery stands on; handed in by the daemon. */
export interface DeliveryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly env: SendContext['env'];
  readonly platform: NodeJS.Platform;
  readonly log: SendContext['log'];
  /** 0 to 1, for the jitter. */
  readonly random: () => number;
  /** Takes an event of Belfry's own; an event of the same id changes nothing. Resolves once it is in the journal. */
  readonly raise: (event: Event) => Promise<void>;
  /** After each attempt: for metrics and followers. `delivery` as it stands now. */
  readonly settled?: (delivery: Delivery, attempt: Attempt) => void;
}

export interface DeliveryService {
  /** Something is waiting: for these channels, or for any. */
  wake(channels?: readonly string[]): void;
  /** Tries failing channels at once: after a mend. */
  probe(channel?: string): void;
  /** Takes over changed settings: workers begin, go on, or end. */
  configure(channels: ReadonlyMap<string, ConfiguredChannel>): Promise<void>;
  /** Sends one notification at once, past the outbox: for `belfry test`. Null: no such channel. */
  sendDirect(channel: string, id: string, notification: Notification): Promise<Outcome | null>;
  /** What each channel in force finds of itself, with its settings and secrets as the workers have them; sends nothing. */
  check(): Promise<readonly ChannelFindings[]>;
  /** Delivers again. */
  replay(deliveries: readonly Delivery[]): Promise<Replay>;
  /** True when nothing is being sent. */
  readonly idle: boolean;
  /** Finishes what is in flight, at most `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

const GRACE = 5_000;

/** Starts a worker for each channel. */
export function createDeliveryService(
  deps: DeliveryDeps,
  channels: ReadonlyMap<string, ConfiguredChannel>,
): DeliveryService {
  const { store, clock, log } = deps;
  const workers = new Map<string, Worker>();
  let known = channels;
  let stopped = false;
  const begin = (configured: ConfiguredChannel): void =>
    void workers.set(configured.name, startWorker(configured, deps));

  /** One after the other: a channel that comes back begins once its former worker has ended. */
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(() => (stopped ? undefined : work()));
    last = done.catch(() => undefined); // told to whoever asked for it
    return done;
  };
  const giveUp = async (): Promise<void> => {
    try {
      const count = await deadLetterRemoved(store, (name) => known.has(name), clock.now());
      if (count > 0) log('delivery: channels are gone from the settings, what waited for them is given up', { count });
    } catch (error) {
      log('delivery: what waits for channels that are gone could not be given up', { error: String(error) });
    }
  };

  async function takeOver(next: ReadonlyMap<string, ConfiguredChannel>): Promise<void> {
    known = next;
    const gone = [...workers].filter(([name]) => !next.has(name));
    for (const [name] of gone) workers.delete(name);
    for (const configured of next.values()) {
      const worker = workers.get(configured.name);
      if (!worker) begin(configured);
      else {
        worker.configure(configured);
        worker.probe();
      }
    }
    await Promise.all(gone.map(([, worker]) => worker.stop(GRACE)));
    await giveUp();
  }

  for (const configured of channels.values()) begin(configured);
  void inTurn(giveUp);

  return {
    wake: (names = [...workers.keys()]) => {
      for (const name of names) workers.get(name)?.wake();
      // Decided before the settings changed, written after.
      if (names.some((name) => !workers.has(name))) void inTurn(giveUp);
    },
    probe: (name) => {
      for (const [key, worker] of workers) if (name === undefined || key === name) worker.probe();
    },
    configure: (next) => inTurn(() => takeOver(next)),
    sendDirect: async (name, id, notification) => {
      const configured = known.get(name);
      if (!configured) return null;
      const outcome = await attempt(configured, { id, notification, attempt: 1, sessionKey: `event:${id}` }, deps);
      if (outcome.ok) workers.get(name)?.probe();
      return outcome;
    },
    check: () => Promise.all([...known.values()].map((configured) => checkChannel(configured, deps))),
    replay: async (deliveries) => {
      const result = await replayDeliveries(store, deliveries, new Set(known.keys()), clock.now());
      for (const worker of workers.values()) worker.wake();
      return result;
    },
    get idle() {
      return [...workers.values()].every((worker) => worker.idle);
    },
    stop: async (graceMs = GRACE) => {
      stopped = true;
      await Promise.all([last, ...[...workers.values()].map((worker) => worker.stop(graceMs))]);
    },
  };
}
