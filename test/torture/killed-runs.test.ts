// Many short lives of a daemon, each killed at moments of its own: nothing is lost, comes under a second id or out of order, and what is over is taken back.
import { expect, test } from 'vitest';
import { killedRun, type KilledRun } from './killed-run.ts';
import { figures, size } from './size.ts';

const RUNS = size(500, 20);
const TOGETHER = 4;
const SEED = Number(process.env['BELFRY_SEED'] ?? 1);

test(`${RUNS} lives with kills`, { timeout: 7_200_000 }, async () => {
  const began = performance.now();
  const runs: KilledRun[] = [];
  let next = SEED;
  await Promise.all(
    Array.from({ length: TOGETHER }, async () => {
      while (next < SEED + RUNS) runs.push(await killedRun(next++));
    }),
  );
  const sum = (of: (run: KilledRun) => number): number => runs.reduce((total, run) => total + of(run), 0);
  const breaches = runs.flatMap((run) => run.breaches);
  figures('killed runs', {
    runs: runs.length,
    kills: sum(({ kills }) => kills),
    events: sum(({ events }) => events),
    'repeats dropped by id': sum(({ repeats }) => repeats),
    'taken back': sum(({ takenBack }) => takenBack),
    'left behind by a kill': sum(({ leftBehind }) => leftBehind),
    breaches: breaches.length,
    's a run': (performance.now() - began) / 1_000 / runs.length,
  });
  expect(breaches).toEqual([]);
  expect(sum(({ known }) => known)).toBeGreaterThan(RUNS);
  // The kills hit something: what was in flight came again, and what was over was taken back.
  expect(sum(({ takenBack }) => takenBack)).toBeGreaterThan(0);
});
