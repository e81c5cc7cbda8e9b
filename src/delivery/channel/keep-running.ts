// Work of a channel that goes on while it is configured: it begins again with changed settings, and some time after it ended by itself.
import { setMaxListeners } from 'node:events';
import { type Clock, sleep } from '../../lib/clock.ts';

export interface KeptRunning {
  /** With the settings in force; what ran is ended first. */
  restart(): void;
  stop(): Promise<void>;
}

/** Ms after which work that ended by itself runs again, as a failing channel is tried again: what it ended for may be over. */
const AGAIN = 600_000;

/** Begins at once, if it is wanted. `work` ends when the signal fires, and never rejects. */
export function keepRunning(
  work: (signal: AbortSignal) => Promise<void>,
  wanted: () => boolean,
  clock: Clock,
): KeptRunning {
  let control = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function goOn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && wanted()) {
      await work(signal);
      if (!signal.aborted) await sleep(AGAIN, clock, signal);
    }
  }

  function begin(): void {
    control = new AbortController();
    setMaxListeners(0, control.signal); // one for each request under way
    const { signal } = control;
    running = running.then(() => goOn(signal)); // never two at once: services allow one
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
