// A time as lists, verdicts and notes show it to people.

/** `2026-11-21 15:54:12`, in the zone of this machine; `at`: Unix ms. */
export function clockTime(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '?';
  const two = (n: number): string => String(n).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
