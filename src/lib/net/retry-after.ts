// The Retry-After header in both its forms: RFC 9110, section 10.2.3.

/** Longest wait believed, ms: a longer one is not credible. */
const LONGEST = 7 * 24 * 60 * 60 * 1000;

/** Milliseconds from `now` (Unix ms) that a Retry-After value asks for: seconds or an HTTP date; undefined when it is neither. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(LONGEST, Math.ceil(Number(text) * 1000));
  // An HTTP date always names a weekday and GMT; Date.parse alone would take "-1" or "2026".
  if (!/^[A-Za-z]{3,9},? .*\d/.test(text)) return undefined;
  const at = Date.parse(/GMT|UTC|[+-]\d{4}$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : Math.min(LONGEST, Math.max(0, at - now));
}
