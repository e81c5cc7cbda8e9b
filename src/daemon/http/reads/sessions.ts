// Sessions: the board, and one session with what belongs to it.
import { Refusal } from '../../../http/api/refusal.ts';
import type { ApiCall, ApiResult } from '../../../http/api/contract.ts';
import { pathKeyOf, sessionKeyText } from '../../../model/ids.ts';
import { type BesideRecord, sessionJson } from '../../../model/row-json.ts';
import type { SessionRecord } from '../../../model/session/session.ts';
import { compareSessions, effectiveState } from '../../../model/session/effective-state.ts';
import type { StoreReader } from '../../../store/contract.ts';
import { readPlansOf } from '../../../store/go-on-plans.ts';
import type { ReadContext } from './context.ts';
import { summaries } from './events.ts';
import { notificationRows, questionJson } from './notifications.ts';

type SessionRow = ApiResult<'sessions.get'>['session'];

/** Sessions without an event for longer are listed only where all are asked for, ms. */
const RECENT = 12 * 3_600_000;
/** Events and notifications that come with one session. */
const LATEST = 50;

export async function listSessions(
  context: ReadContext,
  { query }: ApiCall<'sessions.list'>,
): Promise<ApiResult<'sessions.list'>> {
  const { store, now } = context;
  const { agent, state, q, all = false, cursor, limit } = query;
  const found = await store.sessions({ since: all ? 0 : now - RECENT, ...(agent === undefined ? {} : { agent }) });
  const shown = found
    .map((record) => effectiveState(record, now))
    .filter((record) => (state === undefined || state.includes(record.state)) && matches(record, q))
    .sort(compareSessions);
  const start = cursor === undefined ? 0 : 1 + shown.findIndex((record) => sessionKeyText(record) === cursor);
  const page = shown.slice(start, start + limit);
  const last = page.at(-1);
  const rest = start + page.length < shown.length;
  return {
    sessions: await sessionRows(context, page),
    total: shown.length,
    cursor: rest && last ? sessionKeyText(last) : null,
  };
}

export async function getSession(
  context: ReadContext,
  { params }: ApiCall<'sessions.get'>,
): Promise<ApiResult<'sessions.get'>> {
  const { store, now, displayName } = context;
  const record = effectiveState(await sessionNamed(store, params.key), now);
  const key = sessionKeyText(record);
  const [[session], events, questions, open] = await Promise.all([
    sessionRows(context, [record]),
    store.events({ session: record.sessionId, agents: [record.agent], limit: LATEST }),
    store.questions({ states: ['open'], limit: LATEST }),
    store.notifications({ threadKey: key, limit: LATEST }),
  ]);
  if (session === undefined) throw new Error('a session has a row');
  return {
    session,
    events: summaries([...events].reverse(), displayName),
    questions: questions.filter(({ sessionKey }) => sessionKey === key).map(questionJson),
    notifications: (await notificationRows(context, open)).reverse(),
  };
}

/** By its key, or by its id alone where that names one. Throws Refusal. */
export async function sessionNamed(store: StoreReader, text: string): Promise<SessionRecord> {
  const found = (await store.sessions({})).filter(
    (record) => record.sessionId === text || pathKeyOf(sessionKeyText(record)) === text,
  );
  const [one, ...others] = found;
  if (one === undefined) throw new Refusal(404, 'there is no such session');
  if (others.length > 0) throw new Refusal(409, 'several sessions have this id: name one by its key');
  return one;
}

function matches(record: SessionRecord, q: string | undefined): boolean {
  if (q === undefined) return true;
  const { title, project, branch, cwd, agent, sessionId, lastAssistantMessage } = record;
  const text = [title, project, branch, cwd, agent, sessionId, lastAssistantMessage].join('\n').toLowerCase();
  return text.includes(q.toLowerCase());
}

/** As lists show them. */
export async function sessionRows(
  { store, lost }: ReadContext,
  records: readonly SessionRecord[],
): Promise<SessionRow[]> {
  const plans = await readPlansOf(store, records);
  return records.map((record) =>
    rowOf(record, {
      continuesAt: plans.get(sessionKeyText(record)) ?? null,
      unreachableSince: lost.get(record.host) ?? null,
    }),
  );
}

/** Background work is of any shape a client has; as an object it is copied. */
function rowOf(record: SessionRecord, beside: BesideRecord): SessionRow {
  const row = sessionJson(record, beside);
  return { ...row, running: row.running.map((task) => ({ ...task })), subagents: [...row.subagents] };
}
