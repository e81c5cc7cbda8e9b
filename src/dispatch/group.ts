// Groups: what belongs together is one notification that grows, sent after a moment and updated at most once in a while.
import type { Group, Route } from '../model/settings/routes.ts';
import type { Event } from '../model/event/event.ts';
import { groupThreadKey } from '../model/ids.ts';
import type { Member, MemberEvent, Notification, NotificationContent } from '../model/notification/notification.ts';
import { combine, distinct, nameList, titleLines } from './combined-text.ts';

/** A group takes events until none came for this long, or for its own `every`: what was sent hours ago is not changed unnoticed. Ms. */
const SHORTEST_LIFE = 10 * 60_000;
/** Most events of one group; the next one begins another. */
const MOST_MEMBERS = 500;

const FIELDS: Readonly<Record<Group['by'][number], (event: MemberEvent) => string | null>> = {
  kind: ({ kind }) => kind,
  detail: ({ detail }) => detail,
  urgency: ({ urgency }) => urgency,
  agent: ({ agent }) => agent,
  project: ({ project }) => project,
  branch: ({ branch }) => branch,
  cwd: ({ cwd }) => cwd,
  host: ({ host }) => host,
  user: ({ user }) => user,
  session: ({ host, user, agent, sessionId }) =>
    sessionId === null ? null : [host, user, agent, sessionId].join('\n'),
};

/** The thread key of the group that an event belongs to; null: its route has none, or it is urgent and does not wait for others. */
export function groupKeyOf(event: Event, route: Pick<Route, 'match' | 'to' | 'group'>): string | null {
  const { group, match, to } = route;
  if (group === undefined || event.urgency === 'urgent') return null;
  const values = group.by.map((field) => FIELDS[field](event));
  return groupThreadKey([match ?? {}, to, group.by, values]);
}

/** "project payments, kind agent.finished": what the events of a group have in common. */
export function fieldsOf(event: Event, by: Group['by']): string {
  return by
    .map((field) => `${field} ${field === 'session' ? (event.sessionId ?? 'none') : (FIELDS[field](event) ?? 'none')}`)
    .join(', ');
}

/** Whether a group still takes events. `now`: Unix ms. */
export function takesMembers(
  { state, updatedAt, eventIds }: Pick<Notification, 'state' | 'updatedAt' | 'eventIds'>,
  { every }: Pick<Group, 'every'>,
  now: number,
): boolean {
  return state === 'open' && eventIds.length < MOST_MEMBERS && now - updatedAt <= Math.max(every, SHORTEST_LIFE);
}

/**
 * When the group as it is now goes out. `last`: when its latest operation was or is due, and whether that is still to come; null: nothing
 * was planned yet. All Unix ms.
 */
export function groupDue(
  { wait, every }: Pick<Group, 'wait' | 'every'>,
  last: { readonly due: number; readonly pending: boolean } | null,
  now: number,
): number {
  if (last === null) return now + wait;
  if (last.pending && last.due > now) return last.due;
  return Math.max(now + wait, last.due + every);
}

/** What the members of a group have in common, in words: of sessions, and of several in one session. */
function phrase(members: readonly Member[]): readonly [sessions: string, others: string] {
  const kinds = distinct(members, ({ kind }) => kind);
  const details = distinct(members, ({ detail }) => detail ?? '');
  const detail = details.length === 1 ? details[0] : '';
  if (kinds.length !== 1) return ['sessions have news', 'notifications'];
  switch (kinds[0]) {
    case 'agent.waiting':
      if (detail === 'permission') return ['sessions need permission', 'permission requests'];
      if (detail === 'question') return ['sessions have a question', 'questions'];
      return ['sessions wait for you', 'notifications'];
    case 'agent.finished':
      return ['sessions finished', 'finishes'];
    case 'subagent.finished':
      return ['sessions had a subagent finish', 'subagents finished'];
    case 'session.failed':
      return ['sessions stopped', 'failures'];
    case 'session.ended':
      return members.every(({ event }) => event.abnormal)
        ? ['sessions ended abnormally', 'abnormal ends']
        : ['sessions ended', 'ends'];
    default:
      return ['sessions have news', 'notifications'];
  }
}

/** What tells the members apart: the first of these that differs. */
const NAMES: readonly ((event: MemberEvent) => string | null)[] = [
  FIELDS.project,
  FIELDS.branch,
  FIELDS.host,
  FIELDS.cwd,
];

/** "3 sessions finished: api, web, infra"; "payments: 2 permission requests". */
export function groupTitle(members: readonly Member[]): string {
  const [sessions, others] = phrase(members);
  const own = distinct(members, FIELDS.session).length === members.length;
  const what = `${members.length} ${own ? sessions : others}`;
  const projects = distinct(members, FIELDS.project);
  const common =
    projects.length === 1 && members.every(({ event }) => event.project !== null) ? `${projects[0]}: ` : '';
  const names = NAMES.map((of) => distinct(members, of)).find((values) => values.length > 1) ?? [];
  return `${common}${what}${names.length > 0 ? `: ${nameList(names)}` : ''}`;
}

/** The content of a group, oldest member first: one alone is shown as it is, several with count, names and a list. Null of none. `first`: the event of the first. */
export function groupContent(
  members: readonly Member[],
  first: Event,
  alone: NotificationContent | null = null,
): NotificationContent | null {
  const [only] = members;
  if (members.length === 1 && alone !== null) return alone;
  const title = members.length === 1 && only !== undefined ? only.title : groupTitle(members);
  return combine(members, first, title, titleLines(members.map((member) => member.title)).join('\n'));
}
