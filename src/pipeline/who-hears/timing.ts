// When each channel is sent to, and under which condition: what the routes that match an event say together.
import type { Only, Unless } from '../../model/delivery/delivery.ts';
import type { Event } from '../../model/event/event.ts';
import type { BatchPlan } from '../../dispatch/batch-plan.ts';
import type { Route } from '../../model/settings/routes.ts';

/** A route that matches, with its label for people. */
export interface MatchedRoute {
  readonly route: Route;
  readonly label: string;
}

/** A first send that goes out together with others. */
export interface Join {
  /** What holds it until then: the thread key of the group's notification. */
  readonly hold: string;
  readonly plan: BatchPlan;
  /** The routes whose further steps the group takes over. */
  readonly routes: readonly MatchedRoute[];
}

/** One channel's first send. */
export interface ChannelTiming {
  readonly channel: string;
  /** Ms after the event. */
  readonly delay: number;
  readonly only: Only;
  /** The route whose group it joins; null: it is sent alone. */
  readonly grouped: MatchedRoute | null;
  /** The route asks for something else than every event at once, on a record too. */
  readonly conditional: boolean;
  /** Labels of the routes that name it. */
  readonly reason: string;
}

function timingOf(channel: string, matched: MatchedRoute, { urgency }: Event): ChannelTiming {
  const { route, label } = matched;
  const { delay = 0, when, group } = route;
  const isUrgent = urgency === 'urgent';
  return {
    channel,
    delay,
    // Presence never holds back what is urgent, and it waits for no others.
    only: isUrgent ? 'always' : when,
    grouped: isUrgent || group === undefined ? null : matched,
    conditional: delay > 0 || when !== 'always' || group !== undefined,
    reason: label,
  };
}

/** Of two routes that name one channel the one that says more, sooner: alone before grouped, always before sometimes. */
function merge(a: ChannelTiming, b: ChannelTiming): ChannelTiming {
  return {
    channel: a.channel,
    delay: Math.min(a.delay, b.delay),
    only: a.only === b.only ? a.only : 'always',
    grouped: a.grouped === null || b.grouped === null ? null : a.grouped,
    conditional: a.conditional && b.conditional,
    reason: `${a.reason}, then ${b.reason}`,
  };
}

/** The channels in the order in which the routes name them. */
export function timingsOf(event: Event, routes: readonly MatchedRoute[]): readonly ChannelTiming[] {
  const found = new Map<string, ChannelTiming>();
  for (const matched of routes)
    for (const channel of new Set(matched.route.to)) {
      const next = timingOf(channel, matched, event);
      const before = found.get(channel);
      found.set(channel, before === undefined ? next : merge(before, next));
    }
  return [...found.values()];
}

/** What takes a first send back: on a record nothing, unless its route sends only what is still true. */
export function unlessOf({ conditional }: ChannelTiming, audience: 'people' | 'records'): Unless {
  if (audience === 'people') return 'acknowledged';
  return conditional ? 'resolved' : 'none';
}
