// Spans of time, Unix ms: how long at least one of several went on.

/** From, and to where it ended. */
export type Span = readonly [from: number, to: number];

/** How long at least one of them went on between two times, ms: what overlaps counts once. */
export function coveredMs(spans: readonly Span[], from: number, to: number): number {
  const within = spans
    .map(([start, end]): Span => [Math.max(start, from), Math.min(end, to)])
    .filter(([start, end]) => end > start)
    .sort((a, b) => a[0] - b[0]);
  let total = 0;
  let until = -Infinity;
  for (const [start, end] of within) {
    total += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return total;
}
