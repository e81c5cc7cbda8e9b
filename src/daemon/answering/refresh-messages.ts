// Changes messages that carry answers when their question appears or ends: buttons come, or go and say why.
import type { MadeMessages, QuestionListeners } from '../../answering/index.ts';
import { answersNeed, capabilitiesOf } from '../../model/channel-capabilities.ts';
import { channelOf } from '../../channels/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../model/config.ts';
import { NOT_OVER } from '../../model/notification.ts';
import { type ChannelFacts, notificationFacts } from '../../pipeline/notification-facts.ts';
import type { Decision, Store } from '../../store/contract.ts';
import type { AcknowledgeDeps } from '../acknowledge.ts';
import { buildChanges } from '../build-changes.ts';
import { decideAgain } from '../decide-again.ts';

/** What it needs. */
export interface RefreshDeps extends Pick<AcknowledgeDeps, 'wake' | 'bus'> {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: () => Config;
  readonly made: Pick<MadeMessages, 'questionIn'>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** The refreshes that are under way. */
export interface Refreshes extends QuestionListeners {
  /** At once: the messages that went out without the question. */
  put(notificationId: string, questionId: string): void;
  /** At once: what is shown of it has changed. */
  changed(notificationId: string): void;
  /** Unless what closed it resolves its notification, which changes the messages as well. */
  closed(notificationId: string): void;
  /** At once. */
  answered(notificationId: string): void;
  /** At once: the message of this channel, which went away. */
  again(channel: string, notificationId: string): void;
  /** What is under way ends, what waits is dropped. */
  stop(): Promise<void>;
}

/** Ms that the pipeline has to resolve the notification. */
const PIPELINE = 350;

/** Whether a message needs the change, which was made or is being sent. */
type Needs = (message: ChannelFacts & { readonly notificationId: string }) => boolean;

/** Whether a channel can carry answers: its messages change, it brings back what people do with them, and it is said who may. */
export function carriesAnswers(config: Config, name: string): boolean {
  const own = config.channels.find((channel) => channel.name === name);
  const type = own && config.answer.channels.includes(name) ? channelOf(own.type) : undefined;
  if (own === undefined || type === undefined) return false;
  const { buttons, receive, update } = capabilitiesOf(type, own.settings);
  return buttons && receive && update && answersNeed(type, own.settings) === null;
}

/** Nothing is under way. */
export function createRefreshes(deps: RefreshDeps): Refreshes {
  const { store, clock, log } = deps;
  const underWay = new Set<Promise<unknown>>();
  const timers = new Set<() => void>();
  let stopped = false;

  async function refreshOnce(notificationId: string, needs: Needs): Promise<'done' | 'conflict'> {
    const decision = stopped ? null : await planned(notificationId, needs, deps);
    if (decision === null) return 'done';
    const result = await store.commitDecision(decision);
    if (result !== 'written') return result === 'conflict' ? 'conflict' : 'done';
    deps.wake([...new Set(decision.deliveries.map(({ channel }) => channel))]);
    deps.bus.publish({ type: 'decided', decision });
    return 'done';
  }

  function begin(notificationId: string, needs: Needs): void {
    if (stopped) return;
    const done = decideAgain(() => refreshOnce(notificationId, needs), `notification ${notificationId}`)
      .catch((error: unknown) => log('a message could not be changed for its question', { error: String(error) }))
      .finally(() => underWay.delete(done));
    underWay.add(done);
  }

  return {
    put: (notificationId, questionId) =>
      begin(notificationId, (message) => {
        const carries = deps.made.questionIn(message);
        const isToBeMade = message.sends === 'leased' && carries === undefined; // and will have it
        return !isToBeMade && carries !== questionId;
      }),
    closed: (notificationId) => {
      const cancel = clock.setTimer(PIPELINE, () => {
        timers.delete(cancel);
        begin(notificationId, () => true);
      });
      timers.add(cancel);
    },
    changed: (notificationId) => begin(notificationId, () => true),
    answered: (notificationId) => begin(notificationId, () => true),
    again: (name, notificationId) => begin(notificationId, ({ channel }) => channel === name),
    stop: async () => {
      stopped = true;
      for (const cancel of timers) cancel();
      await Promise.all(underWay);
    },
  };
}

/** Null: nothing was shown that has to change. */
async function planned(id: string, needs: Needs, { store, clock, config }: RefreshDeps): Promise<Decision | null> {
  const notification = await store.notification(id);
  if (notification === null || !NOT_OVER.some((state) => state === notification.state)) return null;
  const rows = await store.deliveryProgress([id]);
  const facts = notificationFacts(notification, null, rows);
  // An update that still waits shows the question as it is when it goes out.
  const waits = ({ channel, step }: ChannelFacts): boolean =>
    rows.some(
      (row) => row.channel === channel && row.step === step && row.operation === 'update' && row.state === 'pending',
    );
  // One whose send still waits has the question when it is sent.
  const shown = facts.channels.filter(
    (message) =>
      !message.retracted &&
      (message.sends === 'sent' || message.sends === 'leased') &&
      carriesAnswers(config(), message.channel) &&
      needs({ ...message, notificationId: id }) &&
      !waits(message),
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
