// Changes messages that carry answers when their question appears or ends: buttons come, or go and say why.
import { capabilitiesOf } from '../model/channel-capabilities.ts';
import { channelOf } from '../channels/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../model/config.ts';
import { NOT_OVER } from '../model/notification.ts';
import { notificationFacts } from '../pipeline/notification-facts.ts';
import type { Decision, Store } from '../store/contract.ts';
import type { AcknowledgeDeps } from './acknowledge.ts';
import { buildChanges } from './build-changes.ts';

/** What it needs. */
export interface RefreshDeps extends Pick<AcknowledgeDeps, 'wake' | 'bus'> {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: () => Config;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** The refreshes that are under way. */
export interface Refreshes {
  /** `put`: at once; `closed`: unless what closed it resolves its notification, which changes the messages as well. */
  changed(notificationId: string, what: 'put' | 'closed'): void;
  /** What is under way ends, what waits is dropped. */
  stop(): Promise<void>;
}

/** Ms that the pipeline has to resolve the notification. */
const PIPELINE = 350;
const MOST_CONFLICTS = 5;

/** Whether a channel can carry answers: its messages change, and it brings back what people do with them. */
export function carriesAnswers(config: Config, name: string): boolean {
  const own = config.channels.find((channel) => channel.name === name);
  const type = own && config.answer.channels.includes(name) ? channelOf(own.type) : undefined;
  if (own === undefined || type === undefined) return false;
  const { buttons, receive, update } = capabilitiesOf(type, own.settings);
  return buttons && receive && update;
}

/** Nothing is under way. */
export function createRefreshes(deps: RefreshDeps): Refreshes {
  const { store, clock, log } = deps;
  const underWay = new Set<Promise<unknown>>();
  const timers = new Set<() => void>();
  let stopped = false;

  async function refresh(notificationId: string): Promise<void> {
    for (let attempt = 0; attempt < MOST_CONFLICTS && !stopped; attempt++) {
      const decision = await planned(notificationId, deps);
      if (decision === null) return;
      if ((await store.commitDecision(decision)) === 'conflict') continue;
      deps.wake([...new Set(decision.deliveries.map(({ channel }) => channel))]);
      return deps.bus.publish({ type: 'decided', decision });
    }
  }

  function begin(notificationId: string): void {
    if (stopped) return;
    const done = refresh(notificationId)
      .catch((error: unknown) => log('a message could not be changed for its question', { error: String(error) }))
      .finally(() => underWay.delete(done));
    underWay.add(done);
  }

  return {
    changed: (notificationId, what) => {
      if (what === 'put') return begin(notificationId);
      const cancel = clock.setTimer(PIPELINE, () => {
        timers.delete(cancel);
        begin(notificationId);
      });
      timers.add(cancel);
    },
    stop: async () => {
      stopped = true;
      for (const cancel of timers) cancel();
      await Promise.all(underWay);
    },
  };
}

/** Null: nothing was shown that could change. */
async function planned(id: string, { store, clock, config }: RefreshDeps): Promise<Decision | null> {
  const notification = await store.notification(id);
  if (notification === null || !NOT_OVER.some((state) => state === notification.state)) return null;
  const facts = notificationFacts(notification, null, await store.deliveryProgress([id]));
  // One whose send still waits has the question when it is sent.
  const shown = facts.channels.filter(
    ({ channel, sends, retracted }) =>
      !retracted && (sends === 'sent' || sends === 'leased') && carriesAnswers(config(), channel),
  );
  if (shown.length === 0) return null;
  const now = clock.now();
  const revision = 1 + Math.max(notification.revision, ...facts.channels.map((channel) => channel.revision));
  const plan = shown.map(({ channel, step }) => ({
    ...({ channel, step, revision, operation: 'update', due: now, unless: 'none', only: 'always' } as const),
    reason: 'its question has changed',
  }));
  return {
    entryId: `question:${id}:${notification.version}`,
    at: now,
    events: [],
    notifications: [{ ...notification, revision, updatedAt: now }],
    cancel: [],
    deliveries: await buildChanges(notification, plan, store, now),
    timers: { set: [], clear: [] },
    sessions: [],
  };
}
