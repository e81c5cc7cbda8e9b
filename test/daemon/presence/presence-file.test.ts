// The file of [presence]: there while the person is known to be at the machine, and at no other time.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPresenceFile } from '../../../src/daemon/presence/presence-file.ts';
import type { Evident } from '../../../src/model/presence/presence.ts';
import { virtualClock } from '../../support/clock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'presence-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** `cursors`: those of a daemon before, where there was one. */
function keeper(cursors = new Map<string, unknown>()) {
  const file = join(folder, 'here');
  const clock = virtualClock();
  const logged: string[] = [];
  const state = { idle: 'no' as Evident, away: null as unknown, asked: 0, file: file as string | undefined };
  const kept = createPresenceFile({
    clock,
    store: {
      machine: async () => ({ version: 1, state: state.away }),
      cursor: async (name) => cursors.get(name) ?? null,
      setCursor: async (name, value) => void cursors.set(name, value),
      sessions: async () => [],
    },
    config: () => ({ presence: { looking: true, idle: 180_000, file: state.file } }),
    detect: async () => {
      state.asked += 1;
      return { away: false, looking: 'unknown', idle: state.idle, input: null, idleAfter: 180_000, evidence: 'seen' };
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

test('settings that are read while it stops begin nothing', async () => {
  const { file, clock, kept } = keeper();
  await Promise.all([kept.follow(), kept.stop(), kept.follow()]);
  await kept.follow();
  expect([existsSync(file), clock.pending]).toEqual([false, 0]);
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

test.each([
  ['the settings name it still, and nobody is there', 'here', 'unknown', false],
  ['the settings name it still, and somebody is there', 'here', 'no', true],
  ['the settings name another one', 'elsewhere', 'no', false],
  ['the settings name none', undefined, 'no', false],
] as const)('what a killed daemon left behind goes with the next one: %s', async (_when, named, idle, stays) => {
  const cursors = new Map<string, unknown>();
  const killed = keeper(cursors);
  await killed.kept.follow();
  const next = keeper(cursors);
  Object.assign(next.state, { idle, file: named && join(folder, named) });
  await next.kept.follow();
  expect(existsSync(killed.file)).toBe(stays);
  await next.kept.stop();
  // One that was stopped leaves nothing to remove: an empty file of somebody else's stays.
  writeFileSync(killed.file, '');
  const last = keeper(cursors);
  last.state.file = undefined;
  await last.kept.follow();
  expect(existsSync(killed.file)).toBe(true);
});

test('what another program put in its place meanwhile stays', async () => {
  const cursors = new Map<string, unknown>();
  const { file, kept } = keeper(cursors);
  await kept.follow();
  writeFileSync(file, 'mine');
  const next = keeper(cursors);
  next.state.file = undefined;
  await next.kept.follow();
  expect([readFileSync(file, 'utf8'), next.logged.length]).toEqual(['mine', 1]);
});
