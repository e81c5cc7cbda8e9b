// What was decided about an event in the end: where it went, or why nobody was notified.
import type { Verdict } from './verdict.ts';

export interface EventOutcome {
  /** Channels it went or is to go to. */
  readonly channels: readonly string[];
  /** Why nobody was notified; null: somebody was, or nothing was said. */
  readonly note: string | null;
}

/** Null: nothing was decided. */
export function outcomeOf(verdicts: readonly Verdict[]): EventOutcome | null {
  const last = verdicts.findLast(({ verdict }) => verdict === 'route' || verdict === 'stop');
  if (last === undefined) return null;
  if (last.verdict === 'stop') return { channels: [], note: last.note };
  // "desk, team: route 1", then "phone: in a digest"
  const since = verdicts.findLastIndex(({ verdict }) => verdict === 'stop') + 1;
  const routed = verdicts.slice(since).filter(({ verdict }) => verdict === 'route');
  const named = routed.flatMap(({ note }) => (note.split(':', 1)[0] ?? '').split(', '));
  return { channels: [...new Set(named.filter((name) => name !== ''))], note: null };
}
