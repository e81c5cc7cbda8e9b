// The state of one session as it is published.
import { truncate } from '../../lib/text/text.ts';
import type { Level } from '../../model/notification/notification.ts';
import { sessionJson } from '../../model/row-json.ts';
import type { SessionRecord } from '../../model/session/session.ts';

/** A session that is over, or of which nothing is known any more, is shown so long: ms. */
const SHOWN_AFTER = 24 * 3_600_000;
const LAST_WORDS = 2_000;
const OVER: readonly string[] = ['ended', 'failed', 'unknown'];

/** Whether it is still shown. `now`: Unix ms. */
export function isShown({ state, lastEvent }: SessionRecord, now: number): boolean {
  return !OVER.includes(state) || now - lastEvent < SHOWN_AFTER;
}

/** The words of `belfry sessions --json`; at another level than `full` without what was said and run. */
export function stateDocument(record: SessionRecord, level: Level): ReturnType<typeof sessionJson> {
  const whole = sessionJson(record);
  if (level !== 'full') return { ...whole, last_words: null, running: [] };
  return { ...whole, last_words: whole.last_words === null ? null : truncate(whole.last_words, LAST_WORDS) };
}

/** How many there are in each state. */
export function countDocument(states: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = { waiting: 0, working: 0, total: 0 };
  for (const state of states) {
    counts[state] = (counts[state] ?? 0) + 1;
    counts['total'] = (counts['total'] ?? 0) + 1;
  }
  return counts;
}
