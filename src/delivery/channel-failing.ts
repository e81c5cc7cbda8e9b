// The event that reports, through the other channels, that one stopped accepting.
import type { Event } from '../model/event.ts';
import { internalEvent } from '../model/internal-event.ts';
import type { ChannelHealth, Store } from '../store/contract.ts';
import { sha256 } from '../lib/hash.ts';

/** Most events read at once: there is one per channel and outage. */
const MOST = 10_000;

/** Drops paused reports of failing channels that have recovered since; returns how many. */
export async function dropResolved(
  store: Pick<Store, 'deliveries' | 'health' | 'transition'>,
  now: number,
): Promise<number> {
  const waiting = await store.deliveries({ states: ['paused'], kinds: ['channel.failing'], limit: MOST });
  if (waiting.length === 0) return 0;
  const failing = new Set((await store.health()).filter(({ state }) => state === 'failing').map((h) => h.channel));
  const over = waiting.filter(({ content }) => !failing.has(String(content.event.attributes['channel'])));
  return store.transition({ ids: over.map(({ id }) => id), from: ['paused'] }, 'cancelled', now);
}

/** One event an outage: its id is made of the channel and the outage's beginning, so raising it again changes nothing. */
export function channelFailingEvent({ channel, since, error, reason }: ChannelHealth): Event {
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
    presetText: {
      title: `belfry: channel ${channel} is failing`,
      body: `${error ?? 'It rejects deliveries.'}\nIts deliveries are paused. Run \`belfry doctor\`; after fixing it, \`belfry test ${channel}\`.`,
    },
    attributes: { channel },
  });
}
