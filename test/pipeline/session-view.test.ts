// What `belfry sessions` may show of a session: unknown where it cannot be checked, never a guess.
import { expect, test } from 'vitest';
import type { SessionRecord } from '../../src/model/session/session.ts';
import { effectiveState } from '../../src/model/session/effective-state.ts';
import { madeSession, NOON } from '../support/made.ts';

const HOUR = 3_600_000;
const seen = { pid: 7, start: '1', name: 'droid' };
const running = [{ id: null, type: 'shell', label: 'npm run dev' }];

test.each<[name: string, expected: string, more: Partial<SessionRecord>]>([
  ['at work a minute ago', 'working null', { state: 'working', lastEvent: NOON - 60_000, process: null }],
  [
    'at work yesterday, its process not to be seen',
    'unknown null',
    { state: 'working', lastEvent: NOON - 24 * HOUR, process: null },
  ],
  [
    'at work yesterday, its process watched',
    'working null',
    { state: 'working', lastEvent: NOON - 24 * HOUR, process: seen },
  ],
  [
    'waited yesterday',
    'unknown null',
    { state: 'waiting', waitingFor: 'permission', lastEvent: NOON - 24 * HOUR, process: null },
  ],
  ['ended yesterday', 'ended null', { state: 'ended', lastEvent: NOON - 24 * HOUR, process: null }],
  ['background work', 'background npm run dev', { state: 'background', running, lastEvent: NOON, process: null }],
  [
    'background work it does not name',
    'background background work',
    { state: 'background', running: [], lastEvent: NOON },
  ],
])('%s: %s', (_name, expected, more) => {
  const { state, waitingFor } = effectiveState(madeSession({ waitingFor: null, ...more }), NOON);
  expect(`${state} ${waitingFor}`).toBe(expected);
});
