// Why each route would match an event or not, for people who write routes.
import type { Config, Match, Route } from '../../model/settings/config.ts';
import type { Event } from '../../model/event/event.ts';
import { routeMatches } from './route.ts';

/** What one route makes of an event. */
export interface RouteTrace {
  /** From 1, as in config.toml. */
  readonly route: number;
  readonly to: readonly string[];
  /** Channels that it escalates to. */
  readonly later: readonly string[];
  readonly also: boolean;
  /** `reached`: an earlier one matched and ended the search, when it is false. */
  readonly reached: boolean;
  readonly matches: boolean;
  /** Keys of its match that the event does not have; `kind` alone where a route has to name this kind. */
  readonly misses: readonly string[];
}

function missesOf(route: Route, event: Event, home: string): readonly string[] {
  const keys = Object.keys(route.match ?? {}) as (keyof Match)[];
  const failing = keys.filter((key) => {
    const only = { kind: [event.kind], [key]: route.match?.[key] };
    // Named for a subagent's events, so that only this key decides.
    const detail = key === 'detail' || event.detail === null ? {} : { detail: [event.detail] };
    return !routeMatches({ ...route, match: { ...only, ...detail } }, event, home);
  });
  return failing.length > 0 ? failing : ['kind'];
}

/** Every route in its order, whether or not the search gets to it. */
export function traceRoutes(event: Event, config: Pick<Config, 'routes'>, home: string): readonly RouteTrace[] {
  let reached = true;
  return config.routes.map((route, index) => {
    const matches = routeMatches(route, event, home);
    const misses = matches ? [] : missesOf(route, event, home);
    const later = [...new Set((route.escalate ?? []).flatMap(({ to }) => to))];
    const trace = { route: index + 1, to: route.to, later, also: route.also, reached, matches, misses };
    if (matches && !route.also) reached = false;
    return trace;
  });
}
