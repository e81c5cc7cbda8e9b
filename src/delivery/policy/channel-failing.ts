// The event that reports, through the other channels, that one stopped accepting.
import type { Event } from '../../model/event/event.ts';
import { internalEvent } from '../../model/event/internal-event.ts';
import type { ChannelHealth, Store } from '../../store/contract.ts';
import { sha256 } from '../../lib/hash.ts';
import { clockTime } from '../../model/time/clock-time.ts';

/** Most outages looked at, the latest: there is an event for each. */
const MAX_OUTAGES = 1_000;

/** Drops paused reports of failing channels that have recovered since; returns how many. */
export async function dropResolved(
  store: Pick<Store, 'events' | 'deliveries' | 'health' | 'transition'>,
  now: number,
): Promise<number> {
  const outages = await store.events({ kinds: ['channel.failing'], limit: MAX_OUTAGES });
  const reports = outages.map(({ event }) => store.deliveries({ eventId: event.id, states: ['paused'] }));
  const waiting = (await Promise.all(reports)).flat();
  if (waiting.length === 0) return 0;
  const failing = new Set((await store.health()).filter(({ state }) => state === 'failing').map((h) => h.channel));
  const over = waiting.filter(({ content }) => !failing.has(String(content.event.attributes['channel'])));
  return store.transition({ ids: over.map(({ id }) => id), from: ['paused'] }, 'cancelled', now);
}

/** One event an outage: its id is made of the channel and the outage's beginning, so raising it again changes nothing. */
export function channelFailingEvent(health: ChannelHealth): Event {
  const { channel, since, error, reason } = health;
  const digest = sha256(channel, 12);
  return internalEvent({
    id: `failing-${digest}-${since}`,
    kind: 'channel.failing',
    message: error,
    reason,
    abnormal: true,
    detail: reason,
    urgency: 'urgent',
    at: since,
    presetText: textOf(health),
    attributes: { channel },
  });
}

function textOf({ channel, error, reason, probeAt }: ChannelHealth): { readonly title: string; readonly body: string } {
  const what = error ?? 'It rejects deliveries.';
  if (reason !== 'quota')
    return {
      title: `belfry: channel ${channel} is failing`,
      body: `${what}\nIts deliveries are paused. Run \`belfry doctor\`; after fixing it, \`belfry test ${channel}\`.`,
    };
  const until = probeAt === null ? 'until it renews' : `until ${clockTime(probeAt)}`;
  return {
    title: `belfry: channel ${channel} has used up its quota`,
    body: `${what}\nIts deliveries are paused ${until}. If you enlarge the quota before, run \`belfry test ${channel}\`.`,
  };
}
