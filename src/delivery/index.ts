// Delivery: one worker a channel takes what the outbox holds to its receiver.
import { createTurns } from '../lib/in-turn.ts';
import type { Delivery, Outcome } from '../model/delivery.ts';
import type { NotificationContent } from '../model/notification.ts';
import { type ChannelFindings, checkChannel } from './check-channel.ts';
import type { ConfiguredChannel } from './configured-channel.ts';
import type { DeliveryDeps } from './deps.ts';
import type { DirectSender } from './direct.ts';
import { dropResolved } from './channel-failing.ts';
import { directMessage } from './outgoing-message.ts';
import { deadLetterRemoved } from './removed-channels.ts';
import { type Replay, replayDeliveries } from './replay.ts';
import { startWorker, type Worker } from './worker.ts';

export type { ConfiguredChannel } from './configured-channel.ts';

export type { DeliveryDeps } from './deps.ts';
export { removedReason } from './removed-channels.ts';
export { startRetention } from './retention.ts';

export interface DeliveryService {
  /** Something is waiting: for these channels, or for any. */
  wake(channels?: readonly string[]): void;
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

const GRACE = 5_000;

/** Ms that a removed channel's worker goes on: what was decided before the settings changed may be written after, and still goes out. */
const RETIREMENT = 10_000;

/** Starts a worker for each channel. */
export function createDeliveryService(
  deps: DeliveryDeps,
  channels: ReadonlyMap<string, ConfiguredChannel>,
): DeliveryService {
  const { store, clock, log } = deps;
  const workers = new Map<string, Worker>();
  /** Workers of removed channels that still go on, with what calls their end off. */
  const retiring = new Map<string, () => void>();
  /** Workers that finish what they send: their channels begin again only afterwards. */
  const ending = new Map<string, Promise<void>>();
  const inTurn = createTurns();
  let current = channels;
  let stopped = false;

  const isServed = (name: string): boolean => current.has(name) || workers.has(name) || ending.has(name);
  const giveUp = (): Promise<void> =>
    inTurn(async () => {
      if (stopped) return;
      const count = await deadLetterRemoved(store, isServed, clock.now());
      await dropResolved(store, clock.now()); // a channel that is gone fails no more
      if (count > 0) log('delivery: channels were removed from the settings, their deliveries are given up', { count });
    }).catch((error: unknown) =>
      log('delivery: the deliveries of removed channels could not be given up', { error: String(error) }),
    );

  function begin(configured: ConfiguredChannel): void {
    workers.set(configured.name, startWorker(configured, deps));
  }

  async function end(name: string, worker: Worker): Promise<void> {
    await worker.stop(GRACE);
    ending.delete(name);
    const back = current.get(name);
    if (back && !stopped) begin(back);
    else await giveUp();
  }

  function retire(name: string, worker: Worker): void {
    retiring.set(
      name,
      clock.setTimer(RETIREMENT, () => {
        retiring.delete(name);
        workers.delete(name);
        ending.set(name, end(name, worker));
      }),
    );
  }

  for (const configured of channels.values()) begin(configured);
  void giveUp(); // stop() waits for it

  return {
    wake: (names = [...workers.keys()]) => {
      for (const name of names) workers.get(name)?.wake();
      if (!names.every(isServed)) void giveUp(); // written after its channel's worker had ended
    },
    probe: (name) => {
      for (const [key, worker] of workers) if (name === undefined || key === name) worker.probe();
    },
    configure: (next) => {
      if (stopped) return;
      current = next;
      for (const configured of next.values()) {
        const { name } = configured;
        retiring.get(name)?.();
        retiring.delete(name);
        const worker = workers.get(name);
        if (worker) {
          worker.configure(configured);
          worker.probe();
        } else if (!ending.has(name)) begin(configured);
      }
      for (const [name, worker] of workers) if (!next.has(name) && !retiring.has(name)) retire(name, worker);
    },
    sendDirect: async (name, id, content, by) => {
      await ending.get(name);
      const worker = current.has(name) ? workers.get(name) : undefined;
      return worker ? worker.sendDirect(directMessage(id, content), by) : null;
    },
    check: () => Promise.all([...current.values()].map((configured) => checkChannel(configured, deps))),
    replay: async (deliveries) => {
      const result = await replayDeliveries(store, deliveries, new Set(current.keys()), clock.now());
      for (const worker of workers.values()) worker.wake();
      return result;
    },
    get idle() {
      return ending.size === 0 && [...workers.values()].every((worker) => worker.idle);
    },
    stop: async (graceMs = GRACE) => {
      stopped = true;
      for (const cancel of retiring.values()) cancel();
      await Promise.all([...ending.values(), ...[...workers.values()].map((worker) => worker.stop(graceMs))]);
      await inTurn(async () => undefined);
    },
  };
}
