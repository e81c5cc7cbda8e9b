// One session with its latest events: read once, then kept by the rows that the stream brings.
import { useEffect, useState } from 'preact/hooks';
import type { ApiResult, StreamRows } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { type Live, problemText } from '../api/live.ts';
import { watchRows } from '../api/stream.ts';

type Whole = ApiResult<'sessions.get'>;
export type SessionDetail = Pick<Whole, 'session' | 'events'>;

/** Events that are shown. */
const LATEST = 50;

type DetailListener = (rows: NonNullable<StreamRows> | 'everything') => void;
const details = new Set<DetailListener>();

watchRows((rows) => {
  for (const detail of details) detail(rows);
});

/** `name`: its key, or its id where that names one. */
export function useSession(name: string): Live<SessionDetail> {
  const [shown, setShown] = useState<SessionDetail>();
  const [problem, setProblem] = useState<string | null>(null);
  const [again, setAgain] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      try {
        setShown(await call('sessions.get', { key: name }, stop.signal));
        setProblem(null);
      } catch (error) {
        if (!stop.signal.aborted) setProblem(problemText(error));
      }
    };
    const take: DetailListener = (rows) => {
      if (rows === 'everything') void read();
      else setShown((before) => (before === undefined ? before : withRows(before, rows)));
    };
    details.add(take);
    void read();
    return () => {
      details.delete(take);
      stop.abort();
    };
  }, [name, again]);
  return { value: shown, problem, refresh: () => setAgain((count) => count + 1) };
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
