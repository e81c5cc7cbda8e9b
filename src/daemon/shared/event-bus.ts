// What just happened inside the daemon, for those who wait for it: a decision written, an attempt made, an address listened on.
import type { Attempt, Delivery } from '../../model/delivery/delivery.ts';
import type { Decision } from '../../store/contract.ts';
import type { Log } from './log.ts';

/** One thing that happened. */
export type DaemonEvent =
  | { readonly type: 'taken'; readonly what: 'accepted' | 'repeated' | 'unreadable'; readonly source: string }
  | { readonly type: 'decided'; readonly decision: Decision }
  | { readonly type: 'settled'; readonly delivery: Delivery; readonly attempt: Attempt }
  | { readonly type: 'listening'; readonly addresses: readonly string[] };

type Listener = (event: DaemonEvent) => void | Promise<void>;

/** Publishes to every subscriber. */
export interface EventBus {
  /** Never throws and waits for nobody. */
  publish(event: DaemonEvent): void;
  /** Each listener hears one thing after the other, in order, whatever the others do. The returned function ends it. */
  subscribe(listener: Listener): () => void;
}

/** Events that may wait for one listener; the oldest go first. */
const MAX_WAITING = 1_000;

/** A bus without subscribers. */
export function createEventBus(log: Log): EventBus {
  const queues = new Set<{ push(event: DaemonEvent): void; end(): void }>();
  return {
    publish: (event) => {
      for (const queue of queues) queue.push(event);
    },
    subscribe: (listener) => {
      const queue = queueFor(listener, log);
      queues.add(queue);
      return () => {
        queues.delete(queue);
        queue.end();
      };
    },
  };
}

/** One listener's queue: a listener that throws or is slow costs nobody but itself. */
function queueFor(listener: Listener, log: Log) {
  let waiting: DaemonEvent[] = [];
  let state: 'idle' | 'draining' | 'ended' = 'idle';
  let dropped = 0;

  async function drain(): Promise<void> {
    for (let event = waiting.shift(); event; event = waiting.shift()) {
      try {
        await listener(event);
      } catch (error) {
        log('a listener failed', { event: event.type, error: String(error) });
      }
    }
    if (dropped > 0) log('a listener was too slow, the oldest events were dropped', { dropped });
    dropped = 0;
    if (state === 'draining') state = 'idle'; // in the same step as the last look at what waits
  }

  return {
    push: (event: DaemonEvent): void => {
      if (state === 'ended') return;
      waiting.push(event);
      if (waiting.length > MAX_WAITING) {
        waiting.shift();
        dropped++;
      }
      if (state !== 'idle') return;
      state = 'draining';
      void Promise.resolve().then(drain); // catches all that its listener throws
    },
    end: (): void => {
      state = 'ended';
      waiting = [];
    },
  };
}
