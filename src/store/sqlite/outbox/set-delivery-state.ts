// Moves the deliveries that a condition names to another state.
import type { DeliveryState } from '../../../model/delivery/delivery.ts';
import type { WriteContext } from '../engine/context.ts';
import type { Value } from '../engine/database.ts';
import { decode } from '../../encoding.ts';
import { isUnfinished, type Line, markHead } from './partitions.ts';

/** What follows in each line of which rows were moved. */
type Mark = (db: WriteContext['db'], line: Line, now: number) => void;

const UNMARKED: Mark = () => undefined;

/** What was given up counts its retries from zero when it goes out again; somebody asked for it, so nothing takes it back. */
const AFRESH = [
  ...['failures', 'deferrals', 'unknowns'].map(
    (counter) => `${counter} = CASE state WHEN 'dead' THEN 0 ELSE ${counter} END`,
  ),
  `unless = CASE state WHEN 'dead' THEN 'none' ELSE unless END`,
].join(', ');

/**
 * Changes states and marks heads again in every line that rows left; `where` has its values from ?3 on. `because`: the column `last`, where it
 * changes. What is scheduled for later neither pauses nor goes on. `mark`: for rows that come back into their lines.
 */
export function changeState(
  { db, changes }: WriteContext,
  to: DeliveryState,
  now: number,
  where: string,
  given: readonly Value[],
  because: string | null = null,
  mark: Mark = isUnfinished(to) ? UNMARKED : markHead,
): number {
  const parts = ['state = ?1', 'updated_at = ?2', 'owner = NULL', 'token = NULL'];
  if (to === 'pending') parts.push('due = ?2', AFRESH);
  if (because !== null) parts.push(`last = ?${given.length + 3}`);
  if (!isUnfinished(to)) parts.push('head = 0', 'scheduled = 0');
  const later = isUnfinished(to) ? ' AND scheduled = 0' : '';
  const values = because === null ? given : [...given, because];
  const moved = db.all<Line & { readonly id: string }>(
    `UPDATE deliveries SET ${parts.join(', ')} WHERE ${where}${later} RETURNING id, channel, thread_key`,
    to,
    now,
    ...values,
  );
  for (const { id } of moved) changes.note('delivery', decode(id));
  const lines = new Map(moved.map((row) => [`${row.channel}\n${row.thread_key}`, row]));
  for (const line of lines.values()) mark(db, line, now);
  return moved.length;
}
