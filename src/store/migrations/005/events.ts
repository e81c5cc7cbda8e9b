// Events and verdicts under their new names.
import type { Whereabouts } from '../../../model/session/whereabouts.ts';
import type { Database, Row } from '../../sqlite/engine/database.ts';
import { parseJson } from '../../encoding.ts';
import { type Json, objectOf, renamed, rowsOf } from './rows.ts';

const STAGES: Readonly<Record<string, string>> = { assess: 'classify', ledger: 'session', fold: 'correlate' };

/** An event as schema 5 has it. */
export function eventOf(old: unknown, here: Whereabouts): Json {
  const { attributes, ...event } = renamed(objectOf(old), { words: 'presetText', extra: 'attributes' });
  const kept = renamed(objectOf(attributes), { last_words: 'last_assistant_message' });
  return { presetText: null, ...here, place: null, ...event, attributes: kept };
}

function verdictOf(old: unknown): Json {
  const verdict = objectOf(old);
  const stage = String(verdict['stage']);
  return {
    ...verdict,
    stage: STAGES[stage] ?? stage,
    verdict: verdict['verdict'] === 'to' ? 'route' : verdict['verdict'],
  };
}

interface EventRow extends Row {
  readonly number: number;
  readonly event: string;
  readonly verdicts: string;
}

interface EntryRow extends Row {
  readonly number: number;
  readonly header: string;
}

/** Those decided, and those of Belfry's own that are not decided yet. */
export function rewriteEvents(db: Database, here: Whereabouts): void {
  for (const { number, event, verdicts } of rowsOf<EventRow>(db, 'events', 'row', 'event, verdicts')) {
    const list = parseJson<unknown>(verdicts);
    db.run(
      'UPDATE events SET event = ?, verdicts = ? WHERE row = ?',
      JSON.stringify(eventOf(event, here)),
      JSON.stringify(Array.isArray(list) ? list.map(verdictOf) : []),
      number,
    );
  }
  for (const { number, header } of rowsOf<EntryRow>(db, 'journal', 'row', 'header')) {
    const { event, ...rest } = objectOf(header);
    if (event === undefined) continue;
    const text = JSON.stringify({ ...rest, event: eventOf(event, here) });
    db.run('UPDATE journal SET header = ? WHERE row = ? AND decided_at IS NULL', text, number);
  }
}
