// Why a notification is not open any more, in words for people.
import type { MessageResolution } from '../channel/channel.ts';
import type { Acknowledgement, Notification } from './notification.ts';

/** Through what a person acknowledged, where it is no channel. */
export const COMMAND_LINE = 'command line';

/** Who acknowledged or answered it: "acknowledged by dani on the command line". */
export function acknowledgedWords({ by, via, answered }: Omit<Acknowledgement, 'at'>): string {
  const what = answered ? 'answered' : 'acknowledged';
  return `${what} by ${by} ${via === COMMAND_LINE ? 'on the command line' : `through ${via}`}`;
}

/** Null while it is open, or when it is only too old. */
export function resolutionOf({ resolved, acknowledged }: Notification): MessageResolution | null {
  if (resolved !== null) return { state: 'resolved', ...resolved };
  if (acknowledged === null) return null;
  return { state: 'acknowledged', why: acknowledgedWords(acknowledged), at: acknowledged.at };
}

const SEEN = 'seen: ';

/** Why one is over whose person saw what it is about; `evidence`: what shows that. */
export const seenWords = (evidence: string): string => `${SEEN}${evidence}`;

/** When that was, Unix ms; null: it is not over, or for another reason. */
export const seenAt = ({ resolved }: Pick<Notification, 'resolved'>): number | null =>
  resolved?.why.startsWith(SEEN) ? resolved.at : null;
