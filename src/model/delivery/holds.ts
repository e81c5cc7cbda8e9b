// What holds deliveries back until one message takes the place of all of them: the names in `heldBy`.

/** Beginnings of the names of groups and storms. */
export const GROUP_HOLD = 'group:';
export const STORM_HOLD = 'storm:';
/** What quiet hours hold, and the beginnings of the names of what a mute and an outage of a channel hold. */
export const QUIET_HOLD = 'quiet';
export const MUTE_HOLD = 'mute:';
export const OUTAGE_HOLD = 'outage:';

/** Kind of the timers of events of which it is decided a little later whether anybody is notified. */
export const HOLD = 'hold';

/** It goes out soon, with what belongs to it: nobody asked for silence. Quiet hours, mutes and outages hold until a digest. */
export const isGroupHold = (heldBy: string): boolean => heldBy.startsWith(GROUP_HOLD) || heldBy.startsWith(STORM_HOLD);

/** Until a digest. */
export const isDigestHold = (heldBy: string): boolean => !isGroupHold(heldBy);

/** What holds until a digest, in words for people. */
export function holderWords(heldBy: string): string {
  if (heldBy.startsWith(MUTE_HOLD)) return 'a mute';
  return heldBy.startsWith(OUTAGE_HOLD) ? 'an outage of the channel' : 'quiet hours';
}

/** A hold that nobody ends, ms: after it the digest comes all the same. */
export const LONGEST_HOLD = 30 * 24 * 3_600_000;

/** Beginnings of the thread keys of digests, and of those that somebody asked for. */
export const DIGEST_THREAD = 'digest:';
export const ASKED_THREAD = 'digest-asked:';

/** Somebody asked for this digest, whatever is quiet or muted. */
export const isAskedFor = (threadKey: string): boolean => threadKey.startsWith(ASKED_THREAD);

/** How the note begins of what waits for its person to leave, or for "do not disturb" to end. */
export const WAITS = 'waits: ';
export const DO_NOT_DISTURB = '"do not disturb" is on';

/** Whether this thread is that of a batch that was sent, or goes on: its timer is named for it. */
export const isDigestThread = (threadKey: string): boolean =>
  threadKey.startsWith(DIGEST_THREAD) || threadKey.startsWith(ASKED_THREAD);
