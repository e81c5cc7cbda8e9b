// What people answer through a channel: its receiver runs while the channel is configured, and begins again with changed settings.
import { setMaxListeners } from 'node:events';
import type { InboundAnswer } from '../model/channel.ts';
import type { ChannelInstances } from './channel-instance.ts';
import type { DeliveryDeps } from './deps.ts';

export interface Listening {
  /** With the settings in force; a receiver that ran is ended first. */
  restart(): void;
  stop(): Promise<void>;
}

/** Ms after which a receiver that ended by itself runs again, as a failing channel is tried again: what it ended for may be over. */
const AGAIN = 600_000;

/** Begins at once, where the channel can receive under its settings. */
export function startListening(name: string, instances: ChannelInstances, deps: DeliveryDeps): Listening {
  const { inbound, clock, log } = deps;
  let control = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function listen(signal: AbortSignal): Promise<void> {
    if (inbound === undefined) return;
    const on = (answer: InboundAnswer): Promise<string> => inbound.take(name, answer);
    try {
      await instances.use(async ({ open }) => open.receive?.(on, signal));
    } catch (error) {
      const kind = error instanceof Error ? error.name : typeof error; // its message may hold a secret
      log('delivery: answers are not received any more', { channel: name, error: kind });
    }
  }

  /** Ends early when the signal fires. */
  const pause = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        off();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const off = clock.setTimer(AGAIN, end);
      if (signal.aborted) end();
      else signal.addEventListener('abort', end);
    });

  async function keepListening(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && inbound !== undefined && instances.capabilities().receive) {
      await listen(signal);
      if (!signal.aborted) await pause(signal);
    }
  }

  function begin(): void {
    control = new AbortController();
    setMaxListeners(0, control.signal); // one for each request under way
    const { signal } = control;
    running = running.then(() => keepListening(signal)); // never two at once: services allow one
  }

  begin();
  return {
    restart: () => {
      control.abort();
      begin();
    },
    stop: async () => {
      control.abort();
      await running;
    },
  };
}
