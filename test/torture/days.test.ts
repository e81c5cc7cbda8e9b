// Random days of one person in virtual time: nothing is sent after it is over, every event is accounted for, and what is urgent is never late.
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyDay, groupsAreThere, live, settingsOf } from '../support/day.ts';
import { type Timeline, timeline } from '../support/timeline.ts';
import { figures, size } from './size.ts';

const DAYS = size(10_000, 200);
/** Days in one database. */
const TOGETHER = 50;
const SEED = Number(process.env['BELFRY_SEED'] ?? 17);
/** Breaches that are shown. */
const SHOWN = 20;

test(`${DAYS} random days of one person`, { timeout: 7_200_000 }, async () => {
  // A disk would be most of the time it takes, and nothing is killed here.
  if (existsSync('/dev/shm')) process.env['TMPDIR'] = '/dev/shm';
  const groups = await groupsAreThere();
  const days = fc.sample(anyDay, { numRuns: DAYS, seed: SEED });
  const began = performance.now();
  const found: string[] = [];
  let sent = 0;
  let line: Timeline | null = null;
  for (const [i, day] of days.entries()) {
    if (line === null || i % TOGETHER === 0) {
      sent += line?.got.length ?? 0;
      line = await timeline(settingsOf(day, groups));
    }
    const breaches = await live(line, day, groups, i);
    found.push(...breaches.map((breach) => `day ${i}: ${breach} ${JSON.stringify(day)}`));
  }
  const seconds = (performance.now() - began) / 1_000;
  const whole = sent + (line?.got.length ?? 0);
  figures('days', { days: DAYS, sent: whole, violations: found.length, 'ms a day': (seconds / DAYS) * 1_000 });
  expect(found.slice(0, SHOWN)).toEqual([]);
});
