// Sleeping by an injected clock: until the time is over, or what waits is not wanted any more.
import { expect, test } from 'vitest';
import { sleep } from '../../src/lib/clock.ts';

/** A clock whose timers go off by hand. */
function manualClock() {
  const timers = new Set<() => void>();
  const setTimer = (_ms: number, wake: () => void) => {
    timers.add(wake);
    return () => void timers.delete(wake);
  };
  return { setTimer, timers };
}

test('a sleep ends with its time', async () => {
  const clock = manualClock();
  let isOver = false;
  const slept = sleep(1_000, clock).then(() => {
    isOver = true;
  });
  await Promise.resolve();
  expect(isOver).toBe(false);
  for (const wake of clock.timers) wake();
  await slept;
  expect(isOver).toBe(true);
});

test.each(['before', 'meanwhile'])('a signal that fires %s ends it and leaves no timer', async (when) => {
  const clock = manualClock();
  const control = new AbortController();
  if (when === 'before') control.abort();
  const slept = sleep(1_000, clock, control.signal);
  control.abort();
  await slept;
  expect(clock.timers.size).toBe(0);
});
