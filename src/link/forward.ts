// What leaves this machine at all: what `forward` matches, as a route would. Nothing older than the join, and nothing that was excluded when it
// happened, whatever the settings say later.
import { matchesFolder } from '../lib/text/glob.ts';
import type { Event } from '../model/event/event.ts';
import type { Silence } from '../model/event/verdict.ts';
import type { SessionRecord } from '../model/session/session.ts';
import type { Match } from '../model/settings/config.ts';
import { routeMatches } from '../pipeline/index.ts';
import type { StoredEvent } from '../store/contract.ts';

/** A match, and since when it is in force. */
interface Rule {
  /** The row of the event that was recorded last by then. Rows count, since a clock may be set back. */
  readonly after: number;
  /** Unix ms. */
  readonly at: number;
  readonly match: Match;
}

/** All that were in force since the join, oldest first. */
export type Forwarding = readonly [Rule, ...Rule[]];

/** Most that are kept: what happened under an older one does not leave any more. */
const RULES_KEPT = 50;

/** `match` is in force from now on: what was recorded by then goes by what was in force before it. Null before: the machine joins. */
export function withMatch(before: Forwarding | null, next: Rule): Forwarding {
  if (before === null) return [next];
  const last = before.at(-1);
  if (last !== undefined && JSON.stringify(last.match) === JSON.stringify(next.match)) return before;
  const [first = next, ...others] = [...before, next].slice(-RULES_KEPT);
  return [first, ...others];
}

/** What is asked for beside the rules. */
interface At {
  readonly home: string;
  /** Unix ms. */
  readonly now: number;
}

/** The rules that something has to fit: the one that was in force when it was recorded, and the one that is now. Null: it is older than all. */
function rulesFor(forwarding: Forwarding, isAfter: (rule: Rule) => boolean): readonly Rule[] | null {
  const then = forwarding.findLast(isAfter);
  const now = forwarding.at(-1);
  return then === undefined || now === undefined ? null : [then, now];
}

/** Whether it happened before, as far as the clock can say: one that was set back since says nothing. */
const isBefore = (at: number, { at: since }: Rule, now: number): boolean => now >= since && at < since;

/** Whether this event leaves. */
export function eventLeaves(
  { row, event }: Pick<StoredEvent, 'row' | 'event'>,
  forwarding: Forwarding,
  { home, now }: At,
): boolean {
  if (isBefore(event.at, forwarding[0], now)) return false;
  const rules = rulesFor(forwarding, ({ after }) => row > after);
  return rules?.every((rule) => routeMatches(rule, event, home)) ?? false;
}

/** What a session has of what a match asks. */
const OF_SESSIONS: ReadonlySet<string> = new Set(['agent', 'cwd', 'project', 'branch', 'host', 'user', 'session']);

/** A session as an event that any match takes which asks nothing of events. */
function standIn({ host, user, agent, sessionId, cwd, project, branch, lastEvent }: SessionRecord): Event {
  return {
    ...{ id: '', kind: 'agent.finished', host, user, agent, sessionId, cwd, project, branch },
    ...{ place: null, hookEvent: null, message: null, reason: null, abnormal: false, detail: null },
    ...{ urgency: 'normal', at: lastEvent, presetText: null, attributes: {} },
  };
}

/** Whether this session leaves: a match that asks for more than sessions have takes those of which an event leaves. `eventsOf`: its events. */
export async function sessionLeaves(
  record: SessionRecord,
  eventsOf: () => Promise<readonly Pick<StoredEvent, 'row' | 'event'>[]>,
  forwarding: Forwarding,
  at: At,
): Promise<boolean> {
  const rules = rulesFor(forwarding, (rule) => !isBefore(record.lastEvent, rule, at.now));
  if (rules === null) return false;
  const asksMore = rules.some(({ match }) => Object.keys(match).some((key) => !OF_SESSIONS.has(key)));
  if (asksMore) return (await eventsOf()).some((stored) => eventLeaves(stored, forwarding, at));
  return rules.every((rule) => routeMatches(rule, standIn(record), at.home));
}

/** Whether a mute leaves: of one session, as that does; of a folder, where it is about what leaves. `session`: whether its session does. */
export function muteLeaves(
  { cwd, session: of }: Pick<Silence, 'cwd' | 'session'>,
  session: boolean,
  forwarding: Forwarding,
  home: string,
): boolean {
  if (of !== null && !session) return false;
  const folders = forwarding.at(-1)?.match.cwd;
  if (cwd === null || folders === undefined) return true;
  const whole = (folder: string): string => folder.replace(/^~(?=[\\/]|$)/, home);
  // Either lies within the other. Their wildcards count as names then: what is not known to be about what leaves stays.
  return folders.some((one) => matchesFolder(one, whole(cwd), home) || matchesFolder(`${cwd}/**`, whole(one), home));
}
