// Moves deliveries between states outside of an attempt: paused, given up, sent again, taken back, held by something else.
import { WAITS } from '../../../model/delivery/holds.ts';
import type { DeliveryState } from '../../../model/delivery/delivery.ts';
import { encode } from '../../encoding.ts';
import type { Outbox } from '../../roles/outbox.ts';
import { noted } from '../changes.ts';
import { oneOf, setting } from '../connection.ts';
import type { Context } from '../context.ts';
import { setTimers, timerRow } from '../timers.ts';
import { enterLines } from './enter-lines.ts';
import { isUnfinished, lockedIds, lockRows, markHeads, only } from './lines.ts';

/** Moved in one transaction: short enough that nobody waits for it. */
const BATCH = 500;
const NOW = `${setting('now')}::bigint`;

/** What was given up counts its retries from zero when it goes out again; somebody asked for it, so nothing takes it back. */
const AFRESH = [
  ...['failures', 'deferrals', 'unknowns'].map(
    (counter) => `${counter} = CASE d.state WHEN 'dead' THEN 0 ELSE d.${counter} END`,
  ),
  `unless = CASE d.state WHEN 'dead' THEN 'none' ELSE d.unless END`,
].join(', ');

/** What a move sets; for rows `d`. */
export const movedTo = (
  to: DeliveryState,
  now: string,
  last?: { readonly reason: string; readonly error: string },
): string =>
  [
    `state = '${to}', updated_at = ${now}, owner = NULL, token = NULL`,
    ...(to === 'pending' ? [`due = ${now}`, AFRESH] : []),
    ...(last ? [`last_reason = ${last.reason}, last_error = ${last.error}`] : []),
    ...(isUnfinished(to) ? [] : ['scheduled = false']),
  ].join(', ');

type Filter = Parameters<Outbox['transition']>[0];

/** For rows of the table `delivery`, with what its settings are to be. */
function conditionOf(
  filter: Filter,
  to: DeliveryState,
): { readonly sql: string; readonly settings: Readonly<Record<string, unknown>> } {
  const { channel, ids, from, operations, createdBefore, dueBefore } = filter;
  // Left as they are: what has the state already would be found again and again.
  const states = from.filter((state) => state !== to).map((state) => `'${state}'`);
  const parts = [
    states.length === 0 ? 'false' : `state IN (${states.join(', ')})`,
    ...(channel === undefined ? [] : [`channel = ${setting('channel')}`]),
    ...(ids === undefined ? [] : [`id = ANY(ARRAY(SELECT json_array_elements_text(${setting('named')}::json)))`]),
    ...(operations === undefined
      ? []
      : [`operation IN (SELECT json_array_elements_text(${setting('operations')}::json))`]),
    ...(createdBefore === undefined ? [] : [`created_at < ${setting('created')}::bigint`]),
    ...(dueBefore === undefined
      ? []
      : [`NOT scheduled AND held_by IS NULL AND (attempts > 0 OR due < ${setting('due')}::bigint)`]),
    // What is scheduled for later neither pauses nor goes on.
    ...(isUnfinished(to) ? ['NOT scheduled'] : []),
  ];
  const settings = {
    channel: encode(channel ?? ''),
    operations: operations ?? [],
    created: createdBefore ?? 0,
    due: dueBefore ?? 0,
  };
  return { sql: parts.join(' AND '), settings };
}

/** The moves. */
export function moves(context: Context): Pick<Outbox, 'transition' | 'releaseHeld' | 'judgeAgain' | 'holdBacklog'> {
  const { db, org, committed } = context;
  const done = (n: number): number => {
    if (n > 0) committed();
    return n;
  };
  return {
    transition: async (filter, to, now, last) => {
      const { sql, settings } = conditionOf(filter, to);
      const because = last && { reason: setting('reason'), error: setting('error') };
      const words = last && { reason: last.reason, error: encode(last.error) };
      const batch = async (named: readonly string[]): Promise<number> => {
        const [, moved = []] = await db.write({ ...settings, ...words, now, named: named.map(encode) }, [
          lockRows(
            org,
            `SELECT id, channel, machine, thread FROM delivery WHERE org = ${org} AND ${sql} LIMIT ${BATCH}`,
          ),
          `WITH done AS (UPDATE delivery d SET ${movedTo(to, NOW, because)}
             WHERE d.org = ${org} AND d.id = ANY(${lockedIds()}) AND ${only(sql)} RETURNING d.id, d.machine),
           changed AS (${noted(org, 'delivery', 'SELECT machine, id FROM done')})
           SELECT id FROM done`,
          markHeads(org, NOW),
        ]);
        return moved.length;
      };
      let total = 0;
      if (filter.ids !== undefined)
        for (let from = 0; from < filter.ids.length; from += BATCH)
          total += await batch(filter.ids.slice(from, from + BATCH));
      else {
        if (to === 'paused' && filter.channel !== undefined) await enterLines(context, encode(filter.channel), now);
        for (let moved = BATCH; moved === BATCH; total += moved) moved = await batch([]);
      }
      return done(total);
    },
    releaseHeld: async (ids, now) => {
      const moved = await db.read(
        `UPDATE delivery SET held_by = NULL, unless = 'none', only_when = 'always', due = $2, updated_at = $2
         WHERE org = $1 AND id ${oneOf('$3')} AND ${only(`held_by IS NOT NULL AND state = 'pending'`)} RETURNING id`,
        [org, now, ids.map(encode)],
      );
      return moved.length;
    },
    judgeAgain: async (channel, now) => {
      const moved = await db.read(
        `UPDATE delivery SET due = $2, updated_at = $2
         WHERE org = $1 AND channel = $3 AND scheduled AND held_by IS NULL AND due > $2 AND state = 'pending'
           AND only_when <> 'always' AND attempts = 0 AND starts_with(last_error, $4) RETURNING id`,
        [org, now, encode(channel), WAITS],
      );
      return moved.length;
    },
    holdBacklog: async ({ channel, createdBefore, few, hold }, timer, now) => {
      const of = `org = ${org} AND channel = ${setting('channel')} AND state = 'paused' AND operation = 'send' AND NOT scheduled
        AND created_at < ${setting('created')}::bigint`;
      const beyond = await db.read(
        `SELECT 1 FROM delivery WHERE org = $1 AND channel = $2 AND state = 'paused' AND operation = 'send' AND NOT scheduled
           AND created_at < $3 LIMIT $4`,
        [org, encode(channel), createdBefore, few + 1],
      );
      const settings = {
        channel: encode(channel),
        created: createdBefore,
        hold: encode(hold),
        timers: [timerRow(timer)],
        now,
      };
      let total = 0;
      for (let moved = beyond.length > few ? BATCH : 0; moved === BATCH; total += moved) {
        const found = await db.write({ ...settings, due: timer.due }, [
          lockRows(org, `SELECT id, channel, machine, thread FROM delivery WHERE ${of} ORDER BY seq LIMIT ${BATCH}`),
          `WITH done AS (UPDATE delivery d SET state = 'pending', scheduled = true, held_by = ${setting('hold')},
               due = ${setting('due')}::bigint, updated_at = ${NOW}
             WHERE d.org = ${org} AND d.id = ANY(${lockedIds()}) AND ${only(of)} RETURNING d.id, d.machine),
           changed AS (${noted(org, 'delivery', 'SELECT machine, id FROM done')})
           SELECT id FROM done`,
          setTimers(org),
          markHeads(org, NOW),
        ]);
        moved = found[1]?.length ?? 0;
      }
      return done(total);
    },
  };
}
