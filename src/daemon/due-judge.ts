// What the workers ask about a send that is due: who is there, what is quiet or muted by now, and what it means that somebody saw it.
import type { DecidingDeps } from '../decisions/deciding-deps.ts';
import { resolveSeen } from '../decisions/resolve-notification.ts';
import type { DueHold, DueJudge } from '../delivery/index.ts';
import { clockTime } from '../model/clock-time.ts';
import type { Config } from '../model/config.ts';
import type { Delivery } from '../model/delivery.ts';
import { isGroupHold } from '../model/holds.ts';
import {
  COUNTS_FROM_BEFORE,
  DIGEST,
  digestTimer,
  earliestOf,
  heldUntil,
  LONGEST_HOLD,
  muteEnd,
  mutedBy,
  muteHold,
  QUIET,
} from '../pipeline/index.ts';
import type { Store } from '../store/contract.ts';
import { channelProfiles } from './channel-profiles.ts';
import { type PresenceDeps, presenceReader } from './presence.ts';
import { endStaleMutes } from './stale-holds.ts';

type JudgeDeps = Pick<PresenceDeps, 'detect'> & {
  readonly store: Store;
  readonly config: () => Config;
  /** Unix ms. */
  readonly now: () => number;
  readonly deciding: DecidingDeps;
  readonly home: string;
  readonly wakeTimers: () => void;
  /** Whether "do not disturb" is on here. */
  readonly doNotDisturb: () => Promise<boolean>;
};

/** What would be heard is judged again after this, ms. */
const AGAIN = 30_000;

/** A record's, one that somebody asked for again, a digest, or a group's: whatever was quiet or muted was judged when it was planned. */
const isExempt = ({ unless, threadKey }: Delivery): boolean =>
  unless === 'none' || threadKey.startsWith(`${DIGEST}:`) || isGroupHold(threadKey);

/** What may differ between a send that was tried and the step that counts from it, ms. */
const TOLERANCE = 1_000;
/** Most sends of one notification that are read: the latest. */
const MOST = 500;

/** What was sent late, or in a digest, moves the steps that follow it; several that are overdue do not come at once. */
async function spacingOf(delivery: Delivery, { store, now, config }: JudgeDeps): Promise<DueHold | null> {
  const { notificationId, step, attempts, unless, content } = delivery;
  if (step === 0 || attempts > 0 || unless === 'none' || content.after === undefined) return null;
  const rows = await store.deliveries({ notificationId, operations: ['send'], limit: MOST });
  const failing = new Set(
    (await store.health()).flatMap(({ channel, state }) => (state === 'failing' ? [channel] : [])),
  );
  const profiles = channelProfiles(config());
  const at = now();
  const until = earliestOf(delivery, rows, {
    now: at,
    isForPeople: (channel) => profiles.get(channel)?.audience === 'people',
    isFailing: (channel) => failing.has(channel),
  });
  if (until - at <= TOLERANCE) return null;
  return { until, heldBy: null, timer: null, note: COUNTS_FROM_BEFORE };
}

/** A digest of its channel is to come at the end of the quiet hours: there the step would only repeat it. */
async function isDigested({ notificationId, channel }: Delivery, { store }: JudgeDeps): Promise<boolean> {
  const held = await store.deliveries({ notificationId, channel, heldBy: QUIET, states: ['pending'], limit: 1 });
  return held.length > 0;
}

async function holdOf(delivery: Delivery, deps: JudgeDeps): Promise<DueHold | null> {
  return (isExempt(delivery) ? null : await silenceOf(delivery, deps)) ?? (await spacingOf(delivery, deps));
}

/** What is muted or quiet by now. */
async function silenceOf(delivery: Delivery, deps: JudgeDeps): Promise<DueHold | null> {
  const { store, now, config, home, doNotDisturb } = deps;
  const { channel, content, step } = delivery;
  const at = now();
  const mute = mutedBy(content.event, { channel, due: at }, await store.silences(at), home);
  if (mute !== null) {
    const until = mute.until ?? at + LONGEST_HOLD;
    const heldBy = muteHold(mute);
    return { until, heldBy, timer: digestTimer(heldBy, until), note: `muted ${muteEnd(mute)}` };
  }
  const { audience = 'records', audible } = channelProfiles(config()).get(channel) ?? {};
  const until = heldUntil({ channel, due: at }, content.urgency, audience, config().quiet);
  if (until === null) {
    const waits = audible && content.urgency !== 'urgent' && (await doNotDisturb());
    return waits ? { until: at + AGAIN, heldBy: null, timer: null, note: 'waits: "do not disturb" is on' } : null;
  }
  const note = `quiet hours until ${clockTime(until)}`;
  // What follows a send waits for their end; a first send comes in the digest.
  if (step > 0 && !(await isDigested(delivery, deps))) return { until, heldBy: null, timer: null, note };
  return { until, heldBy: QUIET, timer: digestTimer(QUIET, until), note };
}

/** Builds it. */
export function createDueJudge(deps: JudgeDeps): DueJudge {
  return {
    presence: presenceReader(deps),
    hold: (delivery) => holdOf(delivery, deps),
    held: async ({ heldBy, timer }) => {
      if (heldBy !== null) await endStaleMutes([heldBy], deps.store, deps.now());
      if (timer !== null) deps.wakeTimers();
    },
    seen: (delivery, why) => resolveSeen(delivery.notificationId, why, deps.deciding),
  };
}
