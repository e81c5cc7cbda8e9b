// What a decision needs, in two statements: what its input names (the session, what that has open, what was reported before, mutes), and what
// became of that; where some of it is in a group, a third has the timers.
import type { Event } from '../../model/event/event.ts';
import { notificationIdOf, sessionKeyText } from '../../model/ids.ts';
import { ENDED_BY_SESSION, LEFT_OPEN, MOST_OPEN, type Notification } from '../../model/notification/notification.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import { type Silence, silencesInForce } from '../../model/event/verdict.ts';
import type { DecisionFacts, FactsKey, Store } from '../contract.ts';
import type { Database, Value } from './engine/database.ts';
import { PROGRESS_OF, type ProgressCells, progressOf } from './outbox/delivery-reads.ts';
import { encode, parseJson } from '../encoding.ts';
import { type BareRow, bareEvent } from './events.ts';
import { notificationOf, PLANNED_SENDS, plannedSendsOf, type SendCells } from './notifications.ts';
import { recordOf, sessionColumns } from './state.ts';
import { timersOf } from './timers.ts';

/** One thing that was found. Which columns it has depends on what it is; `body`: JSON. */
interface Found<What extends string> {
  readonly what: What;
  readonly id: string | null;
  readonly at: number | null;
  readonly version: number | null;
  readonly body: string | null;
}

interface Part {
  readonly sql: string;
  readonly values: readonly Value[];
}

type Rows<What extends string> = (what: What) => readonly Found<What>[];

const rowsIn =
  <What extends string>(rows: readonly Found<What>[]): Rows<What> =>
  (what) =>
    rows.filter((row) => row.what === what);

/** The parts as one statement. */
function read<What extends string>(db: Database, parts: readonly Part[]): Rows<What> {
  const sql = parts.map((part) => part.sql).join(' UNION ALL ');
  return rowsIn(db.all<Found<What>>(sql, ...parts.flatMap(({ values }) => values)));
}

type Named = Pick<DecisionFacts, 'record' | 'children' | 'silences' | 'same' | 'byOthers' | 'open' | 'surplus'>;

const RECORD = `SELECT 'record' AS what, NULL AS id, NULL AS at, version, record AS body FROM sessions
  WHERE host = ? AND user = ? AND agent = ? AND session = ?`;
const CHILDREN = `SELECT * FROM (SELECT 'child', NULL, NULL, version, record FROM sessions
  WHERE last_event >= ? AND agent = ? AND parent = ? ORDER BY last_event)`;
const SILENCES = `SELECT 'silence' AS what, NULL AS id, NULL AS at, NULL AS version, silence AS body FROM silences`;
const SAME = `SELECT * FROM (SELECT 'same', id, at, NULL, event FROM events
  WHERE fingerprint = ? AND at >= ? ORDER BY +row DESC LIMIT 1)`;
const BY_OTHERS = `SELECT * FROM (SELECT 'report', id, at, NULL, event FROM events
  WHERE +kind = ? AND at >= ? AND session = ? AND iif(json_valid(event), event ->> '$.agent', NULL) <> ?
  ORDER BY at DESC, row DESC LIMIT ?)`;

/** Ones of a thread that are not over: the latest of some kinds, and of all those that have to give way. */
const OPEN = `SELECT iif(o.surplus, 'surplus', 'open') AS what, NULL AS id, n.row AS at, version, notification AS body
  FROM (SELECT row, kind, count(*) OVER () >= ${MOST_OPEN} AND row_number() OVER (ORDER BY row DESC) >= ${LEFT_OPEN} AS surplus
    FROM notifications
    WHERE thread_key = ? AND kind IN (SELECT value FROM json_each(?)) AND state IN ('open', 'acknowledged')
    ORDER BY row DESC LIMIT ${MOST_OPEN + MOST_OPEN / 2}) o
  CROSS JOIN notifications n ON n.row = o.row
  WHERE o.surplus OR o.kind IN (SELECT value FROM json_each(?))`;

/** Oldest first; a damaged one is left out. */
const notificationsOf = (rows: readonly Found<string>[]): readonly Notification[] =>
  rows
    .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
    .flatMap(({ version, body }) => notificationOf({ version: version ?? 0, notification: body ?? '' }));

const threadOf = (session: FactsKey['session']): string | null =>
  session === null ? null : encode(sessionKeyText(session));

/** What the input's own names find. */
function named(db: Database, { session, children, same, byOthers, ends, now }: FactsKey): Named {
  const parts: Part[] = [{ sql: SILENCES, values: [] }];
  if (session !== null)
    parts.push(
      { sql: RECORD, values: sessionColumns(session) },
      { sql: OPEN, values: [threadOf(session), JSON.stringify(ENDED_BY_SESSION), JSON.stringify(ends)] },
    );
  if (session !== null && children !== null)
    parts.push({ sql: CHILDREN, values: [children.since, encode(session.agent), encode(session.sessionId)] });
  if (same !== null) parts.push({ sql: SAME, values: [encode(same.fingerprint), same.since] });
  if (byOthers !== null) {
    const { kind, since, sessionId, agent, limit } = byOthers;
    parts.push({ sql: BY_OTHERS, values: [kind, since, encode(sessionId), agent, limit] });
  }
  const found = read<'record' | 'open' | 'surplus' | 'child' | 'silence' | 'same' | 'report'>(db, parts);
  const records = (what: 'record' | 'child'): readonly SessionRecord[] =>
    found(what).flatMap(({ version, body }) => recordOf({ version: version ?? 0, record: body ?? '' }));
  const events = (what: 'same' | 'report'): readonly Event[] => found(what).map(eventOf);
  const surplus = notificationsOf(found('surplus'));
  const silences = found('silence').flatMap(({ body }) => parseJson<Silence>(body ?? '') ?? []);
  return {
    record: records('record')[0] ?? null,
    children: records('child'),
    silences: silencesInForce(silences, now),
    same: events('same')[0] ?? null,
    byOthers: events('report').toReversed(),
    open: [...surplus, ...notificationsOf(found('open'))],
    surplus: surplus.map(({ id }) => id),
  };
}

/** Events are written with these columns. */
const eventOf = ({ id, at, body }: Found<string>): Event =>
  bareEvent({ id: id ?? '', at: at ?? 0, event: body ?? '' } satisfies BareRow);

type OfThread = Omit<DecisionFacts, keyof Named>;

/** Of notifications ?2 (ids), their first events ?3, all their events ?6, notifications ?8 themselves, and of the thread ?1. */
const AROUND = `SELECT 'progress' AS what, NULL AS id, NULL AS at, NULL AS version, (${PROGRESS_OF}
    WHERE notification_id IN (SELECT value FROM json_each(?2))) AS body
  UNION ALL SELECT 'event', id, at, NULL, event FROM events WHERE id IN (SELECT value FROM json_each(?3))
  UNION ALL SELECT 'group', NULL, row, version, notification FROM notifications
    WHERE id IN (SELECT notification_id FROM notification_events WHERE event_id IN (SELECT value FROM json_each(?6))) AND +state = 'open'
  UNION ALL SELECT 'sends', NULL, NULL, NULL, (${PLANNED_SENDS})
    WHERE EXISTS (SELECT 1 FROM notifications WHERE thread_key = ?1 LIMIT 1 OFFSET ?7)
  UNION ALL SELECT 'known', NULL, row, version, notification FROM notifications WHERE id IN (SELECT value FROM json_each(?8))`;

/** What became of what the session has open, and of the events that it names. */
function ofThread(db: Database, { session, sends, eventId, events }: FactsKey, found: Named): OfThread {
  const { open } = found;
  const list = (ids: readonly string[]): string => JSON.stringify(ids.map(encode));
  const ofEvents = [eventId, ...events(found)].map(notificationIdOf);
  const around = rowsIn(
    db.all<Found<'progress' | 'event' | 'group' | 'sends' | 'known'>>(
      AROUND,
      threadOf(session),
      list([...new Set([...open.map(({ id }) => id), ...ofEvents])]),
      list(open.flatMap(({ eventIds: [first] }) => first ?? [])),
      sends.since,
      sends.most,
      list(open.flatMap(({ eventIds }) => eventIds)),
      Math.max(0, sends.least - 1),
      list(ofEvents),
    ),
  );
  const cells = <T>(what: 'progress' | 'sends'): readonly T[] =>
    around(what).flatMap(({ body }) => JSON.parse(body ?? '[]') as readonly T[]); // what the statement makes
  const groups = notificationsOf(around('group')).filter(({ group }) => group !== undefined);
  const timers = timersOf(
    db,
    groups.map(({ threadKey }) => threadKey),
  );
  return {
    known: new Map(notificationsOf(around('known')).map((notification) => [notification.id, notification])),
    progress: cells<ProgressCells>('progress').map(progressOf),
    firsts: new Map(
      around('event')
        .map(eventOf)
        .map((event) => [event.id, event]),
    ),
    groups,
    groupTimers: new Map(timers.map((timer) => [timer.id, timer])),
    plannedSends: plannedSendsOf(cells<SendCells>('sends')),
  };
}

/** The read of decisions. */
export function factReads(db: Database): Pick<Store, 'factsFor'> {
  const factsOf = (key: FactsKey): DecisionFacts => {
    const found = named(db, key);
    return { ...found, ...ofThread(db, key, found) };
  };
  return { factsFor: async (keys) => keys.map(factsOf) };
}
