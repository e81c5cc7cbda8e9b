// What all findings say together: holding back needs positive evidence that nothing contradicts, and that came in time.
import { type Evident, type Presence, UNKNOWN_PRESENCE } from '../../model/presence/presence.ts';
import { formatDuration } from '../../model/quantities.ts';
import type { Finding } from './detector.ts';

/** The first finding about it with the first of these answers that any has. */
function decisive(findings: readonly Finding[], about: Finding['about'], order: readonly Evident[]): Finding | null {
  const own = findings.filter((finding) => finding.about === about);
  for (const answer of order) {
    const found = own.find((finding) => finding.answer === answer);
    if (found) return found;
  }
  return null;
}

/** Whatever else may come, nobody is found to be there. `only`: what it is asked for. */
export function isSettled(findings: readonly Finding[], only: 'away' | 'idle'): boolean {
  const has = (about: Finding['about'], answer: Evident): boolean =>
    findings.some((finding) => finding.about === about && finding.answer === answer);
  return has('locked', 'yes') || (only === 'away' && has('looking', 'no'));
}

/** All input goes through the desktop that shows the session, where one says when the last was. */
function lastInput(findings: readonly Finding[], now: number): number | null {
  for (const about of ['idle', 'looking'] as const) {
    const known = findings.flatMap((finding) => (finding.about === about ? (finding.input ?? []) : []));
    const past = known.filter((at) => at <= now);
    if (past.length > 0) return Math.max(...past);
  }
  return null;
}

/** How it was asked. `late`: what did not answer in time, for people; null: everything did. Times in ms, `now` Unix. */
export interface Asked {
  readonly idleAfter: number;
  readonly now: number;
  readonly late: string | null;
}

/** A locked screen counts most; "not looking" more than "looking"; nobody looks who has been idle for long, and nobody is there if an answer is late. */
export function conclude(findings: readonly Finding[], { idleAfter, now, late }: Asked): Presence {
  const nothing = { ...UNKNOWN_PRESENCE, idleAfter };
  const locked = decisive(findings, 'locked', ['yes']);
  if (locked) return { ...nothing, looking: 'no', idle: 'yes', evidence: locked.evidence };
  const looking = decisive(findings, 'looking', ['no', 'yes', 'unknown']);
  const idle = decisive(findings, 'idle', ['no', 'yes', 'unknown']);
  const said = [looking, idle].flatMap((finding) => (finding ? [finding.evidence] : []));
  const input = lastInput(findings, now);
  const found = { ...nothing, looking: looking?.answer ?? 'unknown', idle: idle?.answer ?? 'unknown', input };
  if (late !== null) {
    const inTime = (answer: Evident, here: Evident): Evident => (answer === here ? 'unknown' : answer);
    const answers = { looking: inTime(found.looking, 'yes'), idle: inTime(found.idle, 'no'), input: null };
    return { ...found, ...answers, evidence: [...said, late].join('; ') };
  }
  const silence = input === null ? 0 : now - input;
  const isGone = found.looking === 'yes' && (found.idle === 'yes' || silence >= idleAfter);
  if (isGone) {
    const since = idle?.answer === 'yes' ? idle.evidence : `no input there for ${formatDuration(silence)}`;
    return { ...found, looking: 'no', evidence: `${looking?.evidence}, but ${since}` };
  }
  return said.length > 0 ? { ...found, evidence: said.join('; ') } : found;
}
