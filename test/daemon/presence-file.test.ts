// The file of [presence]: there while the person is known to be at the machine, and at no other time.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPresenceFile } from '../../src/daemon/presence-file.ts';
import { AWAY_CURSOR } from '../../src/model/away.ts';
import type { Evident } from '../../src/model/presence.ts';
import { virtualClock } from '../support/clock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'presence-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function keeper() {
  const file = join(folder, 'here');
  const clock = virtualClock();
  const logged: string[] = [];
  const state = { idle: 'no' as Evident, away: null as unknown, asked: 0, file: file as string | undefined };
  const kept = createPresenceFile({
    clock,
    store: { cursor: async (name) => (name === AWAY_CURSOR ? state.away : null), sessions: async () => [] },
    config: () => ({ presence: { looking: true, idle: 180_000, file: state.file } }),
    detect: async () => {
      state.asked += 1;
      return { away: false, looking: 'unknown', idle: state.idle, evidence: 'seen' };
    },
    env: {},
    log: (message) => void logged.push(message),
  });
  return { file, clock, logged, state, kept };
}

test('it is there from an input on, until there was none for long, the screen is locked, or nothing is known', async () => {
  const { file, clock, state, kept } = keeper();
  await kept.follow();
  expect(existsSync(file)).toBe(true);
  for (const idle of ['yes', 'no', 'unknown', 'no'] as const) {
    state.idle = idle;
    await clock.advance(30_000);
    expect(existsSync(file)).toBe(idle === 'no');
  }
  await kept.stop();
  expect(existsSync(file)).toBe(false);
  expect(clock.pending).toBe(0);
});

test('whoever says to be away is not there, whatever is seen', async () => {
  const { file, clock, state, kept } = keeper();
  await kept.follow();
  state.away = { since: clock.now(), until: clock.now() + 3_600_000 };
  await clock.advance(30_000);
  expect([existsSync(file), state.asked]).toEqual([false, 1]);
  await kept.stop();
});

test('nothing is asked, and no timer set, where the settings name none', async () => {
  const { file, clock, state, kept } = keeper();
  state.file = undefined;
  await kept.follow();
  expect([state.asked, clock.pending]).toEqual([0, 0]);
  state.file = file;
  await kept.follow();
  expect(existsSync(file)).toBe(true);
  state.file = undefined;
  await kept.follow();
  expect([existsSync(file), clock.pending]).toEqual([false, 0]);
});

test('a file that is not empty is somebody else’s', async () => {
  const { file, clock, state, logged, kept } = keeper();
  writeFileSync(file, 'mine');
  await kept.follow();
  state.idle = 'yes';
  await clock.advance(30_000);
  await kept.stop();
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(logged.length).toBeGreaterThan(0);
});
