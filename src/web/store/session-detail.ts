// One session with its latest events: read once, then kept by the rows that the stream brings.
import type { ApiResult, StreamRows } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import type { Live } from '../api/live.ts';
import { useFollowed } from './followed.ts';

type Whole = ApiResult<'sessions.get'>;
export type SessionDetail = Pick<Whole, 'session' | 'events'>;

/** Events that are shown. */
const LATEST = 50;

/** `name`: its key, or its id where that names one. */
export function useSession(name: string): Live<SessionDetail> {
  return useFollowed<SessionDetail>(name, { read: (signal) => call('sessions.get', { key: name }, signal), withRows });
}

/** The same object where nothing of it changed. */
function withRows(before: SessionDetail, { sessions, events }: NonNullable<StreamRows>): SessionDetail {
  const { key, agent, session_id } = before.session;
  const session = sessions.find((row) => row.key === key);
  const own = events.filter((event) => event.session_id === session_id && event.agent === agent);
  if (session === undefined && own.length === 0) return before;
  const ids = new Set(own.map(({ id }) => id));
  const all = [...own, ...before.events.filter(({ id }) => !ids.has(id))];
  return {
    session: session ?? before.session,
    events: all.sort((a, b) => b.at.localeCompare(a.at)).slice(0, LATEST),
  };
}
