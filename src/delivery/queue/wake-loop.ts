// One piece of work that runs again each time it is woken, never twice at once, and sleeps in between.
import type { Clock } from '../../lib/clock.ts';

/** What the loop does. */
export interface LoopWork {
  /** Runs at once with each wake, also while a turn runs. */
  readonly woken: () => void;
  /** One turn. */
  readonly turn: () => Promise<void>;
  /** A turn that threw; the next one comes after a pause. */
  readonly failed: (error: unknown) => void;
}

export interface WakeLoop {
  /** Begins with a turn; until then, wakes do nothing. */
  start(work: LoopWork): void;
  /** A turn now, or one more after the running one. */
  wake(): void;
  /** Wakes after so many ms, in place of the sleep before. */
  sleep(ms: number): void;
  readonly running: boolean;
  /** Resolves when the running turn has ended; no other begins. */
  stop(): Promise<void>;
}

/** again: woken while a turn runs. */
type LoopState = 'asleep' | 'running' | 'again' | 'stopped';

/** Longest sleep while something waits, ms: alarms do not notice a clock that is set forward, nor a suspended machine. */
export const LONGEST_SLEEP = 60_000;
/** Pause after a turn that failed, ms. */
const TROUBLE = 2_000;

/** Asleep until it is started. */
export function createWakeLoop(clock: Clock): WakeLoop {
  let work: LoopWork | null = null;
  let state: LoopState = 'asleep';
  let running: Promise<void> | null = null;
  let cancelSleep = (): void => undefined;
  const now = (): LoopState => state; // it changes while a turn is awaited

  function sleep(ms: number): void {
    cancelSleep();
    cancelSleep = clock.setTimer(Math.min(Math.max(ms, 0), LONGEST_SLEEP), wake);
  }

  async function run({ turn, failed }: LoopWork): Promise<void> {
    do {
      state = 'running';
      cancelSleep();
      try {
        await turn();
      } catch (error) {
        failed(error);
        if (now() === 'again') state = 'running'; // not at once
        if (now() !== 'stopped') sleep(TROUBLE);
      }
    } while (now() === 'again');
    // In the same step as the last look at the state, or a wake between them would be lost.
    if (now() === 'running') state = 'asleep';
    running = null;
  }

  function wake(): void {
    if (work === null) return;
    work.woken();
    if (state === 'running') state = 'again';
    else if (state === 'asleep') running = run(work);
  }

  return {
    start: (given) => {
      work = given;
      wake();
    },
    wake,
    sleep,
    get running() {
      return running !== null;
    },
    stop: async () => {
      state = 'stopped';
      cancelSleep();
      await running;
      cancelSleep(); // the last turn may have begun another sleep
    },
  };
}
