// Looks whether the clients that are waited for still run: one that is killed does not end its hooks.
import type { Background } from '../../lib/async/background.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ClientProcess } from '../../model/session/session.ts';
import type { OpenQuestion } from './open-question.ts';

/** How often, ms. */
const LOOK = 900;

/** Looks while there are waits. */
export interface ClientWatch {
  /** A client is known now. */
  start(): void;
  stop(): void;
}

interface ClientWatchDeps {
  readonly clock: Clock;
  readonly background: Background;
  /** What waits now. */
  readonly waits: () => readonly OpenQuestion[];
  /** Those of them that have exited. */
  readonly exited: (clients: readonly ClientProcess[]) => Promise<readonly ClientProcess[]>;
}

/** Does not look before `start`. */
export function createClientWatch({ clock, background, waits, exited }: ClientWatchDeps): ClientWatch {
  let state: 'idle' | 'looking' | 'stopped' = 'idle';
  let cancel = (): void => undefined;

  async function look(): Promise<void> {
    const clients = await exited(waits().flatMap(({ client }) => client ?? []));
    for (const one of waits()) if (one.client !== null && clients.includes(one.client)) one.end('exited');
  }

  function start(): void {
    if (state !== 'idle') return;
    state = 'looking';
    cancel = clock.setTimer(LOOK, () => {
      state = 'idle';
      if (waits().length === 0) return;
      background.run(look());
      start();
    });
  }

  return {
    start,
    stop: () => {
      state = 'stopped';
      cancel();
    },
  };
}
