// One line of the daemon's log for a person: when, what, and the details.
import { clockTime } from '../../../model/time/clock-time.ts';
import { isObject, parseJson } from '../../../lib/json/json.ts';
import { oneLine } from '../../../lib/text/text.ts';

/** What every line has: not worth repeating. */
const COMMON: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'msg', 'hostname', 'v']);

/** `2026-03-01 10:00:00  message  key=value ...`; a line that is not JSON stays as it is. */
export function logLine(text: string): string {
  const entry = parseJson(text);
  if (!isObject(entry)) return oneLine(text);
  const at = Date.parse(String(entry['time']));
  const fields = Object.entries(entry)
    .filter(([key]) => !COMMON.has(key))
    .map(([key, value]) => `${key}=${shown(value)}`);
  const when = Number.isNaN(at) ? String(entry['time'] ?? '') : clockTime(at);
  return [when, String(entry['msg'] ?? ''), fields.join(' ')].map(oneLine).filter(Boolean).join('  ');
}

/** Text with spaces in quotes, so that fields stay distinguishable. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return typeof value === 'string' && (text === '' || /[\s"=]/.test(text)) ? JSON.stringify(text) : text;
}
