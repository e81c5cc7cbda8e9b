// When a later step of a notification may go out: it counts from when people were notified, not from when that was planned.
import type { SendRow } from '../model/delivery/gate.ts';
import { WAITS } from '../model/delivery/holds.ts';
import { IN_DIGEST } from '../model/delivery/delivery.ts';

/** What is known besides its rows. `now`: Unix ms. */
export interface StepFacts {
  readonly now: number;
  readonly isForPeople: (channel: string) => boolean;
  /** Channels that fail keep what they have to send. */
  readonly isFailing: (channel: string) => boolean;
}

/** A send that is due so long before, ms, was not late for a moment: the machine was suspended, or no daemon ran. */
const LATE = 5_000;

/** Ms after the first send; null: not known, of an earlier version. */
const afterOf = ({ step, content }: SendRow): number | null => (step === 0 ? 0 : (content.after ?? null));

/** Why a step waits that has been moved; for people, and for the steps that follow it. */
export const COUNTS_FROM_BEFORE = 'counts from when the message before it was sent';

/** When people were notified by a send, Unix ms; null: they were not, or a clock was set back since. A step that a digest took the place of moves nothing. */
function notifiedAt({ state, step, updatedAt, lastError }: SendRow, now: number): number | null {
  const inDigest = state === 'superseded' && step === 0 && lastError?.startsWith(IN_DIGEST) === true;
  return (state === 'sent' || inDigest) && updatedAt <= now ? updatedAt : null;
}

/** It waits for the step before it, or for its person to leave, and so do those that follow it. */
const isPutOff = ({ only, lastError }: SendRow): boolean =>
  lastError === COUNTS_FROM_BEFORE || (only !== 'always' && lastError?.startsWith(WAITS) === true);

/** The same, also of a send that is about to go out. What is held, fails or was taken back moves nothing: the steps are there for that. */
function notifiedSoon(row: SendRow, due: number, { now, isFailing }: StepFacts): number | null {
  const { state, channel, attempts, heldBy } = row;
  if (state !== 'pending' && state !== 'leased') return notifiedAt(row, now);
  if (attempts > 0 || isFailing(channel)) return null;
  if (state === 'leased') return now;
  if (heldBy !== null) return row.due <= now ? now : null;
  if (isPutOff(row)) return Math.max(row.due, now);
  if (row.due > now) return null;
  return now - due > LATE ? now : null;
}

/** The sends that count as the first ones: where people wait for a digest, it is not a record that notified them. */
function firstSends(rows: readonly SendRow[], { isForPeople }: Pick<StepFacts, 'isForPeople'>): readonly SendRow[] {
  const first = rows.filter(({ step }) => step === 0);
  const people = first.filter(({ channel }) => isForPeople(channel));
  return people.some(({ heldBy }) => heldBy !== null) ? people : first;
}

/** When a later step may go out at the earliest, Unix ms: as long after the step before it as was planned. `rows`: all sends of its notification. */
export function earliestOf(step: SendRow, rows: readonly SendRow[], facts: StepFacts): number {
  const own = afterOf(step);
  if (step.step === 0 || own === null) return -Infinity;
  const before = [...firstSends(rows, facts), ...rows.filter((row) => row.step > 0)].flatMap((row) => {
    const after = afterOf(row);
    return after === null || after >= own ? [] : [{ row, after }];
  });
  const waves = [...new Set(before.map(({ after }) => after))].sort((a, b) => b - a);
  for (const after of waves) {
    const rowsOfIt = before.filter((one) => one.after === after);
    const times = rowsOfIt.flatMap(({ row }) => notifiedSoon(row, row.due + own - after, facts) ?? []);
    if (times.length > 0) return Math.min(...times) + own - after;
  }
  return -Infinity;
}

/** When people were notified first, Unix ms; null: nobody was yet, and what is to notify them waits for its time. Undefined: it does not wait, it fails. */
export function firstNotified(
  rows: readonly SendRow[],
  facts: Pick<StepFacts, 'isForPeople' | 'now'>,
): number | null | undefined {
  const first = firstSends(rows, facts);
  const times = first.flatMap((row) => notifiedAt(row, facts.now) ?? []);
  if (times.length > 0) return Math.min(...times);
  const waits = first.some(({ state, heldBy, attempts }) => state === 'pending' && heldBy !== null && attempts === 0);
  return waits ? null : undefined;
}
