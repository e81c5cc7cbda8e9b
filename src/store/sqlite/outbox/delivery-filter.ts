// Which deliveries a list wants: found by an index and in order, and what only the row tells is looked for some hundreds at a time.
import { nextTurn } from '../../../lib/clock.ts';
import { DELIVERY_STATES, type DeliveryState } from '../../../model/delivery/delivery.ts';
import { GROUP_HOLD, STORM_HOLD } from '../../../model/delivery/holds.ts';
import type { DeliveryFilter } from '../../contract.ts';
import type { Database, Value } from '../engine/database.ts';
import { encode } from '../../encoding.ts';
import { type Condition, IN_LIST, SLICE, when } from '../engine/list-parts.ts';

/** As model/delivery/holds.ts has it; without the mark of {@link encode}. */
const begins = (name: string): string => `substr(ltrim(held_by, char(1, 34)), 1, ${name.length}) = '${name}'`;
const FOR_DIGEST = `(held_by IS NOT NULL AND NOT ${begins(GROUP_HOLD)} AND NOT ${begins(STORM_HOLD)})`;

interface Place {
  readonly seq: number;
  readonly createdAt: number;
}

const text = (given: string | undefined): string => encode(given ?? '');
const list = (given: readonly string[] | undefined): string => JSON.stringify((given ?? []).map(encode));

/** From one channel to the next in the index, whatever each has. */
const CHANNELS_OF = `WITH RECURSIVE found (channel) AS (
    SELECT min(channel) FROM deliveries WHERE state = ?1
    UNION ALL
    SELECT (SELECT min(d.channel) FROM deliveries d WHERE d.state = ?1 AND d.channel > found.channel)
    FROM found WHERE found.channel IS NOT NULL)
  SELECT channel FROM found WHERE channel IS NOT NULL`;

/** Channels, as their column has them, that have a delivery in this state. */
export const channelsOf = (db: Database, state: DeliveryState): readonly string[] =>
  db.all<{ channel: string }>(CHANNELS_OF, state).map(({ channel }) => channel);

/** What names few rows, each by an index. */
function narrowing({ ids, eventId, covers, notificationId, session }: DeliveryFilter): readonly Condition[] {
  const covering = `(event_id = ? OR notification_id IN (SELECT notification_id FROM notification_events WHERE event_id = ?))`;
  return [
    ...when(ids, `id ${IN_LIST}`, list(ids)),
    ...when(eventId, 'event_id = ?', text(eventId)),
    ...when(covers, covering, text(covers), text(covers)),
    ...when(notificationId, 'notification_id = ?', text(notificationId)),
    ...when(session, 'event_id IN (SELECT id FROM events WHERE session = ?)', text(session)),
  ];
}

/** What only the row tells. */
function inRow(filter: DeliveryFilter): readonly Condition[] {
  const { since, createdBefore, updatedSince, heldBy, heldForDigest, scheduled, operations, step, kinds } = filter;
  const ofKind = `EXISTS (SELECT 1 FROM events e WHERE e.id = deliveries.event_id AND +e.kind ${IN_LIST})`;
  return [
    ...when(since, '+created_at >= ?', since ?? 0),
    ...when(createdBefore, '+created_at < ?', createdBefore ?? 0),
    ...when(updatedSince, '+updated_at >= ?', updatedSince ?? 0),
    ...(typeof heldBy === 'string' ? when(heldBy, 'held_by = ?', encode(heldBy)) : when(heldBy, 'held_by IS NOT NULL')),
    ...when(heldForDigest, `${FOR_DIGEST} = ?`, Number(heldForDigest)),
    ...when(scheduled, 'scheduled = ?', Number(scheduled)),
    ...when(operations, `operation ${IN_LIST}`, list(operations)),
    ...when(step, 'step = ?', step ?? 0),
    ...when(kinds, ofKind, list(kinds)),
  ];
}

/** Compounds that SQLite takes in one statement, with room. */
const MOST_PARTS = 400;

/** Parts of the outbox that are in order already, so that the first of all are found without sorting the rest. */
function parts(db: Database, { states, channel }: DeliveryFilter): readonly (readonly Condition[])[] {
  const found = (states ?? (channel === undefined ? [] : DELIVERY_STATES)).flatMap((state) =>
    (channel === undefined ? channelsOf(db, state) : [encode(channel)]).flatMap((name) =>
      [0, 1].map((scheduled) => [
        ...when(state, 'state = ?', state),
        ...when(name, 'channel = ?', name),
        ...when(true, `scheduled = ${scheduled}`),
      ]),
    ),
  );
  const all = [...when(states, `+state ${IN_LIST}`, list(states)), ...when(channel, 'channel = ?', text(channel))];
  const isSplit = (states !== undefined || channel !== undefined) && found.length <= MOST_PARTS;
  return isSplit ? found : [all];
}

const select = (conditions: readonly Condition[]): Condition => ({
  sql: `SELECT seq, created_at AS createdAt FROM deliveries WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
  values: conditions.flatMap(({ values }) => values),
});

/** Few rows: named, or what is held and pending, which has an index of its own, taken for these very words. */
function few(filter: DeliveryFilter): readonly Condition[] | null {
  const { heldBy, states, channel } = filter;
  const narrow = narrowing(filter);
  const isHeld = narrow.length === 0 && heldBy !== undefined && states?.length === 1 && states[0] === 'pending';
  if (narrow.length === 0 && !isHeld) return null;
  const ofStates = isHeld ? when(true, `state = 'pending'`) : when(states, `+state ${IN_LIST}`, list(states));
  return [...narrow, ...ofStates, ...when(channel, 'channel = ?', text(channel)), ...inRow(filter)];
}

/** The numbers of the rows, in no order. */
export async function deliveryNumbers(db: Database, filter: DeliveryFilter, limit: number): Promise<readonly number[]> {
  const { fromOldest = false, since, beforeId } = filter;
  const order = `ORDER BY seq ${fromOldest ? 'ASC' : 'DESC'} LIMIT ?`;
  const rows = (from: readonly (readonly Condition[])[], most: number): readonly Place[] => {
    const before = when(beforeId, 'seq < (SELECT b.seq FROM deliveries b WHERE b.id = ?)', text(beforeId));
    const selected = from.map((conditions) => select([...conditions, ...before, ...when(true, 'true')]));
    const sql = `${selected.map((part) => part.sql).join(' UNION ALL ')} ${order}`;
    return selected.length === 0 ? [] : db.all<Place>(sql, ...selected.flatMap(({ values }) => values), most);
  };
  const named = few(filter);
  if (named !== null) return rows([named], limit).map(({ seq }) => seq);
  const conditions = inRow(filter);
  const from = parts(db, filter);
  if (conditions.length === 0) return rows(from, limit).map(({ seq }) => seq);
  const found: number[] = [];
  for (let after: readonly Condition[] = []; ; await nextTurn()) {
    const slice = rows(
      from.map((one) => [...one, ...after]),
      SLICE,
    );
    found.push(...matching(db, slice, conditions));
    const last = slice.at(-1);
    if (last === undefined || slice.length < SLICE || found.length >= limit) return found.slice(0, limit);
    // They are numbered as they are made: before so many older ones there is none that is young enough.
    if (!fromOldest && since !== undefined && slice.every(({ createdAt }) => createdAt < since)) return found;
    after = when(true, `seq ${fromOldest ? '>' : '<'} ?`, last.seq);
  }
}

/** Those of a slice that fit, in its order. */
function matching(db: Database, slice: readonly Place[], conditions: readonly Condition[]): readonly number[] {
  const values: Value[] = conditions.flatMap(({ values }) => values);
  const rows = db.all<{ seq: number }>(
    `SELECT seq FROM deliveries WHERE seq ${IN_LIST} AND ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    JSON.stringify(slice.map(({ seq }) => seq)),
    ...values,
  );
  const fit = new Set(rows.map(({ seq }) => seq));
  return slice.flatMap(({ seq }) => (fit.has(seq) ? seq : []));
}
