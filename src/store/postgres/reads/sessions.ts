// What may be read of sessions.
import { sessionKeyText } from '../../../model/ids.ts';
import type { SessionRecord } from '../../../model/session/session.ts';
import { decode, encode } from '../../encoding.ts';
import type { StoreReader } from '../../roles/reader.ts';
import type { Reading } from './scope.ts';

export interface SessionRow {
  readonly rev: number;
  readonly body: string;
}

/** Written from one. */
export const recordOf = ({ rev, body }: SessionRow): SessionRecord => ({
  ...(JSON.parse(body) as SessionRecord),
  version: rev,
});

/** The reads. */
export function sessionReads({ db, own }: Reading): Pick<StoreReader, 'session' | 'sessions' | 'lastEvents'> {
  return {
    session: async (key) => {
      const { sql, values } = own('t', 'session', [['t.key = ?', sessionKeyText(key)]]);
      const rows = await db.read<SessionRow>(
        `SELECT t.rev, t.body FROM session t WHERE ${sql} ORDER BY t.machine LIMIT 1`,
        values,
      );
      return rows.map(recordOf)[0] ?? null;
    },
    sessions: async ({ since, hasProcess, agent, parent }) => {
      const { sql, values } = own('t', 'session', [
        since !== undefined && ['t.last_event >= ?', since],
        agent !== undefined && ['t.agent = ?', encode(agent)],
        parent !== undefined && ['t.parent = ?', encode(parent)],
        // In JSON text a quote within a string is escaped: this is found nowhere else.
        hasProcess && [`strpos(t.body, '"process":{') > 0`],
      ]);
      return (
        await db.read<SessionRow>(`SELECT t.rev, t.body FROM session t WHERE ${sql} ORDER BY t.last_event`, values)
      ).map(recordOf);
    },
    lastEvents: async () => {
      const { sql, values } = own('t', 'session');
      const rows = await db.read<{ agent: string; at: number }>(
        `SELECT t.agent, max(t.last_event) AS at FROM session t WHERE ${sql} GROUP BY t.agent`,
        values,
      );
      return new Map(rows.map(({ agent, at }) => [decode(agent), at]));
    },
  };
}
