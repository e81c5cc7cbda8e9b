// The event that tells, through the other channels, that one stopped accepting.
import { createHash } from 'node:crypto';
import type { Event } from '../model/event.ts';
import type { ChannelHealth } from '../store/contract.ts';

/** One event an outage: its id is made of the channel and the outage's beginning, so raising it again changes nothing. */
export function failingEvent({ channel, since, error, reason }: ChannelHealth): Event {
  const digest = createHash('sha256').update(channel).digest('hex').slice(0, 12);
  return {
    id: `failing-${digest}-${since}`,
    kind: 'channel.failing',
    agent: 'belfry',
    hookEvent: null,
    sessionId: null,
    cwd: null,
    project: null,
    branch: null,
    message: error,
    reason,
    abnormal: true,
    detail: reason,
    urgency: 'urgent',
    at: since,
    words: {
      title: `belfry: channel ${channel} is failing`,
      body: `${error ?? 'It does not accept deliveries.'}\nIts deliveries wait. Look with \`belfry doctor\`, try with \`belfry test ${channel}\`.`,
    },
    extra: { channel },
  };
}
