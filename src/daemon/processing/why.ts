// Reads what became of an event, and makes the list that says why.
import type { Event } from '../../model/event/event.ts';
import type { Config } from '../../model/settings/config.ts';
import { titleOf, traceRoutes } from '../../pipeline/index.ts';
import type { StoredEvent, StoreReader } from '../../store/contract.ts';
import { sessionKeyText } from '../../model/ids.ts';
import { readGoOnPlans } from '../../store/go-on-plans.ts';
import { outcomesOf } from '../sessions/going-on-events.ts';
import { type Tried, type WhyFacts, type WhyRow, whyRows } from './why-words.ts';

/** What the settings in force say. */
export interface WhyRules extends Pick<Config, 'routes'> {
  /** Names of the configured channels. */
  readonly channels: readonly string[];
  readonly home: string;
}

/** Most deliveries of one event that are looked at, the latest: a group may go on for long. */
const MOST = 200;

/** Why an event's notification went where it did, and why not to the other channels. `who`: its agent as people call it; `now`: Unix ms. */
export async function readWhy(
  { event, verdicts }: StoredEvent,
  store: Pick<StoreReader, 'deliveries' | 'notification' | 'attempts' | 'eventsById' | 'timers'>,
  { routes, channels, home }: WhyRules,
  { who, now }: { readonly who: string; readonly now: number },
): Promise<readonly WhyRow[]> {
  const deliveries = await store.deliveries({ covers: event.id, limit: MOST });
  const ids = [...new Set(deliveries.map(({ notificationId }) => notificationId))];
  const notifications = (await Promise.all(ids.map((id) => store.notification(id)))).filter((one) => one !== null);
  const tried = await Promise.all(
    deliveries.map(
      async (delivery): Promise<Tried> => ({
        delivery,
        attempts: delivery.attempts === 0 ? [] : await store.attempts(delivery.id),
      }),
    ),
  );
  return whyRows({
    title: titleOf(event, who),
    at: event.at,
    verdicts,
    notifications,
    tried,
    channels,
    ...(await wentOn(event, store, who)),
    routes: traceRoutes(event, { routes }, home).map((trace, at) => ({ ...trace, match: routes[at]?.match ?? {} })),
    now,
  });
}

/** What became of a session that failed, and when Belfry lets it go on. */
async function wentOn(
  event: Event,
  store: Pick<StoreReader, 'eventsById' | 'timers'>,
  who: string,
): Promise<Pick<WhyFacts, 'outcomes' | 'continuesAt'>> {
  if (event.kind !== 'session.failed' || event.sessionId === null) return { outcomes: [], continuesAt: null };
  const found = await store.eventsById(outcomesOf(event));
  const session = { ...event, sessionId: event.sessionId };
  const plans = await readGoOnPlans(store, [{ session, failure: event.id }]);
  return {
    outcomes: [...found.values()].map((one) => ({ at: one.at, title: titleOf(one, who) })),
    continuesAt: plans.get(sessionKeyText(session)) ?? null,
  };
}
