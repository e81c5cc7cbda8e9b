// Looks at files as the daemon does, in real time whatever a test's own clock says; ended when the test has finished.
import { onTestFinished } from 'vitest';
import { type Files, filesOfThisMachine } from '../../src/files/index.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';

/** Where the built programs are. */
export const DIST = new URL('../../dist', import.meta.url).pathname;

/** Its seconds are half minutes: on a busy machine nothing is late. */
export const PATIENT: Clock = {
  now: () => Date.now() / 30,
  setTimer: (ms, wake) => systemClock.setTimer(ms * 30, wake),
};

/** For the running test. */
export function realFiles(log: (message: string) => void = () => undefined): Files {
  const files = filesOfThisMachine(DIST, { clock: PATIENT, log });
  onTestFinished(() => files.stop());
  return files;
}
