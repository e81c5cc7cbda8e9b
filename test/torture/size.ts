// How hard: the whole form, or the short one that CI runs each time (BELFRY_TORTURE=short). Figures are printed as they are measured.

export const short = process.env['BELFRY_TORTURE'] === 'short';

/** The number for the form that runs. */
export const size = (whole: number, brief: number): number => (short ? brief : whole);

/** Prints a case's figures. */
export function figures(name: string, values: Readonly<Record<string, number | string>>): void {
  const line = Object.entries(values)
    .map(([key, value]) => `${key} ${typeof value === 'number' ? Math.round(value * 100) / 100 : value}`)
    .join(', ');
  process.stdout.write(`\n  ${name} (${short ? 'short' : 'whole'}): ${line}\n`);
}

/** Random numbers that a seed repeats: mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
