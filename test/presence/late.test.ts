// What does not answer in time might have said that nobody is there; what answers early is used early.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UNKNOWN_PLACE } from '../../src/model/session/place.ts';
import { defineDetector, type Finding } from '../../src/presence/shared/detector.ts';
import { createDetection } from '../../src/presence/index.ts';
import { until } from '../support/wait.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'late-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NOW = Date.UTC(2026, 10, 23, 12);
const QUESTION = { place: UNKNOWN_PLACE, pid: null, looking: true, idle: 180_000, only: 'away' } as const;
const LOOKS: Finding = { about: 'looking', answer: 'yes', evidence: 'looks', input: NOW - 1_000 };
const TYPES: Finding = { about: 'idle', answer: 'no', evidence: 'types' };
const ELSEWHERE: Finding = { about: 'looking', answer: 'no', evidence: 'elsewhere' };
const LOCKED: Finding = { about: 'locked', answer: 'yes', evidence: 'locked' };

/** One that finds this at once. */
const finds = (...found: readonly Finding[]) =>
  defineDetector({
    name: 'made',
    about: ['looking', 'idle', 'locked'],
    applies: () => true,
    detect: async () => found,
  });

/** One that finds what a program says, when that says so. */
const asks = (found: Finding) =>
  defineDetector({
    name: 'program',
    about: ['looking', 'idle', 'locked'],
    applies: () => true,
    detect: async (_subject, run) => ((await run('asked', []))?.trim() === 'yes' ? [found] : []),
  });

function program(script: string): void {
  const file = join(folder, 'asked');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

const machine = () => ({
  platform: 'linux' as const,
  env: { PATH: `${folder}:/usr/bin:/bin` },
  now: () => NOW,
  steady: () => 0,
});
const LATE = 'not everything answered within 1 s';

test.runIf(process.platform !== 'win32').each([
  [
    'looking and typing',
    [LOOKS, TYPES],
    { looking: 'unknown', idle: 'unknown', input: null, evidence: `looks; types; ${LATE}` },
  ],
  ['typing', [TYPES], { looking: 'unknown', idle: 'unknown', evidence: `types; ${LATE}` }],
  ['nothing', [], { looking: 'unknown', idle: 'unknown', evidence: LATE }],
] as const)('a screen of which nobody knows in time whether it is locked: %s', async (_what, found, expected) => {
  program('exec sleep 600');
  const detect = createDetection([asks(LOCKED), finds(...found)], machine());
  expect(await detect(QUESTION)).toMatchObject(expected);
});

test.runIf(process.platform !== 'win32')('a busy machine’s answer within the second counts', async () => {
  program('sleep 0.3; echo yes');
  const asked = () => createDetection([finds(LOOKS, TYPES), asks(LOCKED)], machine())(QUESTION);
  // Where this machine is busier than that, it is unknown, and never "looking".
  const found = await until(async () => {
    const one = await asked();
    expect(one.looking).not.toBe('yes');
    return one.looking === 'no' && one;
  }, 'the answer');
  expect(found).toMatchObject({ idle: 'yes', evidence: 'locked' });
});

test.runIf(process.platform !== 'win32')('what is known already waits for nothing', async () => {
  program('exec sleep 600');
  const ask = (found: readonly Finding[], only: 'away' | 'idle') =>
    createDetection([finds(...found), asks(LOCKED)], machine())({ ...QUESTION, only });
  expect(await ask([ELSEWHERE, TYPES], 'away')).toMatchObject({ looking: 'no', evidence: 'elsewhere; types' });
  expect(await ask([LOCKED], 'idle')).toMatchObject({ looking: 'no', evidence: 'locked' });
  // Who is idle only matters here, and may yet be away.
  expect(await ask([ELSEWHERE, TYPES], 'idle')).toMatchObject({ looking: 'no', idle: 'unknown' });
});

test('an input that was counted before the machine slept, or its clock was set, is none', async () => {
  const clocks = { now: NOW, steady: 5_000 };
  const found = defineDetector({
    name: 'made',
    about: ['looking', 'idle'],
    applies: () => true,
    detect: async (_subject) => [{ ...LOOKS, input: clocks.now - 9_000 }],
  });
  const detect = createDetection([found], { ...machine(), now: () => clocks.now, steady: () => clocks.steady });
  const after = async (now: number, steady: number) => {
    clocks.now += now;
    clocks.steady += steady;
    return (await detect(QUESTION)).input;
  };
  expect(await after(0, 0)).toBe(clocks.now - 9_000);
  expect(await after(2_000, 2_000)).toBe(clocks.now - 9_000);
  expect(await after(3_600_000, 3_000)).toBe(null); // asleep for an hour
  expect(await after(5_000, 5_000)).toBe(null);
  expect(await after(5_000, 5_000)).toBe(clocks.now - 9_000);
  expect(await after(-60_000, 5_000)).toBe(null); // set back
});
