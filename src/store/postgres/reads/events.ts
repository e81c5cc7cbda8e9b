// What may be read of events.
import type { Event } from '../../../model/event/event.ts';
import type { Verdict } from '../../../model/event/verdict.ts';
import { decode, encode } from '../../encoding.ts';
import type { StoredEvent } from '../../records.ts';
import type { StoreReader } from '../../roles/reader.ts';
import { oneOf } from '../connection.ts';
import type { Reading } from './scope.ts';

interface EventRow {
  readonly row: number;
  readonly version: number;
  readonly fingerprint: string | null;
  readonly body: string;
  readonly verdicts: string;
}

/** Written from one. */
export const eventOf = (body: string): Event => JSON.parse(body) as Event;

const storedOf = ({ row, version, fingerprint, body, verdicts }: EventRow): StoredEvent => ({
  row,
  version,
  event: eventOf(body),
  verdicts: JSON.parse(verdicts) as readonly Verdict[], // written from them
  fingerprint: fingerprint === null ? null : decode(fingerprint),
});

const COLUMNS = 't.row, t.version, t.fingerprint, t.body, t.verdicts, t.at';
/** Text as it stands in the JSON of an event, for LIKE. */
const searched = (text: string): string => `%${JSON.stringify(text).slice(1, -1).replace(/[%_~]/g, '~$&')}%`;

/** The reads. */
export function eventReads({
  db,
  own,
}: Reading): Pick<StoreReader, 'event' | 'events' | 'eventsById' | 'lastEventRow'> {
  return {
    event: async (id) => {
      const { sql, values } = own('t', 'event', [['t.id = ?', encode(id)]]);
      const rows = await db.read<EventRow>(
        `SELECT ${COLUMNS} FROM event t WHERE ${sql} ORDER BY t.machine, t.at LIMIT 1`,
        values,
      );
      return rows.map(storedOf)[0] ?? null;
    },
    eventsById: async (ids) => {
      if (ids.length === 0) return new Map();
      const { sql, values } = own('t', 'event', [[`t.id ${oneOf('?')}`, ids.map(encode)]]);
      const rows = await db.read<{ body: string }>(`SELECT t.body FROM event t WHERE ${sql}`, values);
      return new Map(rows.map(({ body }) => eventOf(body)).map((event) => [event.id, event]));
    },
    events: async (filter) => {
      const {
        since,
        until,
        kinds,
        session,
        failed,
        urgencies,
        agents,
        exceptAgent,
        text,
        afterRow,
        before,
        limit = 1_000,
      } = filter;
      const { sql, values } = own('t', 'event', [
        since !== undefined && ['t.at >= ?', since],
        until !== undefined && ['t.at <= ?', until],
        kinds && ['t.kind = ANY(?::text[])', kinds],
        session !== undefined && ['t.session = ?', encode(session)],
        urgencies && ['t.urgency = ANY(?::text[])', urgencies],
        agents && ['t.agent = ANY(?::text[])', agents.map(encode)],
        exceptAgent !== undefined && ['t.agent <> ?', encode(exceptAgent)],
        afterRow !== undefined && ['t.row > ?', afterRow],
        before && ['(t.at, t.row) < (?, ?)', before.at, before.row],
        text !== undefined && [`t.body ILIKE ? ESCAPE '~'`, searched(text)],
        failed && [
          `EXISTS (SELECT 1 FROM delivery d WHERE d.org = t.org AND d.machine = t.machine AND d.event = t.id AND d.state IN ('dead', 'paused'))`,
        ],
      ]);
      // A list goes by time; a follower needs their own order to miss none.
      const order = afterRow === undefined ? 't.at DESC, t.row DESC' : 't.row';
      const found = await db.read<EventRow>(
        `SELECT ${COLUMNS} FROM event t WHERE ${sql} ORDER BY ${order} LIMIT ${limit}`,
        values,
      );
      return (afterRow === undefined ? found.toReversed() : found).map(storedOf);
    },
    lastEventRow: async () => {
      const { sql, values } = own('t', 'event');
      const [last] = await db.read<{ row: number | null }>(
        `SELECT max(t.row) AS row FROM event t WHERE ${sql}`,
        values,
      );
      return last?.row ?? 0;
    },
  };
}
