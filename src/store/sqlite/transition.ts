// Moves deliveries between states, outside of an attempt.
import type { PlannedCancel } from '../../model/planned-delivery.ts';
import type { Store } from '../contract.ts';
import type { WriteContext } from './context.ts';
import type { Value } from './database.ts';
import { encode } from './encoding.ts';
import { changeState } from './set-delivery-state.ts';
import { lastOf } from './delivery-row.ts';
import { insertDelivery } from './insert-delivery.ts';
import { enterLines, UNFINISHED } from './partitions.ts';

const TAKEN_BACK: Readonly<Record<PlannedCancel['because'], string>> = {
  resolved: `AND unless IN ('resolved', 'acknowledged')`,
  acknowledged: `AND unless = 'acknowledged'`,
  superseded: '',
};

/** What a notification has unsent is taken back, as far as `unless` says. */
export function cancelDeliveries(context: WriteContext, cancelled: PlannedCancel, now: number): void {
  const { notificationId, because, channels, step, note = null } = cancelled;
  const to = because === 'superseded' ? 'superseded' : 'cancelled';
  const only = step === undefined ? '' : ` AND step = ${Math.trunc(step)}`;
  const of = `notification_id = ?3 AND state IN ('pending', 'paused') ${TAKEN_BACK[because]}${only}`;
  const id = encode(notificationId);
  const last = lastOf(null, note);
  if (channels === undefined) changeState(context, to, now, of, [id], last);
  for (const channel of channels ?? [])
    changeState(context, to, now, `${of} AND channel = ?4`, [id, encode(channel)], last);
}

/** Moving, adding and the digest. */
export function transitions(context: WriteContext): Pick<Store, 'transition' | 'addDelivery' | 'replaceWithDigest'> {
  const { db, writer } = context;
  return {
    transition: (filter, to, now, last) =>
      writer.write(() => {
        if (to === 'paused' && filter.channel !== undefined) enterLines(db, encode(filter.channel), now);
        const because = last ? lastOf(last.reason, last.error) : null;
        const values: Value[] = [...filter.from];
        const parts = [`state IN (${filter.from.map((_, i) => `?${i + 3}`).join(', ')})`];
        const add = (sql: (n: number) => string, value: Value): void => {
          values.push(value);
          parts.push(sql(values.length + 2));
        };
        if (filter.channel !== undefined) add((n) => `channel = ?${n}`, encode(filter.channel));
        if (filter.operations)
          add((n) => `operation IN (SELECT value FROM json_each(?${n}))`, JSON.stringify(filter.operations));
        if (filter.createdBefore !== undefined) add((n) => `created_at < ?${n}`, filter.createdBefore);
        if (filter.dueBefore !== undefined) {
          parts.push('scheduled = 0 AND held_by IS NULL');
          add((n) => `(attempts > 0 OR due < ?${n})`, filter.dueBefore);
        }
        if (!filter.ids) return changeState(context, to, now, parts.join(' AND '), values, because);
        const where = `${parts.join(' AND ')} AND id = ?${values.length + 3}`;
        return filter.ids.reduce(
          (sum, id) => sum + changeState(context, to, now, where, [...values, encode(id)], because),
          0,
        );
      }),
    addDelivery: (delivery) => writer.write(() => insertDelivery(context, delivery)),
    replaceWithDigest: (ids, digest) =>
      writer.write(() => {
        const where = `state IN ${UNFINISHED} AND id = ?3`;
        const replaced = ids.reduce(
          (sum, id) => sum + changeState(context, 'superseded', digest.createdAt, where, [encode(id)]),
          0,
        );
        insertDelivery(context, digest);
        return replaced;
      }),
  };
}
