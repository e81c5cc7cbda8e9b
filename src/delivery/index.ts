// Delivery: one worker a channel takes what the outbox holds to its receiver.
import type { Delivery, Outcome } from '../model/delivery/delivery.ts';
import type { NotificationContent } from '../model/notification/notification.ts';
import { type ChannelFindings, checkChannel } from './channel/check-channel.ts';
import type { ConfiguredChannel } from './channel/configured-channel.ts';
import type { DeliveryDeps } from './deps.ts';
import type { DirectSender } from './queue/direct-queue.ts';
import { directMessage } from './channel/attempt.ts';
import { createRemovedChannels } from './policy/removed-channels.ts';
import { type Replay, replayDeliveries } from './replay.ts';
import { GRACE, WorkerPool } from './queue/worker-pool.ts';
import type { WrittenRows } from './queue/worker-state.ts';

export type { ConfiguredChannel } from './channel/configured-channel.ts';

export type { DeliveryDeps, DueJudge } from './deps.ts';
export { removedReason } from './policy/removed-channels.ts';
export { startRetention } from './retention.ts';

export interface DeliveryService {
  /** Something is waiting: for these channels, or for any. */
  wake(channels?: readonly string[], written?: WrittenRows): void;
  /** Probes failing channels at once, after they were fixed. */
  probe(channel?: string): void;
  /** Takes over changed settings, at once: workers begin or go on; those of removed channels end a little later. */
  configure(channels: ReadonlyMap<string, ConfiguredChannel>): void;
  /** Sends one notification bypassing the outbox, within the channel's limits and what its receiver asked for. Null: no such channel. */
  sendDirect(channel: string, id: string, notification: NotificationContent, by: DirectSender): Promise<Outcome | null>;
  /** The check of each configured channel, with its settings and secrets as the workers have them; sends nothing. */
  check(): Promise<readonly ChannelFindings[]>;
  /** Delivers again. */
  replay(deliveries: readonly Delivery[]): Promise<Replay>;
  /** True when nothing is being sent. */
  readonly idle: boolean;
  /** Finishes what is in flight, at most `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

/** Starts a worker for each channel. */
export function createDeliveryService(
  deps: DeliveryDeps,
  channels: ReadonlyMap<string, ConfiguredChannel>,
): DeliveryService {
  const { store, clock } = deps;
  const removed = createRemovedChannels(deps);
  const pool = new WorkerPool(channels, deps, removed);
  const giveUp = (): void => void removed.giveUp(pool.isServed); // stop() waits for it
  giveUp();

  return {
    wake: (names = [...pool.workers().keys()], written = 'anything') => {
      const workers = pool.workers();
      for (const name of names) workers.get(name)?.wake(written);
      if (!names.every(pool.isServed)) giveUp(); // written after its channel's worker had ended
    },
    probe: (name) => {
      for (const [key, worker] of pool.workers()) if (name === undefined || key === name) worker.probe();
    },
    configure: (next) => pool.configure(next),
    sendDirect: async (name, id, content, by) => {
      const worker = await pool.workerOf(name);
      return worker ? worker.sendDirect(directMessage(id, content), by) : null;
    },
    check: () => Promise.all([...pool.channels.values()].map((configured) => checkChannel(configured, deps))),
    replay: async (deliveries) => {
      const result = await replayDeliveries(store, deliveries, new Set(pool.channels.keys()), clock.now());
      for (const worker of pool.workers().values()) worker.wake('anything');
      return result;
    },
    get idle() {
      return pool.idle;
    },
    stop: async (graceMs = GRACE) => {
      const ended = removed.stop();
      await pool.stop(graceMs);
      await ended;
    },
  };
}
