// Times on the command line: "2h" ago or a date, and how long ago something was.
import { durationSetting, formatDuration, LONGEST_DURATION, parseDuration } from '../../model/quantities.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { timeNamed } from '../../model/time/named-time.ts';

/** Ms of a duration above zero. `what`: the option, where it is one. `most`: ms, whole days. */
export function durationOf(text: string, what = '', most = LONGEST_DURATION): number {
  const ms = parseDuration(text);
  const given = what === '' ? `"${text}"` : `${what} "${text}"`;
  if (ms === null || ms <= 0) throw new UserError(`${given} is not a duration such as 30m or 2h`, EXIT.usage);
  if (ms > most) throw new UserError(`${given} is too long: at most ${durationSetting(most)}`, EXIT.usage);
  return ms;
}

/** Unix ms of `--since`: a duration back from now, or a date. */
export function parseSince(text: string, now: number): number {
  const back = parseDuration(text);
  if (back !== null) return back === 0 ? now : now - durationOf(text, '--since');
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN; // "2" would be a day of 2001
  if (!Number.isNaN(at)) return at;
  throw new UserError(`"${text}" is neither a duration such as 2h nor a date such as 2026-03-01`, EXIT.usage);
}

/** Unix ms of `--at`; without it now. */
export function parseAt(text: string | undefined, now: number): number {
  const at = text === undefined ? now : timeNamed(text, now);
  if (at !== null) return at;
  throw new UserError(`--at "${text}" is no time such as 23:30, "sat 03:00" or 2026-03-01T23:30`, EXIT.usage);
}

/** "just now", "5 min ago", "3 h ago", "2 d ago". */
export function ago(at: number, now: number): string {
  const ms = now - at;
  return ms < 1_500 ? 'just now' : `${formatDuration(ms)} ago`;
}
