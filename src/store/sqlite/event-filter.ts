// Which events a list wants: by time, kind or session an index finds them; what only their text tells is looked for some hundreds at a time.
import { nextTurn } from '../../lib/clock.ts';
import type { EventFilter } from '../contract.ts';
import type { Database } from './engine/database.ts';
import { encode } from '../encoding.ts';
import { type Condition, IN_LIST, SLICE, when } from './engine/list-parts.ts';

interface Place {
  readonly row: number;
  readonly at: number;
}

/** A property of the event's JSON; null where that is damaged. */
const property = (name: string): string => `iif(json_valid(e.event), e.event ->> '$.${name}', NULL)`;

/** Text as it stands in the JSON of an event, for LIKE. */
const searched = (text: string): string => `%${JSON.stringify(text).slice(1, -1).replace(/[%_~]/g, '~$&')}%`;

/** What an index knows. */
function indexed({ since, until, session, afterRow, before }: EventFilter): readonly Condition[] {
  const byRow = afterRow === undefined ? '' : '+';
  return [
    ...when(since, `${byRow}e.at >= ?`, since ?? 0),
    ...when(until, `${byRow}e.at <= ?`, until ?? 0),
    ...when(session, 'e.session = ?', encode(session ?? '')),
    ...when(afterRow, 'e.row > ?', afterRow ?? 0),
    ...when(before, '(e.at, e.row) < (?, ?)', before?.at ?? 0, before?.row ?? 0),
  ];
}

/** What only the row itself tells. */
function inRow({ urgencies, agents, exceptAgent, text, failed }: EventFilter): readonly Condition[] {
  const unsent = `EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id AND +d.state IN ('dead', 'paused'))`;
  return [
    ...when(urgencies, `${property('urgency')} ${IN_LIST}`, JSON.stringify(urgencies)),
    ...when(agents, `${property('agent')} ${IN_LIST}`, JSON.stringify(agents)),
    ...when(exceptAgent, `${property('agent')} <> ?`, exceptAgent ?? ''),
    ...when(text, `e.event LIKE ? ESCAPE '~'`, searched(text ?? '')),
    ...when(failed || undefined, unsent),
  ];
}

/** A part for each kind is in order already, unless a session or a row narrows it better. */
function candidates(filter: EventFilter, more: readonly Condition[], limit: number): Condition {
  const { kinds, session, afterRow } = filter;
  const asOne = kinds === undefined || session !== undefined || afterRow !== undefined;
  const ofKinds = asOne
    ? [when(kinds, `+e.kind ${IN_LIST}`, JSON.stringify(kinds))]
    : kinds.map((kind) => when(kind, 'e.kind = ?', kind));
  const parts = ofKinds.map((ofKind) => {
    const all = [...ofKind, ...indexed(filter), ...more, ...when(true, 'true')];
    return {
      sql: `SELECT e.row AS row, e.at AS at FROM events e WHERE ${all.map(({ sql }) => sql).join(' AND ')}`,
      values: all.flatMap(({ values }) => values),
    };
  });
  // Events of different sessions are decided side by side, so a list goes by time; a follower needs their own order to miss none.
  const order = afterRow === undefined ? 'at DESC, row DESC' : 'row ASC';
  const union = parts.map(({ sql }) => sql).join(' UNION ALL ');
  return { sql: `${union} ORDER BY ${order} LIMIT ?`, values: [...parts.flatMap(({ values }) => values), limit] };
}

/** The rows, in the order of the list: the latest first, or for a follower the next ones. */
export async function eventRows(db: Database, filter: EventFilter, limit: number): Promise<readonly number[]> {
  if (filter.kinds?.length === 0) return [];
  const conditions = inRow(filter);
  // Of a session there are few.
  if (conditions.length === 0 || filter.session !== undefined) {
    const { sql, values } = candidates(filter, conditions, limit);
    return db.all<Place>(sql, ...values).map(({ row }) => row);
  }
  const found: number[] = [];
  for (let next = filter; ; await nextTurn()) {
    const { sql, values } = candidates(next, [], SLICE);
    const slice = db.all<Place>(sql, ...values);
    found.push(...matching(db, slice, conditions));
    const last = slice.at(-1);
    if (last === undefined || slice.length < SLICE || found.length >= limit) return found.slice(0, limit);
    next = filter.afterRow === undefined ? { ...filter, before: last } : { ...filter, afterRow: last.row };
  }
}

/** Those of a slice that fit, in its order. */
function matching(db: Database, slice: readonly Place[], conditions: readonly Condition[]): readonly number[] {
  const rows = db.all<{ row: number }>(
    `SELECT e.row FROM events e WHERE e.row ${IN_LIST} AND ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    JSON.stringify(slice.map(({ row }) => row)),
    ...conditions.flatMap(({ values }) => values),
  );
  const fit = new Set(rows.map(({ row }) => row));
  return slice.flatMap(({ row }) => (fit.has(row) ? row : []));
}
