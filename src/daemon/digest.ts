// The end of quiet hours or of a mute: what was held and is still open goes out as one digest a channel, in one decision.
import type { Config } from '../model/config.ts';
import { type Delivery, newDelivery } from '../model/delivery.ts';
import { deliveryIdOf, notificationIdOf } from '../model/ids.ts';
import { type Notification, NOTIFICATION_LIFETIME, type NotificationContent } from '../model/notification.ts';
import type { Silence, Timer } from '../model/verdict.ts';
import { DIGEST, digestTimer, FIRST_REMINDER, heldUntil } from '../pipeline/index.ts';
import { IN_DIGEST, type PlannedCancel } from '../model/planned-delivery.ts';
import type { Decision } from '../store/contract.ts';
import { channelProfiles } from './channel-profiles.ts';
import { type HeldChannel, heldChannels } from './held-channels.ts';
import type { PipelineRunnerDeps } from './pipeline-runner-deps.ts';
import type { TimerHandler } from './scheduler.ts';

type DigestDeps = Pick<PipelineRunnerDeps, 'store' | 'clock' | 'config' | 'writer'>;

/** Of what is held, and is over by the time of the digest. */
const OVER_BEFORE = 'over before its digest';
/** Of a further step of what the digest is the first message of. */
const COUNTS_FROM_DIGEST = 'counts from the digest';

/** Until when a channel's digest has to wait itself: it is quiet there by now, or everything is muted. Null: it need not. */
function postponed(channel: string, config: Config, silences: readonly Silence[], now: number): number | null {
  const audience = channelProfiles(config).get(channel)?.audience ?? 'records';
  const ends = [heldUntil({ channel, due: now }, 'normal', audience, config.quiet) ?? now];
  for (const silence of silences)
    if (silence.session === null && silence.cwd === null && (silence.channel === null || silence.channel === channel))
      ends.push(silence.until ?? now + NOTIFICATION_LIFETIME);
  const end = Math.max(...ends);
  return end > now ? end : null;
}

/** The channels whose digest goes out now; those that have to wait are due later, and so is the timer. */
async function readyOf(
  held: readonly HeldChannel[],
  timer: Timer,
  hold: string,
  { store, clock, config }: DigestDeps,
): Promise<readonly HeldChannel[]> {
  if (timer.data['force'] === true) return held;
  const now = clock.now();
  const silences = await store.silences(now);
  const ready: HeldChannel[] = [];
  const ends: number[] = [];
  for (const one of held) {
    const later = postponed(one.channel, config(), silences, now);
    if (later === null) ready.push(one);
    else {
      ends.push(later);
      await store.moveHeld({ hold, channel: one.channel }, later, now);
    }
  }
  if (ready.length === 0) await store.setTimer(digestTimer(hold, Math.min(...ends)), now);
  return ready;
}

/** What `why` and `events` say of the events of a digest. */
async function coveredEvents(
  found: readonly { readonly channel: string; readonly content: NotificationContent }[],
  { store }: Pick<DigestDeps, 'store'>,
): Promise<Decision['events']> {
  const ids = [...new Set(found.flatMap(({ content }) => content.events))];
  const covered = ids.map(async (id): Promise<Decision['events']> => {
    const stored = await store.event(id);
    if (stored === null) return [];
    const channels = found.filter(({ content }) => content.events.includes(id)).map(({ channel }) => channel);
    const verdicts = [{ stage: DIGEST, verdict: 'route', note: `${channels.join(', ')}: in a digest` }] as const;
    return [{ event: stored.event, fingerprint: stored.fingerprint, verdicts }];
  });
  return (await Promise.all(covered)).flat();
}

/** A further step, planned again: it counts from the digest. A reminder is not: its timer knows that people are notified now. */
function afterDigest(row: Delivery, now: number): readonly Delivery[] {
  const { notificationId, eventId, channel, threadKey, step, unless, only, content, due } = row;
  if (step >= FIRST_REMINDER) return [];
  const of = { notificationId, operation: 'send', revision: row.revision + 1, step } as const;
  const own = { ...of, id: deliveryIdOf(eventId, channel, of), eventId, channel, threadKey, unless, only, content };
  return [{ ...newDelivery(now), ...own, due, scheduled: true }];
}

/** The digest's own notification and its sends, and what they take the place of. */
async function decisionOf(
  held: readonly HeldChannel[],
  timer: Timer,
  hold: string,
  deps: Pick<DigestDeps, 'store' | 'clock'>,
): Promise<Decision> {
  const now = deps.clock.now();
  const found = held.flatMap(({ channel, content }) => (content === null ? [] : [{ channel, content }]));
  const threadKey = `digest:${hold}:${timer.due}`;
  const first = found[0]?.content;
  const notificationId = notificationIdOf(`${threadKey}\n${first?.event.id ?? ''}`);
  const deliveries = found.map(({ channel, content }): Delivery => {
    const step = { notificationId, operation: 'send', revision: 1, step: 0 } as const;
    const eventId = content.event.id;
    const own = { ...step, id: deliveryIdOf(eventId, channel, step), eventId, channel, threadKey, content };
    return { ...newDelivery(now), ...own, unless: 'acknowledged' };
  });
  const cancel = held.flatMap(({ channel, rows, later, content }) =>
    [...rows, ...later].map((row): PlannedCancel => {
      const isIn = content?.events.includes(row.content.event.id) ?? false;
      const inDigest = isIn ? `${IN_DIGEST}${notificationId}` : OVER_BEFORE;
      const note = later.includes(row) ? COUNTS_FROM_DIGEST : inDigest;
      return { notificationId: row.notificationId, because: 'superseded', channels: [channel], step: row.step, note };
    }),
  );
  const notifications =
    first === undefined
      ? []
      : [
          digestNotification(
            { id: notificationId, threadKey, content: first, found: found.map(({ content }) => content) },
            now,
          ),
        ];
  return {
    ...{ entryId: `${timer.id}:${timer.due}`, at: now, sessions: [] },
    events: await coveredEvents(found, deps),
    ...{ notifications, cancel },
    deliveries: [...deliveries, ...held.flatMap(({ later }) => later.flatMap((row) => afterDigest(row, now)))],
    timers: { set: [], clear: [timer.id] },
  };
}

function digestNotification(
  of: {
    readonly id: string;
    readonly threadKey: string;
    readonly content: NotificationContent;
    readonly found: readonly NotificationContent[];
  },
  now: number,
): Notification {
  const { id, threadKey, content } = of;
  return {
    ...{ id, threadKey, kind: content.event.kind, detail: 'digest', urgency: content.urgency, title: content.title },
    ...{ state: 'open', revision: 1, version: 0 },
    eventIds: [...new Set(of.found.flatMap(({ events }) => events))],
    ...{ createdAt: now, updatedAt: now, acknowledged: null, resolved: null },
    expiresAt: now + NOTIFICATION_LIFETIME,
  };
}

/** What came while the digest was made, or was too much for one, is in the next. */
async function followUp({ data }: Timer, hold: string, { store, clock, config }: DigestDeps): Promise<void> {
  const now = clock.now();
  if ((await heldChannels(hold, store, config(), now)).length > 0)
    await store.setTimer(digestTimer(hold, now + 1, data['force'] === true), now);
}

/** Null: nothing is to be sent, or not yet. */
async function planDigest(timer: Timer, hold: string, deps: DigestDeps): Promise<Decision | null> {
  const { store, clock } = deps;
  const config = deps.config();
  const now = clock.now();
  const held = await heldChannels(hold, store, config, now);
  if (held.length === 0) {
    await store.clearTimer(timer.id);
    await followUp(timer, hold, deps);
    return null;
  }
  const ready = await readyOf(held, timer, hold, deps);
  return ready.length === 0 ? null : decisionOf(ready, timer, hold, deps);
}

/** For timers of kind `digest`. */
export function digestHandler(deps: DigestDeps): TimerHandler {
  return async (timer) => {
    const { store, clock, writer } = deps;
    const hold = String(timer.data['hold']);
    const { result } = await writer.write(() => planDigest(timer, hold, deps));
    const now = clock.now();
    if (result === 'already') await store.setTimer({ ...timer, due: now }, now); // decided before the clock was set back
    if (result === 'written') await followUp(timer, hold, deps);
  };
}
