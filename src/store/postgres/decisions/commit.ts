// Writes decisions: each all or nothing, over the versions that it was read at, all of a batch in one transaction of three round trips.
import type { Delivery } from '../../../model/delivery/delivery.ts';
import { notificationIdOf, sessionKeyText } from '../../../model/ids.ts';
import { encode } from '../../encoding.ts';
import type { Decision, Whose } from '../../records.ts';
import type { Committed, Decisions } from '../../roles/decisions.ts';
import { given, setting, type Statement } from '../connection.ts';
import type { Context } from '../context.ts';
import { contentRows, deliveryRows, insertContents, insertDeliveries, whoseRow } from '../outbox/insert.ts';
import { lockThreads, markHeads, only, UNFINISHED } from '../outbox/lines.ts';
import { clearTimers, setTimers, timerRow } from '../timers.ts';
import { cancels, holds, rewrites } from './outbox-changes.ts';
import { type Placed, roundsOf } from './rounds.ts';
import { verdicts, writeEvents, writeNotifications, writeSessions } from './rows.ts';

/** Of a store of one machine. */
const NOBODYS: Whose = { machine: '', person: null, team: null };

/** Rows of each kind that a round is given, in the form of the columns. */
function partsOf(round: readonly Placed[], owner: string) {
  const each = <T>(rows: (decision: Decision, n: number, whose: Whose) => readonly T[]): readonly T[] =>
    round.flatMap(({ n, decision }) => rows(decision, n, decision.of ?? NOBODYS));
  return {
    entries: each(({ entryId, at, notifications, sessions }, n, { machine }) => [
      {
        ...{ n, machine: encode(machine), id: encode(entryId), at },
        notifications: notifications.map(({ id, version }) => ({ id: encode(id), rev: version })),
        sessions: sessions.map((record) => ({ id: sessionKeyText(record), rev: record.version })),
      },
    ]),
    events: each(({ events }, n, whose) =>
      events.map(({ event, fingerprint, verdicts: found }, place) => ({
        ...{
          n,
          place,
          ...whoseRow(whose),
          id: encode(event.id),
          at: event.at,
          kind: event.kind,
          agent: encode(event.agent),
        },
        urgency: event.urgency,
        session: event.sessionId === null ? null : encode(event.sessionId),
        fingerprint: fingerprint === null ? null : encode(fingerprint),
        body: JSON.stringify(event),
        verdicts: JSON.stringify(found),
      })),
    ),
    notifications: each(({ notifications }, n, whose) =>
      notifications.map((one, place) => ({
        ...{
          n,
          place,
          ...whoseRow(whose),
          id: encode(one.id),
          rev: one.version + 1,
          thread: encode(one.threadKey),
          kind: one.kind,
        },
        ...{ urgency: one.urgency, state: one.state, opened_at: one.createdAt, updated_at: one.updatedAt },
        events: one.eventIds.map(encode),
        // One of a single event is found by its own id.
        covers: one.eventIds[0] !== undefined && notificationIdOf(one.eventIds[0]) !== one.id,
        body: JSON.stringify(one),
      })),
    ),
    holds: each(({ rehold = [], at }, n) =>
      rehold.map(({ id, heldBy, due }) => ({
        n,
        id: encode(id),
        held_by: heldBy === null ? null : encode(heldBy),
        due,
        at,
      })),
    ),
    cancels: each(({ cancel, at }, n, { machine }) =>
      cancel.map(({ notificationId, because, channels, step, note }, place) => ({
        ...{ n, place, machine: encode(machine), notification: encode(notificationId), because, at },
        channels: channels?.map(encode) ?? null,
        step: step ?? null,
        note: note === undefined ? null : encode(note),
      })),
    ),
    rewrites: each(({ rewrite = [], at }, n, whose) =>
      rewrite.map((one, place) => ({
        ...{ n, place, ...contentRows(n, whose, [one])[0], channel: encode(one.channel), step: one.step },
        ...{ from_due: one.from, due: one.due, at },
      })),
    ),
    contents: each(({ deliveries, rewrite = [] }, n, whose) => contentRows(n, whose, [...deliveries, ...rewrite])),
    deliveries: each(({ deliveries }, n, whose) => deliveryRows(n, whose, deliveries, owner)),
    cleared: each(({ timers }, n) => timers.clear.map((id) => ({ n, id: encode(id) }))),
    timers: each(({ timers, at }, n) => timers.set.map((timer) => ({ n, at, ...timerRow(timer) }))),
    sessions: each(({ sessions }, n, whose) =>
      sessions.map((record) => ({
        ...{ n, ...whoseRow(whose), key: sessionKeyText(record), rev: record.version + 1, agent: encode(record.agent) },
        ...{ id: encode(record.sessionId), state: record.state, last_event: record.lastEvent },
        parent: record.parentSessionId === null ? null : encode(record.parentSessionId),
        body: JSON.stringify({ ...record, version: record.version + 1 }),
      })),
    ),
  } as const;
}

type Parts = ReturnType<typeof partsOf>;

/** Each statement of a round sees what those before it wrote, and writes what is of a decision that was taken. Each table in its order. */
function statementsOf(org: number, round: number, parts: Parts): readonly Statement[] {
  const name = (part: keyof Parts): string => `${part}${round}`;
  const taken = `n = ANY(${setting('written')}::int[])`;
  const forPart = (part: keyof Parts, statements: () => readonly Statement[]): readonly Statement[] =>
    parts[part].length === 0 ? [] : statements();
  return [
    verdicts(org, name('entries')),
    ...forPart('events', () => [writeEvents(org, name('events'), taken)]),
    ...forPart('notifications', () => writeNotifications(org, name('notifications'), taken)),
    ...forPart('holds', () => [holds(org, name('holds'), taken)]),
    ...forPart('cancels', () => [cancels(org, name('cancels'), taken)]),
    ...forPart('contents', () => [insertContents(org, name('contents'), taken)]),
    ...forPart('rewrites', () => [rewrites(org, name('rewrites'), taken)]),
    ...forPart('deliveries', () => insertDeliveries(org, name('deliveries'), `x.${taken}`, true)),
    ...forPart('cleared', () => [clearTimers(org, name('cleared'), taken)]),
    ...forPart('timers', () => [setTimers(org, taken, name('timers'), 'at')]),
    ...forPart('sessions', () => [writeSessions(org, name('sessions'), taken)]),
  ];
}

type Touching = Pick<Decision, 'of' | 'notifications' | 'cancel' | 'rewrite' | 'rehold' | 'deliveries' | 'sessions'>;

/** All that a batch writes of: the threads of its rows, and the lines of what is unsent of the notifications that it names. */
function threadsOf(batch: readonly Touching[]) {
  const each = <T>(rows: (one: Touching, machine: string) => readonly T[]): readonly T[] =>
    batch.flatMap((one) => rows(one, encode((one.of ?? NOBODYS).machine)));
  return {
    threads: each(({ notifications, sessions, deliveries }, machine) =>
      [...notifications, ...deliveries]
        .map(({ threadKey }) => threadKey)
        .concat(sessions.map(sessionKeyText))
        .map((thread) => ({ machine, thread: encode(thread) })),
    ),
    lines_of: each(({ deliveries }, machine) =>
      deliveries.map(({ channel, threadKey }) => ({ channel: encode(channel), machine, thread: encode(threadKey) })),
    ),
    named: each(({ cancel, rewrite = [], deliveries }, machine) =>
      [...cancel, ...rewrite, ...deliveries].map(({ notificationId }) => ({
        machine,
        notification: encode(notificationId),
      })),
    ),
    held: each(({ rehold = [] }) => rehold.map(({ id }) => encode(id))),
  };
}

const lockAll = (org: number): Statement =>
  lockThreads(
    org,
    `SELECT channel, machine, thread FROM ${given('lines_of', 'channel text, machine text, thread text')}
     UNION SELECT d.channel, d.machine, d.thread FROM (SELECT DISTINCT machine, notification FROM ${given('named', 'machine text, notification text')}) w
       CROSS JOIN LATERAL (SELECT channel, machine, thread FROM delivery d WHERE d.org = ${org} AND d.machine = w.machine
         AND d.notification = w.notification AND ${only(`d.state IN ${UNFINISHED}`)}) d
     UNION SELECT channel, machine, thread FROM delivery WHERE org = ${org} AND id = ANY(ARRAY(SELECT json_array_elements_text(${setting('held')}::json)))`,
    `SELECT machine, thread FROM ${given('threads', 'machine text, thread text')}`,
  );

/** The write. */
export function committing({ db, org, owner, committed }: Context): Pick<Decisions, 'commit'> {
  return {
    commit: async (decisions) => {
      if (decisions.length === 0) return [];
      const rounds = roundsOf(decisions).map((round) => partsOf(round, owner));
      const settings = rounds.flatMap((parts, round) =>
        Object.entries(parts).flatMap(([name, rows]) =>
          rows.length === 0 ? [] : [[`${name}${round}`, rows] as const],
        ),
      );
      const now = Math.max(...decisions.map(({ at }) => at));
      const statements = rounds.map((parts, round) => statementsOf(org, round, parts));
      const found = await db.write({ ...threadsOf(decisions), ...Object.fromEntries(settings), now }, [
        lockAll(org),
        ...statements.flat(),
        markHeads(org, `${setting('now')}::bigint`),
      ]);
      // The first statement of each round says what became of its decisions.
      const places = statements.map((_, round) =>
        statements.slice(0, round).reduce((sum, { length }) => sum + length, 1),
      );
      const verdict = new Map(
        places.flatMap((place) => (found[place] ?? []).map(({ n, verdict: said }) => [n, said as Committed] as const)), // as the statement says it
      );
      const results = decisions.map((_, n) => verdict.get(n) ?? 'conflict');
      if (results.includes('written')) committed();
      return results;
    },
  };
}

/** A delivery outside of a decision: a replay. */
export async function addDelivery(
  { db, org, owner, committed }: Context,
  delivery: Delivery,
  of: Whose = NOBODYS,
): Promise<void> {
  const rows = { deliveries: deliveryRows(0, of, [delivery], owner), contents: contentRows(0, of, [delivery]) };
  const touched = threadsOf([{ of, notifications: [], cancel: [], deliveries: [delivery], sessions: [] }]);
  await db.write({ ...touched, ...rows, now: delivery.createdAt }, [
    lockAll(org),
    insertContents(org, 'contents', 'true'),
    ...insertDeliveries(org, 'deliveries', 'true', false),
    markHeads(org, `${setting('now')}::bigint`),
  ]);
  committed();
}
