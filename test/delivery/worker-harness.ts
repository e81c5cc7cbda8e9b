// A harness for delivery tests: a real store, a manual clock, channels that answer as scripted and record what came.
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { asOutcome } from '../../src/channels/shared/operations.ts';
import {
  type ConfiguredChannel,
  createDeliveryService,
  type DeliveryService,
  type DeliveryDeps,
} from '../../src/delivery/index.ts';
import type { ChannelAccount, ChannelLimits, ChannelType, OutgoingMessage } from '../../src/model/channel/channel.ts';
import type { Outcome } from '../../src/model/delivery/delivery.ts';
import type { Event } from '../../src/model/event/event.ts';
import type { Store } from '../../src/store/contract.ts';
import { openStore } from '../../src/store/open.ts';
import { type VirtualClock, virtualClock } from '../support/clock.ts';
import { releaseTimer } from '../../src/dispatch/batch-plan.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDelivery } from '../support/made.ts';

/** A send as the channel saw it. */
export interface Seen {
  readonly id: string;
  readonly session: string;
  readonly attempt: number;
  readonly at: number;
  readonly title: string;
  readonly operation: OutgoingMessage['operation'];
  readonly receipt: unknown;
  readonly resolution: string | null;
  readonly threadReceipt: unknown;
}

export type Answers = (parcel: OutgoingMessage, nth: number, signal: AbortSignal) => Outcome | Promise<Outcome>;

export interface Stage {
  readonly store: Store;
  readonly clock: VirtualClock;
  readonly raised: Event[];
  readonly seen: Record<string, Seen[]>;
  readonly channels: ReadonlyMap<string, ConfiguredChannel>;
  /** Decides the answers of a channel from now on. */
  answer(channel: string, answers: Answers): void;
  /** Decides the form it gives to parcels. */
  render(channel: string, render: (parcel: OutgoingMessage) => string): void;
  /** Adds deliveries: `session:number` or just a session; created now. */
  add(channel: string, ...ids: string[]): Promise<void>;
  /** With the stage's channels, or with others. */
  start(others?: ReadonlyMap<string, ConfiguredChannel>): DeliveryService;
  /** Ends delivery at once, as a kill would: nothing in flight is settled. */
  kill(): Promise<void>;
  states(channel?: string): Promise<Record<string, string>>;
}

const ok: Outcome = { ok: true, status: 200 };

/** `random` is the jitter: 0.5 gives the table's own times. */
export async function stage(
  options: {
    channels?: readonly string[];
    limits?: Partial<ChannelLimits> | ((channel: string) => Partial<ChannelLimits>);
    /** The account of a channel; none by default. */
    account?: (channel: string) => ChannelAccount;
    /** Whether the receivers drop repeats; true by default. */
    idempotent?: boolean;
    audience?: ChannelType['audience'];
    /** Whether the channels can change what they sent; false by default. */
    changes?: boolean;
    /** Whether they keep a session's messages together; false by default. */
    thread?: boolean;
    start?: number;
    random?: () => number;
    /** Called when the store has claimed, before the worker hears of it. */
    afterClaim?: () => Promise<void>;
  } = {},
): Promise<Stage> {
  const file = join(temporaryFolder(), 'state', 'belfry.db');
  const clock = virtualClock(options.start);
  const seen: Record<string, Seen[]> = {};
  const answers: Record<string, Answers> = {};
  const renders: Record<string, (parcel: OutgoingMessage) => string> = {};
  const raised: Event[] = [];
  const opened = await openStore(file);
  const claim: Store['claim'] = async (...of) => {
    const claimed = await opened.claim(...of);
    await options.afterClaim?.();
    return claimed;
  };
  const store: Store = { ...opened, claim };
  const changes = options.changes ?? false;
  const configured = (name: string): ConfiguredChannel => {
    const list: Seen[] = [];
    seen[name] = list;
    const limits = typeof options.limits === 'function' ? options.limits(name) : options.limits;
    const account = options.account?.(name) ?? { identity: [name], minIntervalMs: 0 };
    const channel: ChannelType = {
      type: 'scripted',
      schema: z.unknown(),
      audience: options.audience ?? 'people',
      capabilities: {
        idempotent: options.idempotent ?? true,
        update: changes,
        retract: changes,
        thread: options.thread ?? false,
      },
      onResolved: 'keep',
      limits: () => ({ concurrency: 4, minIntervalMs: 0, timeoutMs: 9_000, ...limits }),
      ...(options.account && { account: () => account }),
      open: () => ({
        send: (message, { signal }) => perform(message, null, signal),
        update: (message, receipt, { signal }) => perform(message, receipt, signal),
        retract: (message, receipt, { signal }) => perform(message, receipt, signal),
        close: async () => undefined,
      }),
      check: async () => [],
      defaultSettings: null,
      setup: { intro: [], questions: [] },
      docs: { summary: 'answers as instructed', example: '' },
    };
    const perform = async (message: OutgoingMessage, receipt: unknown, signal: AbortSignal): Promise<Outcome> => {
      const title = asOutcome(() => ({ text: renders[name]?.(message) ?? message.content.title }));
      if ('ok' in title) return title;
      list.push({
        id: message.id,
        session: message.threadKey,
        attempt: message.attempt,
        at: clock.now(),
        title: title.text,
        operation: message.operation,
        receipt,
        resolution: message.resolution?.why ?? null,
        threadReceipt: message.threadReceipt,
      });
      return (await answers[name]?.(message, list.length, signal)) ?? ok;
    };
    return { name, channel, settings: {}, level: 'full' };
  };
  const channels = new Map((options.channels ?? ['team']).map((name) => [name, configured(name)]));
  const running = new Set<DeliveryService>();
  const parts: DeliveryDeps = {
    store,
    clock,
    env: {},
    platform: 'linux',
    stateFolder: dirname(file),
    log: () => undefined,
    random: options.random ?? (() => 0.5),
    judge: {
      ask: async () => ({ verdict: 'go', note: null }),
      timerOf: releaseTimer,
      held: async () => undefined,
      seen: async () => undefined,
    },
    raise: async (event) => {
      if (!raised.some((e) => e.id === event.id)) raised.push(event);
    },
  };
  onTestFinished(async () => {
    await Promise.all([...running].map((d) => d.stop(0)));
    await store.close();
  });
  return {
    store,
    clock,
    raised,
    seen,
    channels,
    answer: (channel, next) => {
      answers[channel] = next;
    },
    render: (channel, next) => {
      renders[channel] = next;
    },
    add: async (channel, ...ids) => {
      for (const id of ids)
        await store.addDelivery(
          madeDelivery({
            id,
            eventId: `event of ${id}`,
            channel,
            threadKey: id.split(':')[0] ?? id,
            due: clock.now(),
            createdAt: clock.now(),
            updatedAt: clock.now(),
          }),
        );
      for (const d of running) d.wake();
    },
    start: (others = channels) => {
      const deliveries = createDeliveryService(parts, others);
      running.add(deliveries);
      return deliveries;
    },
    kill: async () => {
      await Promise.all([...running].map((d) => d.stop(0)));
      running.clear();
    },
    states: async (channel = 'team') =>
      Object.fromEntries((await store.deliveries({ channel })).map((d) => [d.id, d.state])),
  };
}

/** Answers with a failure. */
export const fail = (reason: Exclude<Outcome, { ok: true }>['reason'], retryAfter?: number): Outcome => ({
  ok: false,
  reason,
  error: `made to fail: ${reason}`,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});
