// What all findings say together: holding back needs positive evidence that nothing contradicts.
import { type Evident, type Presence, UNKNOWN_PRESENCE } from '../model/presence.ts';
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

/** A locked screen counts most; "not looking" more than "looking"; and nobody looks who has been idle for long. */
export function conclude(findings: readonly Finding[]): Presence {
  const locked = decisive(findings, 'locked', ['yes']);
  if (locked) return { away: false, looking: 'no', idle: 'yes', evidence: locked.evidence };
  const looking = decisive(findings, 'looking', ['no', 'yes', 'unknown']);
  const idle = decisive(findings, 'idle', ['no', 'yes', 'unknown']);
  const isIdle = idle?.answer === 'yes';
  const wasLooking = looking?.answer === 'yes' && isIdle;
  const evidence = [looking, idle].flatMap((finding) => (finding ? [finding.evidence] : []));
  return {
    away: false,
    looking: wasLooking ? 'no' : (looking?.answer ?? 'unknown'),
    idle: idle?.answer ?? 'unknown',
    evidence: evidence.length > 0 ? evidence.join(wasLooking ? ', but ' : '; ') : UNKNOWN_PRESENCE.evidence,
  };
}
