// What is known of the person: what they said with `belfry away` and `belfry back`.
import { AWAY_CURSOR, awayAt, backAt } from '../model/away.ts';
import { clockTime } from '../model/clock-time.ts';
import { type Presence, type PresenceReader, UNKNOWN_PRESENCE } from '../model/presence.ts';
import { formatDuration } from '../model/quantities.ts';
import type { Store } from '../store/contract.ts';

/** Somebody who said to be back has used the machine: for so long they are not idle, ms. */
const ACTIVE = 180_000;

/** Reads it from the store. Where that is in trouble nothing is known. `now`: Unix ms. */
export function presenceReader({ cursor }: Pick<Store, 'cursor'>, now: () => number): PresenceReader {
  return async (): Promise<Presence> => {
    const stored = await cursor(AWAY_CURSOR).catch(() => null); // unknown is not present
    const at = now();
    const away = awayAt(stored, at);
    if (away !== null)
      return {
        away: true,
        looking: 'no',
        idle: 'yes',
        evidence: `you said that you are away until ${clockTime(away.until)}`,
      };
    const back = backAt(stored, at);
    if (back === null || at - back >= ACTIVE) return UNKNOWN_PRESENCE;
    return { ...UNKNOWN_PRESENCE, idle: 'no', evidence: `you said that you are back ${formatDuration(at - back)} ago` };
  };
}
