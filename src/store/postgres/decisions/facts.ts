// What decisions need, of all keys in one round trip; a second one only where what was found names events that nobody could name before.
import { notificationIdOf, sessionKeyText } from '../../../model/ids.ts';
import { ENDED_BY_SESSION, LEFT_OPEN, MOST_OPEN, type Notification } from '../../../model/notification/notification.ts';
import type { Event } from '../../../model/event/event.ts';
import { type Silence, silencesInForce, type Timer } from '../../../model/event/verdict.ts';
import { encode } from '../../encoding.ts';
import type { DecisionFacts, FactsKey } from '../../records.ts';
import type { Decisions } from '../../roles/decisions.ts';
import type { Context } from '../context.ts';
import { PROGRESS, progressOf, type ProgressRow } from '../reads/deliveries.ts';
import { eventOf } from '../reads/events.ts';
import { notificationOf, plannedSendsSql, sendsByChannel, type SendRow } from '../reads/notifications.ts';
import { recordOf } from '../reads/sessions.ts';
import { timerOf } from '../timers.ts';

/** One thing that was found for key `n`; `place` orders those of a kind. `body`: JSON of a row, or of what it is. */
interface Found {
  readonly n: number;
  readonly what:
    | 'record'
    | 'child'
    | 'silence'
    | 'same'
    | 'report'
    | 'open'
    | 'surplus'
    | 'known'
    | 'progress'
    | 'first'
    | 'group'
    | 'timer'
    | 'send';
  readonly place: number;
  readonly rev: number | null;
  readonly body: string;
}

const KEY = `n int, machine text, key text, thread text, agent text, session text, children bigint, print text, print_since bigint,
  by_kind text, by_session text, by_agent text, by_since bigint, by_limit int, ends text[], named text[], send_since bigint, send_least int, send_most int`;
const list = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ');

const rows = (what: Found['what'], from: string, body = 'body', place = '0', rev = 'NULL::int'): string =>
  `SELECT n, '${what}' AS what, ${place}::bigint AS place, ${rev} AS rev, ${body} AS body FROM ${from}`;

/** $2: the keys. Each part finds its rows by an index, a key after the other. */
const FACTS = (org: number): string => {
  const of = (query: string): string => `key k CROSS JOIN LATERAL (${query}) f`;
  const sends = plannedSendsSql(org, {
    machine: 'k.machine',
    thread: 'k.thread',
    since: 'k.send_since',
    most: 'k.send_most',
  });
  return `WITH key AS MATERIALIZED (SELECT * FROM json_to_recordset($2::json) AS k(${KEY})),
  open AS MATERIALIZED (SELECT k.n, k.machine, k.ends, f.* FROM ${of(`SELECT id, row, rev, kind, events, body,
      count(*) OVER () >= ${MOST_OPEN} AND row_number() OVER (ORDER BY row DESC) >= ${LEFT_OPEN} AS surplus
    FROM (SELECT id, row, rev, kind, events, body FROM notification WHERE org = $1 AND machine = k.machine AND thread = k.thread
      AND kind IN (${list(ENDED_BY_SESSION)}) AND state IN ('open', 'acknowledged') ORDER BY row DESC LIMIT ${MOST_OPEN + MOST_OPEN / 2}) latest`)}),
  shown AS MATERIALIZED (SELECT * FROM open WHERE surplus OR kind = ANY(ends)),
  named AS MATERIALIZED (SELECT k.n, k.machine, id FROM key k, unnest(k.named) AS id),
  asked AS MATERIALIZED (SELECT n, machine, id FROM shown UNION SELECT n, machine, id FROM named),
  grouped AS MATERIALIZED (SELECT DISTINCT s.n, g.id, g.row, g.rev, g.thread, g.body FROM shown s CROSS JOIN unnest(s.events) AS event
    CROSS JOIN LATERAL (SELECT t.id, t.row, t.rev, t.thread, t.body FROM covered c JOIN notification t
      ON t.org = $1 AND t.machine = s.machine AND t.id = c.notification AND t.state = 'open'
      WHERE c.org = $1 AND c.machine = s.machine AND c.event = event) g)
  ${[
    rows('silence', '(SELECT -1 AS n, body FROM mute WHERE org = $1) f'),
    rows(
      'record',
      of('SELECT rev, body FROM session WHERE org = $1 AND machine = k.machine AND session.key = k.key'),
      'body',
      '0',
      'rev',
    ),
    rows(
      'child',
      of(`SELECT rev, body, last_event FROM session c WHERE c.org = $1 AND c.machine = k.machine AND c.parent = k.session AND c.agent = k.agent
        AND c.last_event >= k.children`),
      'body',
      'last_event',
      'rev',
    ),
    rows(
      'same',
      of(`SELECT body FROM event e WHERE e.org = $1 AND e.machine = k.machine AND e.fingerprint = k.print AND e.at >= k.print_since
      ORDER BY e.row DESC LIMIT 1`),
    ),
    rows(
      'report',
      of(`SELECT body, row_number() OVER (ORDER BY at, row) AS place FROM (SELECT e.body, e.at, e.row FROM event e WHERE e.org = $1
        AND e.machine = k.machine AND e.session = k.by_session AND e.kind = k.by_kind AND e.at >= k.by_since AND e.agent <> k.by_agent
        ORDER BY e.at DESC, e.row DESC LIMIT k.by_limit) latest`),
      'body',
      'place',
    ),
    rows('surplus', 'open WHERE surplus', 'body', 'row', 'rev'),
    rows('open', 'open WHERE NOT surplus AND kind = ANY(ends)', 'body', 'row', 'rev'),
    rows(
      'known',
      'named w CROSS JOIN LATERAL (SELECT rev, row, body FROM notification t WHERE t.org = $1 AND t.machine = w.machine AND t.id = w.id) f',
      'body',
      'row',
      'rev',
    ),
    rows(
      'progress',
      `asked a CROSS JOIN LATERAL (SELECT d.seq, ${PROGRESS} FROM delivery d
        WHERE d.org = $1 AND d.machine = a.machine AND d.notification = a.id) f`,
      'row_to_json(f)::text',
      'seq',
    ),
    rows(
      'first',
      'shown s CROSS JOIN LATERAL (SELECT body FROM event e WHERE e.org = $1 AND e.machine = s.machine AND e.id = s.events[1]) f',
      'f.body',
    ),
    rows('group', 'grouped', 'body', 'row', 'rev'),
    rows(
      'timer',
      'grouped g JOIN timer t ON t.org = $1 AND t.id = g.thread',
      `json_build_object('id', t.id, 'due', t.due, 'body', t.body)::text`,
    ),
    rows(
      'send',
      of(`SELECT * FROM (${sends}) s WHERE EXISTS (SELECT 1 FROM notification WHERE org = $1 AND machine = k.machine AND thread = k.thread
        OFFSET greatest(0, k.send_least - 1))`),
      `json_build_object('channel', channel, 'created_at', created_at)::text`,
    ),
  ].join('\n  UNION ALL ')}`;
};

/** Nothing was found yet. */
const UNREAD = { record: null, same: null, byOthers: [] } as const;

/** Notifications of the key's own event and of those that it names, by what was found. */
const namedBy = ({ eventId, events }: FactsKey, found: Parameters<FactsKey['events']>[0]): readonly string[] =>
  [...new Set([eventId, ...events(found)])].map(notificationIdOf);

function keyRow(key: FactsKey, n: number, named: readonly string[]) {
  const { session, same, byOthers, children, sends } = key;
  const thread = session === null ? null : encode(sessionKeyText(session));
  return {
    ...{ n, machine: encode(key.machine ?? ''), key: session === null ? null : sessionKeyText(session), thread },
    ...{
      agent: session === null ? null : encode(session.agent),
      session: session === null ? null : encode(session.sessionId),
    },
    ...{
      children: children?.since ?? null,
      print: same === null ? null : encode(same.fingerprint),
      print_since: same?.since ?? null,
    },
    ...{ by_kind: byOthers?.kind ?? null, by_session: byOthers === null ? null : encode(byOthers.sessionId) },
    ...{
      by_agent: byOthers === null ? null : encode(byOthers.agent),
      by_since: byOthers?.since ?? null,
      by_limit: byOthers?.limit ?? null,
    },
    ...{
      ends: key.ends,
      named: named.map(encode),
      send_since: sends.since,
      send_least: sends.least,
      send_most: sends.most,
    },
  };
}

function factsOf(key: FactsKey, own: readonly Found[], mutes: readonly Silence[]): DecisionFacts {
  const of = (what: Found['what']): readonly Found[] =>
    own.filter((row) => row.what === what).sort((a, b) => a.place - b.place);
  const stored = ({ rev, body }: Found) => ({ rev: rev ?? 0, body });
  const notifications = (what: 'open' | 'surplus' | 'known' | 'group'): readonly Notification[] =>
    of(what).map((row) => notificationOf(stored(row)));
  const events = (what: 'same' | 'report' | 'first'): readonly Event[] => of(what).map(({ body }) => eventOf(body));
  const surplus = notifications('surplus');
  const groups = notifications('group').filter(({ group }) => group !== undefined);
  const threads = new Set(groups.map(({ threadKey }) => threadKey));
  const timers = of('timer').map(({ body }): Timer => timerOf(JSON.parse(body) as Parameters<typeof timerOf>[0])); // as the statement makes it
  return {
    record: of('record').map((row) => recordOf(stored(row)))[0] ?? null,
    children: of('child').map((row) => recordOf(stored(row))),
    silences: silencesInForce(mutes, key.now),
    same: events('same')[0] ?? null,
    byOthers: events('report'),
    open: [...surplus, ...notifications('open')],
    surplus: surplus.map(({ id }) => id),
    known: new Map(notifications('known').map((one) => [one.id, one])),
    progress: of('progress').map(({ body }) => progressOf(JSON.parse(body) as ProgressRow)), // as the statement makes it
    firsts: new Map(events('first').map((event) => [event.id, event])),
    groups,
    groupTimers: new Map(timers.filter(({ id }) => threads.has(id)).map((timer) => [timer.id, timer])),
    plannedSends: sendsByChannel(of('send').map(({ body }) => JSON.parse(body) as SendRow)), // as well
  };
}

/** The read of decisions. */
export function factReads({ db, org }: Context): Pick<Decisions, 'factsFor'> {
  const sql = FACTS(org);
  const read = async (
    keys: readonly FactsKey[],
    named: readonly (readonly string[])[],
  ): Promise<readonly DecisionFacts[]> => {
    const found = await db.read<Found>(sql, [
      org,
      JSON.stringify(keys.map((key, n) => keyRow(key, n, named[n] ?? []))),
    ]);
    const byKey = new Map<number, Found[]>();
    for (const row of found) {
      const own = byKey.get(row.n);
      if (own === undefined) byKey.set(row.n, [row]);
      else own.push(row);
    }
    const mutes = (byKey.get(-1) ?? []).map(({ body }) => JSON.parse(body) as Silence); // written from one
    return keys.map((key, n) => factsOf(key, byKey.get(n) ?? [], mutes));
  };
  return {
    factsFor: async (keys) => {
      if (keys.length === 0) return [];
      const named = keys.map((key) => namedBy(key, UNREAD));
      const found = await read(keys, named);
      // What a session remembers names events, too: those keys are read again.
      const more = keys.flatMap((key, n) => {
        const facts = found[n];
        const names = facts === undefined ? [] : namedBy(key, facts);
        return names.every((id) => named[n]?.includes(id)) ? [] : [{ key, n, names }];
      });
      if (more.length === 0) return found;
      const again = await read(
        more.map(({ key }) => key),
        more.map(({ names }) => names),
      );
      const places = new Map(more.map(({ n }, place) => [n, again[place]]));
      return found.map((facts, n) => places.get(n) ?? facts);
    },
  };
}
