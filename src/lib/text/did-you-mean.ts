// "Did you mean": the nearest of the known names.

/** The shortest beginning that means a name, in characters. */
const BEGINNING = 3;

/** The known name nearest to `given` within two edits (one for short names), or the only one that begins so, or that `given` begins with and a hyphen; null when none is near. */
export function nearest(given: string, known: readonly string[]): string | null {
  const allowed = given.length <= 4 ? 1 : 2;
  let best: { name: string; slips: number } | null = null;
  for (const name of known) {
    if (Math.abs(name.length - given.length) > allowed) continue;
    const slips = distance(given.toLowerCase(), name.toLowerCase());
    if (slips <= allowed && (best === null || slips < best.slips)) best = { name, slips };
  }
  if (best !== null) return best.name;
  const typed = given.toLowerCase();
  const [begun, ...more] = known.filter((name) => name.toLowerCase().startsWith(typed) || typed.startsWith(`${name}-`));
  return given.length >= BEGINNING && more.length === 0 ? (begun ?? null) : null;
}

/** `; did you mean "x"?`, or the list of known names when it is short, or nothing. `whole`: a name as it is to be typed. */
export function didYouMean(
  given: string,
  known: readonly string[],
  whole: (name: string) => string = (name) => name,
): string {
  const near = nearest(given, known);
  if (near !== null) return `; did you mean "${whole(near)}"?`;
  return known.length > 0 && known.length <= 20 ? `; known: ${known.join(', ')}` : '';
}

/** Edits between two words, a swap of neighbours counting as one. */
function distance(a: string, b: string): number {
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (older[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    older = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
