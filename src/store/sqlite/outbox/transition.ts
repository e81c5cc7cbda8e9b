// Moves deliveries between states, outside of an attempt.
import type { DeliveryState, PlannedCancel } from '../../../model/delivery/delivery.ts';
import type { Store } from '../../contract.ts';
import type { WriteContext } from '../engine/context.ts';
import type { Value } from '../engine/database.ts';
import { encode } from '../../encoding.ts';
import { changeState } from './set-delivery-state.ts';
import { lastOf } from './delivery-row.ts';
import { insertDelivery } from './insert-delivery.ts';
import { enterLines, isUnfinished, markHead, UNFINISHED } from './partitions.ts';

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

/** Deliveries moved in one transaction: short enough that no event waits for it. */
const BATCH = 500;

type Filter = Parameters<Store['transition']>[0];

/** For {@link changeState}: at most BATCH rows, unless they are named. */
function conditionOf(filter: Filter, to: DeliveryState): { readonly where: string; readonly values: readonly Value[] } {
  const { channel, ids, from, operations, createdBefore, dueBefore } = filter;
  const values: Value[] = [];
  const parts: string[] = [];
  const add = (sql: (n: number) => string, value: Value): void => {
    values.push(value);
    parts.push(sql(values.length + 2));
  };
  // Left as they are: what has the state already would be found again and again.
  const states = from
    .filter((state) => state !== to)
    .map((state) => `'${state}'`)
    .join(', ');
  parts.push(`${ids ? '+' : ''}state IN (${states})`);
  if (channel !== undefined) add((n) => `channel = ?${n}`, encode(channel));
  if (operations) add((n) => `operation IN (SELECT value FROM json_each(?${n}))`, JSON.stringify(operations));
  if (createdBefore !== undefined) add((n) => `created_at < ?${n}`, createdBefore);
  if (dueBefore !== undefined) {
    parts.push('scheduled = 0 AND held_by IS NULL');
    add((n) => `(attempts > 0 OR due < ?${n})`, dueBefore);
  }
  if (ids) return { where: parts.join(' AND '), values };
  if (isUnfinished(to)) parts.push('scheduled = 0');
  // By age: the index that has it, for what is unfinished.
  const byAge = createdBefore !== undefined && channel === undefined && from.every(isUnfinished);
  const source = byAge ? ' INDEXED BY deliveries_touched' : '';
  if (byAge) parts.push(`state IN ${UNFINISHED}`);
  return { where: `seq IN (SELECT seq FROM deliveries${source} WHERE ${parts.join(' AND ')} LIMIT ${BATCH})`, values };
}

/** Moving and adding. */
export function transitions(context: WriteContext): Pick<Store, 'transition' | 'addDelivery'> {
  const { db, writer } = context;
  return {
    transition: async (filter, to, now, last) => {
      const because = last ? lastOf(last.reason, last.error) : null;
      const mark = filter.from.every(isUnfinished) ? undefined : markHead;
      const { where, values } = conditionOf(filter, to);
      const move = (more: string, given: readonly Value[]): number =>
        changeState(context, to, now, `${where}${more}`, [...values, ...given], because, mark);
      let total = 0;
      if (filter.ids)
        for (let from = 0; from < filter.ids.length; from += BATCH) {
          const ids = filter.ids.slice(from, from + BATCH);
          total += await writer.write(() =>
            ids.reduce((sum, id) => sum + move(` AND id = ?${values.length + 3}`, [encode(id)]), 0),
          );
        }
      else
        for (let moved = BATCH; moved === BATCH; total += moved)
          moved = await writer.write(() => {
            if (to === 'paused' && filter.channel !== undefined) enterLines(db, encode(filter.channel), now);
            return move('', []);
          });
      return total;
    },
    addDelivery: (delivery) => writer.write(() => insertDelivery(context, delivery)),
  };
}
