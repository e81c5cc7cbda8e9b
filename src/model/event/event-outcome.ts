// What was decided about an event in the end: where it went, or why nobody was notified.
import type { Verdict } from './verdict.ts';

export interface EventOutcome {
  /** Channels it went or is to go to. */
  readonly channels: readonly string[];
  /** Why nobody was notified, in plain words; null: somebody was, or nothing was said. */
  readonly note: string | null;
}

/** "route 2 (kind agent.waiting), then route 3": without what its match says, which has names of our own. */
export const plainRoutes = (label: string): string =>
  label
    .replaceAll(/route (\d+)(?: \([^)]*\))?/g, 'route $1')
    .replaceAll(', then ', ' and ')
    .replace('no route matches', 'no route takes it');

/** What kept it from everybody, in plain words. */
export const stopWords = ({ stage, note }: Verdict): string => (stage === 'route' ? plainRoutes(note) : note);

/** Null: nothing was decided. */
export function outcomeOf(verdicts: readonly Verdict[]): EventOutcome | null {
  const last = verdicts.findLast(({ verdict }) => verdict === 'route' || verdict === 'stop');
  if (last === undefined) return null;
  if (last.verdict === 'stop') return { channels: [], note: stopWords(last) };
  // "desk, team: route 1", then "phone: in a digest"
  const since = verdicts.findLastIndex(({ verdict }) => verdict === 'stop') + 1;
  const routed = verdicts.slice(since).filter(({ verdict }) => verdict === 'route');
  const named = routed.flatMap(({ note }) => (note.split(':', 1)[0] ?? '').split(', '));
  return { channels: [...new Set(named.filter((name) => name !== ''))], note: null };
}
