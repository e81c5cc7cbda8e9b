// Decisions of one batch that touch the same rows are written one after the other, in rounds of one transaction; all others at once.
import { sessionKeyText } from '../../../model/ids.ts';
import type { Decision } from '../../records.ts';

/** All that a decision reads or writes by name, as texts. */
function touched({
  entryId,
  of,
  events,
  notifications,
  cancel,
  rewrite = [],
  rehold = [],
  deliveries,
  timers,
  sessions,
}: Decision): readonly string[] {
  const machine = of?.machine ?? '';
  const notification = (id: string): string => `n ${machine} ${id}`;
  return [
    `e ${machine} ${entryId}`,
    ...events.map(({ event }) => `e ${machine} ${event.id}`),
    ...notifications.map(({ id }) => notification(id)),
    ...[...cancel, ...rewrite, ...deliveries].map(({ notificationId }) => notification(notificationId)),
    ...deliveries.flatMap(({ id, channel, threadKey }) => [`d ${id}`, `l ${machine} ${channel} ${threadKey}`]),
    ...rehold.map(({ id }) => `d ${id}`),
    ...[...timers.set.map(({ id }) => id), ...timers.clear].map((id) => `t ${id}`),
    ...sessions.map((session) => `s ${machine} ${sessionKeyText(session)}`),
  ];
}

/** A decision with its place in the batch. */
export interface Placed {
  readonly n: number;
  readonly decision: Decision;
}

/** Each comes in a later round than all before it that touch the same. */
export function roundsOf(decisions: readonly Decision[]): readonly (readonly Placed[])[] {
  const last = new Map<string, number>();
  const rounds: Placed[][] = [];
  for (const [n, decision] of decisions.entries()) {
    const names = touched(decision);
    const round = Math.max(-1, ...names.map((name) => last.get(name) ?? -1)) + 1;
    for (const name of names) last.set(name, round);
    const there = rounds[round] ?? [];
    there.push({ n, decision });
    rounds[round] = there;
  }
  return rounds;
}
