// The board of sessions, and one of them: read once for what is asked, then kept by the rows that the stream brings.
import type { ApiResult } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import type { Live } from '../api/live.ts';
import { useFollowed } from './followed.ts';

type Session = ApiResult<'sessions.list'>['sessions'][number];

export interface Board {
  readonly sessions: readonly Session[];
  /** How many there are; more than are listed where the list is cut. */
  readonly total: number;
}

export interface BoardFilter {
  readonly q: string;
  /** Those without an event for twelve hours too. */
  readonly all: boolean;
  readonly limit: number;
}

/** What was read last, so that whoever comes back sees it at once. */
let kept: { readonly key: string; readonly board: Board } | null = null;

export function useSessions(filter: BoardFilter): Live<Board> {
  const key = JSON.stringify(filter);
  return useFollowed<Board>(key, {
    read: (signal) => readBoard(filter, signal),
    withRows: (board, { sessions }) => (sessions.length === 0 ? board : withRows(board, sessions, filter)),
    first: kept?.key === key ? kept.board : undefined,
    keep: (board) => {
      kept = { key, board };
    },
  });
}

/** `name`: its key, or its id where that names one. */
export function useSession(name: string): Live<Session> {
  return useFollowed<Session>(name, {
    read: async (signal) => (await call('sessions.get', { key: name }, signal)).session,
    withRows: (session, { sessions }) => sessions.find(({ key }) => key === session.key) ?? session,
  });
}

/** Rows keep their places; those that are not listed come first, where they match: they are the latest, so also where the list is cut. */
export function withRows({ sessions, total }: Board, rows: readonly Session[], filter: BoardFilter): Board {
  const changed = new Map(rows.map((row) => [row.key, row]));
  const known = sessions.map((row) => {
    const next = changed.get(row.key);
    changed.delete(row.key);
    return next ?? row;
  });
  const added = [...changed.values()].filter((row) => matches(row, filter.q));
  // Of a list that is cut nobody knows whether they were among the others.
  const isCut = total > sessions.length;
  return {
    sessions: [...added, ...known],
    total: isCut ? Math.max(total, known.length + added.length) : total + added.length,
  };
}

/** As the interface searches. */
function matches({ title, project, branch, cwd, agent, session_id, last_words }: Session, q: string): boolean {
  return [title, project, branch, cwd, agent, session_id, last_words]
    .join('\n')
    .toLowerCase()
    .includes(q.toLowerCase());
}

/** The first `limit` sessions, page by page. */
async function readBoard({ q, all, limit }: BoardFilter, signal: AbortSignal): Promise<Board> {
  const sessions: Session[] = [];
  let total = 0;
  let cursor: string | null = null;
  do {
    const filter = { ...(q === '' ? {} : { q }), ...(all ? { all: 'true' as const } : {}) };
    const more: object = cursor === null ? {} : { cursor };
    const size = Math.min(500, limit - sessions.length);
    const page = await call('sessions.list', { ...filter, ...more, limit: size }, signal);
    sessions.push(...page.sessions);
    ({ total, cursor } = page);
  } while (cursor !== null && sessions.length < limit);
  return { sessions, total };
}
