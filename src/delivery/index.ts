// Delivery: one worker a channel takes what the outbox holds to its receiver.
import type { Clock } from '../lib/clock.ts';
import type { SendTools } from '../model/channel.ts';
import type { Attempt, Delivery, Outcome } from '../model/delivery.ts';
import type { Event } from '../model/event.ts';
import type { Notification } from '../model/notification.ts';
import type { Store } from '../store/contract.ts';
import { attempt } from './attempt.ts';
import type { ConfiguredChannel } from './configured.ts';
import { replay } from './replay.ts';
import { startWorker, type Worker } from './worker.ts';

export type { ConfiguredChannel } from './configured.ts';
export { startUpkeep } from './upkeep.ts';

/** What delivery stands on; handed in by the daemon. */
export interface DeliveryParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly env: SendTools['env'];
  readonly platform: NodeJS.Platform;
  readonly log: SendTools['log'];
  /** 0 to 1, for the jitter. */
  readonly random: () => number;
  /** Takes an event of Belfry's own; an event of the same id changes nothing. Resolves once it is in the journal. */
  readonly raise: (event: Event) => Promise<void>;
  /** After each attempt: for metrics and followers. `delivery` as it stands now. */
  readonly settled?: (delivery: Delivery, attempt: Attempt) => void;
}

export interface Deliveries {
  /** Something is waiting: for these channels, or for any. */
  wake(channels?: readonly string[]): void;
  /** Tries failing channels at once: after a mend. */
  probe(channel?: string): void;
  /** Takes over changed settings: workers begin, go on, or end. */
  configure(channels: ReadonlyMap<string, ConfiguredChannel>): Promise<void>;
  /** Sends one notification at once, past the outbox: for `belfry test`. Null: no such channel. */
  sendNow(channel: string, id: string, notification: Notification): Promise<Outcome | null>;
  /** Delivers again; returns the ids of the deliveries that will go out. */
  replay(deliveries: readonly Delivery[]): Promise<readonly string[]>;
  /** True when nothing is being sent. */
  readonly idle: boolean;
  /** Finishes what is in hand, at most `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

const GRACE = 5_000;

/** Starts a worker for each channel. */
export function createDelivery(parts: DeliveryParts, channels: ReadonlyMap<string, ConfiguredChannel>): Deliveries {
  const workers = new Map<string, Worker>();
  let known = channels;
  const begin = (configured: ConfiguredChannel): void =>
    void workers.set(configured.name, startWorker(configured, parts));
  for (const configured of channels.values()) begin(configured);

  return {
    wake: (names = [...workers.keys()]) => {
      for (const name of names) workers.get(name)?.wake();
    },
    probe: (name) => {
      for (const [key, worker] of workers) if (name === undefined || key === name) worker.probe();
    },
    configure: async (next) => {
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
    },
    sendNow: async (name, id, notification) => {
      const configured = known.get(name);
      if (!configured) return null;
      const outcome = await attempt(configured, { id, notification, attempt: 1, sessionKey: `event:${id}` }, parts);
      if (outcome.ok) workers.get(name)?.probe();
      return outcome;
    },
    replay: async (deliveries) => {
      const ids = await replay(parts.store, deliveries, parts.clock.now());
      for (const worker of workers.values()) worker.wake();
      return ids;
    },
    get idle() {
      return [...workers.values()].every((worker) => worker.idle);
    },
    stop: async (graceMs = GRACE) => {
      await Promise.all([...workers.values()].map((worker) => worker.stop(graceMs)));
    },
  };
}
