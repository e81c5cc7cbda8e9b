// When messages that carry answers are changed: as their question appears or ends, buttons come, or go and say why.
import type { MadeMessages, QuestionListeners } from '../../answering/index.ts';
import type { DecidingDeps } from '../../decisions/deciding-deps.ts';
import { type Needs, refreshMessages } from '../../decisions/refresh-messages.ts';
import { canCarryAnswers } from '../../model/channel/capabilities.ts';
import { channelOf } from '../../channels/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../model/settings/config.ts';

/** What it needs. */
export interface RefreshDeps {
  readonly deciding: DecidingDeps;
  readonly clock: Clock;
  readonly config: () => Config;
  readonly made: Pick<MadeMessages, 'questionIn' | 'offers'>;
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

/** Whether a channel carries answers: it is to, and can. */
export function carriesAnswers(config: Config, name: string): boolean {
  const own = config.channels.find((channel) => channel.name === name);
  const type = own && config.answer.channels.includes(name) ? channelOf(own.type) : undefined;
  return own !== undefined && type !== undefined && canCarryAnswers(type, own.settings);
}

/** Nothing is under way. */
export function createRefreshes(deps: RefreshDeps): Refreshes {
  const { clock, config, log } = deps;
  const underWay = new Set<Promise<unknown>>();
  const timers = new Set<() => void>();
  let stopped = false;

  function begin(notificationId: string, needs: Needs): void {
    if (stopped) return;
    // What resolved the notification may come before its question ends: a message that was changed for that still offers an answer.
    const isStale: Needs = (message) => !message.isOver || deps.made.offers(message);
    const carrying: Needs = (message) =>
      !stopped && carriesAnswers(config(), message.channel) && isStale(message) && needs(message);
    const done = refreshMessages(notificationId, carrying, deps.deciding)
      .catch((error: unknown) => log('a message could not be changed for its question', { error: String(error) }))
      .finally(() => underWay.delete(done));
    underWay.add(done);
  }

  return {
    put: (notificationId, questionId) =>
      begin(notificationId, (message) => {
        const carries = deps.made.questionIn(message);
        const isToBeMade = message.sends === 'leased' && carries === undefined; // and will have it
        return !message.isOver && !isToBeMade && carries !== questionId;
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
