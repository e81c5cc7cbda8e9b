// Groups and storms of which something is over: they look again at once at what of them still matters.
import type { Notification } from '../model/notification.ts';
import type { Timer } from '../model/verdict.ts';
import { GROUP, groupTimer } from './group-plan.ts';

/** What is known of them. */
export interface KnownGroups {
  readonly groups: readonly Notification[];
  /** Those that are set already, by the name of what they hold. */
  readonly groupTimers: ReadonlyMap<string, Timer>;
}

/** The timers to set when nobody needs to be notified of these events any more. `now`: Unix ms. */
export function groupsOver(
  eventIds: readonly string[],
  { groups, groupTimers }: KnownGroups,
  now: number,
): readonly Timer[] {
  return groups.flatMap(({ threadKey, group, eventIds: members }): readonly Timer[] => {
    if (group === undefined || !members.some((id) => eventIds.includes(id))) return [];
    const set = groupTimers.get(threadKey);
    if (set?.kind === GROUP) return [{ ...set, due: Math.min(set.due, now) }];
    const { every } = group;
    return [groupTimer(threadKey, now, false, { wait: 0, every, only: 'always', escalate: [], repeat: null })];
  });
}
