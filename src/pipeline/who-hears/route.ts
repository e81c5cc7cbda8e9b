// Which channels it goes to. First match wins; `also` continues with the next.
import type { Config, Match, Route } from '../../model/settings/config.ts';
import type { ChannelProfiles } from '../../model/channel/profile.ts';
import { type Event, type Kind, OPT_IN_KINDS } from '../../model/event/event.ts';
import { LAST_RESORT } from '../../model/channel/last-resort.ts';
import { durationSetting } from '../../model/quantities.ts';
import { matchesFolder, matchesText } from '../../lib/text/glob.ts';
import type { PlannedDelivery } from '../../model/delivery/delivery.ts';
import { addVerdict, type PipelineState, type Stage } from '../pipeline-state.ts';
import { type ChannelTiming, type MatchedRoute, timingsOf, unlessOf } from './timing.ts';

/** What a person who asked to hear of failures hears of as well: a limit is reported instead of the sessions that it stops. */
const REPORTED_AS: Readonly<Partial<Record<Kind, Kind>>> = {
  'limit.reached': 'session.failed',
  'limit.reset': 'session.failed',
};

function namesKind(kinds: readonly Kind[], kind: Kind): boolean {
  const also = REPORTED_AS[kind];
  return kinds.includes(kind) || (also !== undefined && kinds.includes(also));
}

const any = (patterns: readonly string[] | undefined, text: string | null): boolean =>
  patterns === undefined || (text !== null && patterns.some((pattern) => matchesText(pattern, text)));

/** Whether it is a finish after a turn of at least this length, ms. One of unknown length counts as long: rather a notification too many. */
function tookLonger({ kind, attributes }: Event, length: number): boolean {
  const { seconds } = attributes;
  return kind === 'agent.finished' && (typeof seconds !== 'number' || seconds * 1_000 >= length);
}

function matches(match: Match, event: Event, home: string): boolean {
  const { cwd } = event;
  return (
    (match.kind === undefined || namesKind(match.kind, event.kind)) &&
    (match.urgency === undefined || match.urgency.includes(event.urgency)) &&
    (match.abnormal === undefined || match.abnormal === event.abnormal) &&
    (match.cwd === undefined || (cwd !== null && match.cwd.some((folder) => matchesFolder(folder, cwd, home)))) &&
    any(match.agent, event.agent) &&
    any(match.project, event.project) &&
    any(match.branch, event.branch) &&
    any(match.host, event.host) &&
    any(match.user, event.user) &&
    any(match.session, event.sessionId) &&
    (match.longer_than === undefined || tookLonger(event, match.longer_than)) &&
    any(match.detail, event.detail) &&
    any(match.reason, event.reason) &&
    any(match.hook_event, event.hookEvent)
  );
}

/** What only a route that names it matches: opt-in kinds, and low events of a subagent's own session. */
function requiresExplicitRoute(event: Event, match: Match): boolean {
  if (OPT_IN_KINDS.has(event.kind) && match.kind === undefined) return false;
  const subagent = event.attributes['parent_session_id'] !== undefined && event.urgency === 'low';
  return !subagent || match.detail !== undefined || match.session !== undefined;
}

/** Whether a route matches an event, or whatever else has a route's match. */
export function routeMatches({ match = {} }: Pick<Route, 'match'>, event: Event, home: string): boolean {
  return requiresExplicitRoute(event, match) && matches(match, event, home);
}

/** "route 2 (kind agent.waiting)", as numbered in config.toml. */
function label(route: Route, index: number): string {
  const { longer_than, ...match } = route.match ?? {};
  const keys = Object.entries(match).map(([key, value]) => `${key} ${alternatives([value].flat())}`);
  if (longer_than !== undefined) keys.push(`longer_than ${durationSetting(longer_than)}`);
  return `route ${index + 1}${keys.length > 0 ? ` (${keys.join(', ')})` : ''}`;
}

/** Most alternatives of a key that a label names. */
const NAMED = 3;

function alternatives(values: readonly unknown[]): string {
  const more = values.length - NAMED;
  return more > 1 ? `${values.slice(0, NAMED).join(', ')} or ${more} others` : values.join(' or ');
}

/** Belfry's own problems: sent even where no route matches. */
const INTERNAL_KINDS: ReadonlySet<string> = new Set([
  'channel.failing',
  'watch.failing',
  'settings.broken',
  'journal.failing',
]);

/** What stands in place of a route. */
const OWN = 'a notice of belfry';

/** Kinds that take no route: they go their own way, once, with nothing that follows. */
const NEVER_ROUTED: ReadonlySet<string> = new Set(['channel.failing', 'belfry.upgraded']);

/** One place where this person looks: the desktop, else where the last route leads, which is the one for everything else. */
function ownChannels({ channels, routes }: Config): readonly string[] {
  const desktop = channels.filter(({ type }) => type === LAST_RESORT.type);
  const rest = routes.findLast(({ to }) => to.length > 0)?.to ?? channels.map(({ name }) => name);
  return desktop.length > 0 ? desktop.map(({ name }) => name) : rest;
}

function unrouted(event: Event, config: Config): readonly string[] {
  if (event.kind === 'belfry.upgraded') return ownChannels(config);
  if (!INTERNAL_KINDS.has(event.kind)) return [];
  const failing = event.kind === 'channel.failing' ? event.attributes['channel'] : undefined;
  if (failing === LAST_RESORT.name) return []; // only the log reports it
  const others = config.channels.map((channel) => channel.name).filter((name) => name !== failing);
  const missing = config.channels.every((channel) => channel.type !== LAST_RESORT.type);
  return others.length === 0 && missing ? [LAST_RESORT.name] : others;
}

interface Chosen {
  readonly timings: readonly ChannelTiming[];
  readonly routes: readonly MatchedRoute[];
}

function choose(event: Event, config: Config, home: string): Chosen {
  const routes: MatchedRoute[] = [];
  if (!NEVER_ROUTED.has(event.kind))
    for (const [index, candidate] of config.routes.entries()) {
      if (!routeMatches(candidate, event, home)) continue;
      routes.push({ route: candidate, label: label(candidate, index) });
      if (!candidate.also) break;
    }
  if (routes.length > 0) return { timings: timingsOf(event, routes), routes };
  const own: Route = { to: [...unrouted(event, config)], also: false, when: 'always' };
  return { timings: timingsOf(event, [{ route: own, label: OWN }]), routes };
}

/** The channels that an event would reach, were nothing muted. */
export function reach(event: Event, config: Config, home: string): readonly string[] {
  return choose(event, config, home).timings.map(({ channel }) => channel);
}

/** The first sends. A record keeps every event; what people have not been shown yet is taken back once nobody needs it. */
export function firstSends(
  timings: readonly ChannelTiming[],
  profiles: ChannelProfiles,
  now: number,
): readonly PlannedDelivery[] {
  return timings.map((timing) => {
    const { channel, delay, only, reason } = timing;
    const unless = unlessOf(timing, profiles.get(channel)?.audience ?? 'records');
    return { channel, operation: 'send', step: 0, revision: 1, due: now + delay, unless, only, reason };
  });
}

/** Sends at once, whatever the routes say; `reason`: for people. */
export function immediateSends(
  channels: readonly string[],
  reason: string,
  profiles: ChannelProfiles,
  now: number,
): readonly PlannedDelivery[] {
  const timing = { delay: 0, only: 'always', grouped: null, conditional: false, reason } as const;
  return firstSends(
    channels.map((channel) => ({ channel, ...timing })),
    profiles,
    now,
  );
}

/** Not there yet in another form. */
export function isWanted({ alreadyNotified }: PipelineState, channel: string): boolean {
  return !alreadyNotified.channels.includes(channel);
}

/** Plans the first sends. */
export const route: Stage = (state, context) => {
  const { facts, config, now } = context;
  const { timings, routes } = choose(state.event, config, facts.home);
  const chosen = timings.filter(({ channel }) => isWanted(state, channel));
  const by = routes.length > 0 ? routes.map(({ label }) => label).join(', then ') : OWN;
  const plan = firstSends(chosen, facts.profiles, now);
  const channels = chosen.map(({ channel }) => channel).join(', ');
  const grouped = new Map(chosen.flatMap(({ channel, grouped: by }) => (by === null ? [] : [[channel, by] as const])));
  if (plan.length > 0) return addVerdict({ ...state, plan, routes, grouped }, 'route', 'route', `${channels}: ${by}`);
  if (timings.length === 0 && routes.length === 0) return addVerdict(state, 'route', 'stop', 'no route matches');
  return addVerdict(state, 'route', 'stop', `${by} names no channel`);
};
