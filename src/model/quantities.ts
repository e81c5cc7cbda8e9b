// Durations and sizes as people write them. Without zod, so that a command which needs no settings loads none of it.

const DURATION = /^(\d+(?:\.\d+)?(ms|s|m|h|d))+$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of "3s", "1h30m", "250ms"; null when it is not a duration. */
export function parseDuration(text: string): number | null {
  if (!DURATION.test(text)) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g))
    total += Number(amount) * (UNITS[unit ?? ''] ?? 0);
  return total;
}

/** Longest duration that means anything, ms: times beyond it are in no calendar. */
export const LONGEST_DURATION = 3_650 * 86_400_000;

/** Bytes of "200MB", "64KiB", "1GB"; null when it is not a size. */
export function parseSize(text: string): number | null {
  const m = /^(\d+(?:\.\d+)?)\s*(B|KB|KiB|MB|MiB|GB|GiB)$/i.exec(text);
  if (!m) return null;
  const powers: Readonly<Record<string, number>> = {
    b: 1,
    kb: 1e3,
    kib: 1024,
    mb: 1e6,
    mib: 1024 ** 2,
    gb: 1e9,
    gib: 1024 ** 3,
  };
  return Math.round(Number(m[1]) * (powers[(m[2] ?? '').toLowerCase()] ?? 1));
}
