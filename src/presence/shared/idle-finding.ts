// How long there was no input, as a finding.
import { formatDuration } from '../../model/quantities.ts';
import type { Finding, Subject } from './detector.ts';

/** `ms`: since the last input; null, or what no clock shows: nothing is known. `where`: " in tmux", for people. */
export function idleFor(ms: number | null, { idle }: Pick<Subject, 'idle'>, where = ''): readonly Finding[] {
  if (ms === null || !Number.isFinite(ms) || ms < 0) return [];
  const time = formatDuration(Math.max(1_000, Math.floor(ms / 1_000) * 1_000));
  if (ms >= idle) return [{ about: 'idle', answer: 'yes', evidence: `no input${where} for ${time}` }];
  return [{ about: 'idle', answer: 'no', evidence: `input${where} ${time} ago` }];
}

/** The same of the desktop on which the session is shown: whatever is typed or moved for it is input there. */
export const idleOnDesktop = (ms: number | null, subject: Pick<Subject, 'idle' | 'now'>): readonly Finding[] =>
  idleFor(ms, subject).map((finding) => ({ ...finding, input: subject.now - (ms ?? 0) }));
