// How long a stopped session waits before it goes on by itself, in ms. `random`: 0 to 1.

const MINUTE = 60_000;
/** After a reset: it may come late, and not all are to come at once. */
const AFTER_RESET = [15_000, 60_000] as const;
/** After a server error or a network error: the next one each time that it happens again. Clients have tried for minutes by then. */
const PAUSES = [2, 5, 15, 30].map((minutes) => minutes * MINUTE);
/** Part by which such a pause is longer at most. */
const SPREAD = 0.2;

/** Once the limit is over for certain. */
export function waitAfterReset(random: number): number {
  const [least, most] = AFTER_RESET;
  return Math.round(least + (most - least) * random);
}

/** `times`: how often it went on by itself before. */
export function pauseAfter(times: number, random: number): number {
  const pause = PAUSES[Math.min(times, PAUSES.length - 1)] ?? 0;
  return Math.round(pause * (1 + SPREAD * random));
}
