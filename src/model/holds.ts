// What holds a delivery back until it goes together with others: the names in `heldBy`.

/** Beginnings of the names of groups and storms. */
export const GROUP_HOLD = 'group:';
export const STORM_HOLD = 'storm:';

/** Kind of the timers of events of which it is decided a little later whether anybody is notified. */
export const HOLD = 'hold';

/** It goes out soon, with what belongs to it: nobody asked for silence. Quiet hours and mutes hold until a digest. */
export const isGroupHold = (heldBy: string): boolean => heldBy.startsWith(GROUP_HOLD) || heldBy.startsWith(STORM_HOLD);

/** Until a digest. */
export const isDigestHold = (heldBy: string): boolean => !isGroupHold(heldBy);

/** How the note begins of what waits for its person to leave. */
export const WAITS = 'waits: ';
