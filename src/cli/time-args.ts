// Times on the command line: "2h" ago or a date, and how long ago something was.
import { LONGEST_DURATION, parseDuration } from '../model/quantities.ts';
import { EXIT, UserError } from '../model/errors.ts';

const DAY = 86_400_000;

/** Ms of a duration above zero. `what`: the option, where it is one. `most`: ms, whole days. */
export function durationOf(text: string, what = '', most = LONGEST_DURATION): number {
  const ms = parseDuration(text);
  const given = what === '' ? `"${text}"` : `${what} "${text}"`;
  if (ms === null || ms <= 0) throw new UserError(`${given} is not a duration such as 30m or 2h`, EXIT.usage);
  if (ms > most) throw new UserError(`${given} is too long: at most ${most / DAY}d`, EXIT.usage);
  return ms;
}

/** Unix ms of `--since`: a duration back from now, or a date. */
export function parseSince(text: string, now: number): number {
  const back = parseDuration(text);
  if (back !== null) return back === 0 ? now : now - durationOf(text, '--since');
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw new UserError(`"${text}" is neither a duration such as 2h nor a date such as 2026-03-01`, EXIT.usage);
}

/** "just now", "5 min ago", "3 h ago", "2 d ago". */
export function ago(at: number, now: number): string {
  const text = span(now - at);
  return text === '' ? 'just now' : `${text} ago`;
}

/** "45 s", "5 min", "3 h", "2 d"; empty below two seconds. */
export function span(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 2) return '';
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 6_000) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
