// Stage 7: which channels it goes to. First match wins; `also` continues with the next.
import type { Config, Match, Route } from '../model/config.ts';
import type { ChannelProfiles } from '../model/channel-profile.ts';
import { type Event, OPT_IN_KINDS } from '../model/event.ts';
import { LAST_RESORT } from '../model/last-resort.ts';
import { durationSetting } from '../model/quantities.ts';
import { matchesFolder, matchesText } from './glob.ts';
import type { PlannedDelivery } from '../model/planned-delivery.ts';
import type { Stage } from './pipeline-state.ts';
import { addVerdict } from './pipeline-state.ts';

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
    (match.kind === undefined || match.kind.includes(event.kind)) &&
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

/** Whether a route matches an event. */
export function routeMatches(route: Route, event: Event, home: string): boolean {
  const match = route.match ?? {};
  return requiresExplicitRoute(event, match) && matches(match, event, home);
}

/** "route 2 (kind agent.waiting)", as numbered in config.toml. */
function label(route: Route, index: number): string {
  const { longer_than, ...match } = route.match ?? {};
  const keys = Object.entries(match).map(([key, value]) => `${key} ${String(value)}`);
  if (longer_than !== undefined) keys.push(`longer_than ${durationSetting(longer_than)}`);
  return `route ${index + 1}${keys.length > 0 ? ` (${keys.join(', ')})` : ''}`;
}

/** Belfry's own problems: sent even where no route matches. */
const INTERNAL_KINDS: ReadonlySet<string> = new Set([
  'channel.failing',
  'watch.failing',
  'settings.broken',
  'journal.failing',
]);

function unrouted(event: Event, config: Config): readonly string[] {
  if (!INTERNAL_KINDS.has(event.kind)) return [];
  const failing = event.kind === 'channel.failing' ? event.attributes['channel'] : undefined;
  if (failing === LAST_RESORT.name) return []; // only the log reports it
  const others = config.channels.map((channel) => channel.name).filter((name) => name !== failing);
  const missing = config.channels.every((channel) => channel.type !== LAST_RESORT.type);
  return others.length === 0 && missing ? [LAST_RESORT.name] : others;
}

interface Chosen {
  readonly channels: ReadonlySet<string>;
  /** Labels of the routes that match. */
  readonly by: readonly string[];
}

function choose(event: Event, config: Config, home: string): Chosen {
  const channels = new Set<string>();
  const by: string[] = [];
  if (event.kind !== 'channel.failing')
    for (const [index, candidate] of config.routes.entries()) {
      if (!routeMatches(candidate, event, home)) continue;
      for (const name of candidate.to) channels.add(name);
      by.push(label(candidate, index));
      if (!candidate.also) break;
    }
  if (by.length === 0) for (const name of unrouted(event, config)) channels.add(name);
  return { channels, by };
}

/** The channels that an event would reach, were nothing muted. */
export function reach(event: Event, config: Config, home: string): readonly string[] {
  return [...choose(event, config, home).channels];
}

/** The first sends: at once. A record keeps every event; what people have not been shown yet is taken back once nobody needs it. */
export function firstSends(
  channels: readonly string[],
  reason: string,
  profiles: ChannelProfiles,
  now: number,
): readonly PlannedDelivery[] {
  return channels.map((channel) => {
    const unless = profiles.get(channel)?.audience === 'people' ? 'acknowledged' : 'none';
    return { channel, operation: 'send', step: 0, revision: 1, due: now, unless, only: 'always', reason };
  });
}

/** Plans the channels. */
export const route: Stage = (state, context) => {
  const { facts, config, now } = context;
  const { channels: chosen, by: taken } = choose(state.event, config, facts.home);
  const channels = [...chosen].filter(
    (name) => !state.mutedChannels.includes(name) && !state.alreadyNotified.channels.includes(name),
  );
  const by = taken.length > 0 ? taken.join(', then ') : 'a problem of belfry';
  const plan = firstSends(channels, by, facts.profiles, now);
  if (plan.length > 0) return addVerdict({ ...state, plan }, 'route', 'route', `${channels.join(', ')}: ${by}`);
  if (chosen.size === 0 && taken.length === 0) return addVerdict(state, 'route', 'stop', 'no route matches');
  return addVerdict(
    state,
    'route',
    'stop',
    state.mutedChannels.length > 0 ? `${by}, but muted` : `${by} names no channel`,
  );
};
