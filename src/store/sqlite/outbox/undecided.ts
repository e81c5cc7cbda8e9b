// What has come and is not decided yet: nothing of its session goes out before it, since it may answer what waits.
import { GROUP_HOLD, STORM_HOLD } from '../../../model/delivery/holds.ts';
import { type SessionKey, sessionKeyOf, sessionKeyText } from '../../../model/ids.ts';
import type { Undecided } from '../../contract.ts';
import type { Database } from '../engine/database.ts';
import { decode, encode } from '../../encoding.ts';

/** A delivery as far as it matters here, in the form of its columns. */
export interface Waiting {
  readonly thread_key: string;
  readonly notification_id: string;
  readonly event_id: string;
  readonly due: number;
}

/** An entry holds its session for so long, ms, after it came or this process began ... */
const LONGEST = 60_000;
/** ... and, if it is none of this many oldest ones, for longer: it waits for its turn. One that cannot be decided is soon among the oldest. */
const OLDEST = 100;
/** Subagents of one session that are looked at: the latest. */
const MOST_CHILDREN = 100;

/** Threads of no session: one event's, and what is left of many. */
const OF_NO_SESSION = /^(?:event|digest):/;

const SESSIONS_COVERED = `SELECT DISTINCT session FROM events WHERE session IS NOT NULL
  AND id IN (SELECT ?1 UNION ALL SELECT event_id FROM notification_events WHERE notification_id = ?2)`;
const PARENT =
  'SELECT parent FROM sessions WHERE host = ? AND user = ? AND agent = ? AND session = ? AND parent IS NOT NULL';
const CHILDREN = `SELECT session FROM sessions WHERE parent = ? ORDER BY last_event DESC LIMIT ${MOST_CHILDREN}`;
/** Came by then, and holds still. */
const HOLDS = 'decided_at IS NULL AND received_at <= ?1 AND (?2 < ?3 OR received_at > ?2 OR started_at > ?4)';
const ANY = 'SELECT 1 FROM journal WHERE decided_at IS NULL ORDER BY started_at, row LIMIT 1';
const OF_KEYS = `SELECT 1 FROM journal INDEXED BY journal_ordering
  WHERE ordering_key IN (SELECT value FROM json_each(?5)) AND ${HOLDS} LIMIT 1`;
const OF_NO_KEY = `SELECT 1 FROM journal INDEXED BY journal_ordering WHERE ordering_key IS NULL AND ${HOLDS} LIMIT 1`;
const NTH_OLDEST = `SELECT started_at FROM journal WHERE decided_at IS NULL ORDER BY started_at, row LIMIT 1 OFFSET ${OLDEST - 1}`;

/** Whether a delivery has to wait for what came before it; null: none has. `now`: Unix ms. */
export function heldByUndecided(
  db: Database,
  { since, unread }: Undecided,
  now: number,
): ((delivery: Waiting) => boolean) | null {
  const began = since > now ? 0 : since; // the clock was set back
  if (!unread && db.get(ANY) === undefined) return null;
  const nth = db.get<{ started_at: number }>(NTH_OLDEST)?.started_at ?? Number.MAX_SAFE_INTEGER;
  const holds = (sql: string, due: number, oldest: number, ...keys: string[]): boolean =>
    db.get(sql, Math.max(due, began), now - LONGEST, began, oldest, ...keys) !== undefined;
  return (delivery) => {
    const keys = orderingKeysOf(db, delivery);
    if (keys.length === 0) return false;
    if (unread) return true;
    return (
      holds(OF_KEYS, delivery.due, nth, JSON.stringify(keys)) || holds(OF_NO_KEY, delivery.due, Number.MAX_SAFE_INTEGER)
    );
  };
}

/** Whether something of this session, or of its family, has come that is not decided yet. `now`: Unix ms. */
export function isBehind(db: Database, session: SessionKey, after: Undecided, now: number): boolean {
  const thread_key = encode(sessionKeyText(session));
  return heldByUndecided(db, after, now)?.({ thread_key, notification_id: '', event_id: '', due: now }) ?? false;
}

/** In the form of their column. */
function orderingKeysOf(db: Database, { thread_key, notification_id, event_id }: Waiting): readonly string[] {
  const key = decode(thread_key);
  if (OF_NO_SESSION.test(key)) return [];
  if (key.startsWith(GROUP_HOLD) || key.startsWith(STORM_HOLD))
    return db.all<{ session: string }>(SESSIONS_COVERED, event_id, notification_id).map(({ session }) => session);
  return familyOf(db, sessionKeyOf(key));
}

/** A session, the one that began it, and those that it began: they are decided in one line. */
function familyOf(db: Database, { host, user, agent, sessionId }: SessionKey): readonly string[] {
  if (sessionId === '') return [];
  const own = [host, user, agent, sessionId].map(encode);
  const parent = db.get<{ parent: string }>(PARENT, ...own);
  const children = db.all<{ session: string }>(CHILDREN, encode(sessionId));
  return [encode(sessionId), ...(parent ? [parent.parent] : []), ...children.map(({ session }) => session)];
}
