// Durations and sizes as people write and read them. Without zod, so that a command which needs no settings loads none of it.

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

/** A duration as it is written in config.toml: "1h30m" for milliseconds. */
export function durationSetting(ms: number): string {
  if (ms === 0) return '0s';
  let left = Math.round(ms);
  let text = '';
  for (const [unit, length] of [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1_000],
    ['ms', 1],
  ] as const) {
    if (left < length) continue;
    text += `${Math.floor(left / length)}${unit}`;
    left %= length;
  }
  return text;
}

/** A size as it is written in config.toml: "200MB" for bytes. */
export function sizeSetting(bytes: number): string {
  const unit = (
    [
      ['GB', 1e9],
      ['MB', 1e6],
      ['KB', 1e3],
    ] as const
  ).find(([, length]) => bytes >= length && bytes % length === 0);
  return unit ? `${bytes / unit[1]}${unit[0]}` : `${bytes}B`;
}

/** A rough duration for people, in its largest unit: "45 s", "5 min", "3 h", "2 d". */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 6_000) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** A duration for people to the minute: "40 s", "12 min", "2 h 5 min"; null below a second. */
export function formatElapsed(seconds: number): string | null {
  if (!Number.isFinite(seconds) || seconds < 1) return null;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}
