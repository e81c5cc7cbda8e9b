// MQTT at work: events go to one topic, and the state of every session to a topic of its own.
import type { ChannelTools, OpenChannel } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { asOutcome, createOperations } from '../shared/operations.ts';
import { eventDocument } from '../shared/event-document.ts';
import { Broker, type Found } from './broker.ts';
import type { Acknowledged } from './connection.ts';
import { mirrorSessions } from './mirror.ts';
import type { MqttSettings } from './settings.ts';
import { topicsOf } from './topics.ts';

/** Connects to nothing yet. */
export function openMqtt(settings: MqttSettings, tools: ChannelTools): OpenChannel {
  const running = createOperations();
  const broker = new Broker(settings, tools);
  const { events } = topicsOf(settings.prefix);
  return {
    send: (message, { signal: outer, timeoutMs }) =>
      running.run(outer, async (cancelled) => {
        // The id is the same on every attempt: by it a subscriber drops a repeat.
        const payload = asOutcome(() => JSON.stringify({ id: message.id, ...eventDocument(message) }));
        if (typeof payload !== 'string') return payload;
        const limit = AbortSignal.timeout(timeoutMs);
        const signal = AbortSignal.any([cancelled, limit]);
        const found = await beforeEnd(broker.connection(), signal);
        if (!found.ok) return found;
        const end = await found.connection.publish({ topic: events, payload, retain: false }, signal);
        if (end === 'cancelled' && limit.aborted) found.connection.destroy(); // the next one makes another
        return outcomeOf(end, limit.aborted);
      }),
    mirror: (feed, level, outer) =>
      running.run(outer, (signal) => mirrorSessions(broker, { ...settings, level }, feed, tools, signal)),
    close: async () => {
      await running.close();
      await broker.close();
    },
  };
}

/** What is being connected goes on for others. */
function beforeEnd(connecting: Promise<Found>, signal: AbortSignal): Promise<Found> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ ok: false, reason: 'timeout', error: 'the broker did not answer in time' });
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    void connecting.then((found) => {
      signal.removeEventListener('abort', end);
      resolve(found);
    });
  });
}

function outcomeOf(end: Acknowledged, isLate: boolean): Outcome {
  if (end === 'acknowledged') return { ok: true };
  if (end === 'unsent') return { ok: false, reason: 'network', error: 'the broker closed the connection' };
  const error = 'it may have arrived all the same';
  if (end === 'closed')
    return { ok: false, reason: 'network', error: `the broker closed the connection; ${error}`, unknown: true };
  const what = isLate ? 'the broker did not acknowledge it in time' : 'cancelled while it was being sent';
  return { ok: false, reason: 'timeout', error: `${what}; ${error}`, unknown: true };
}
