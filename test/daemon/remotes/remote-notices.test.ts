// Notices of machines elsewhere: one with agents at work that is not reachable for an hour, and one that sends more than anybody reads.
import { expect, test } from 'vitest';
import { createRemoteNotices } from '../../../src/daemon/remotes/remote-notices.ts';
import type { Event } from '../../../src/model/event/event.ts';
import type { RemoteState, RemoteStatus } from '../../../src/model/remote-status.ts';
import type { SessionRecord } from '../../../src/model/session/session.ts';
import type { RemoteListener } from '../../../src/sources/remote/remote-source.ts';
import { virtualClock } from '../../support/clock.ts';
import { madeSession } from '../../support/made.ts';

const MINUTE = 60_000;

function noticed(sessions: readonly Partial<SessionRecord>[]) {
  const clock = virtualClock();
  const raised: Event[] = [];
  const logged: string[] = [];
  let listener: RemoteListener | null = null;
  let status: RemoteStatus = {
    name: 'box',
    state: 'connected',
    since: clock.now(),
    reason: null,
    detail: null,
    noise: [],
    roundTrip: 3,
    hello: null,
    lastEvent: null,
    trouble: null,
  };
  let failures = 0;
  const stop = createRemoteNotices({
    remotes: {
      status: () => [status],
      follow: (given) => {
        listener = given;
      },
    },
    store: { sessions: async () => sessions.map((one) => madeSession(one)) },
    clock,
    raise: async (event) => {
      if (failures-- > 0) throw new Error('the journal cannot be written');
      raised.push(event);
    },
    log: (message) => void logged.push(message),
  });
  const become = (state: RemoteState, since = clock.now()): void => {
    status = { ...status, state, since, reason: 'network', detail: 'Connection reset by peer' };
    listener?.changed();
  };
  const fail = (times: number): void => {
    failures = times;
  };
  return { clock, raised, logged, stop, become, fail, journaled: () => listener?.journaled('box') };
}

const process = { pid: 7, start: '1', name: 'claude', where: 'box' };
const atWork = { state: 'working', project: 'api', host: 'box', process } as const;

test('one with agents at work is reported once it has not been reachable for an hour, and once each time', async () => {
  const { clock, raised, become } = noticed([atWork, { ...atWork, project: 'web', state: 'waiting' }]);
  const since = clock.now();
  become('waiting');
  await clock.advance(59 * MINUTE);
  become('connecting', since); // tried again
  expect(raised).toEqual([]);
  await clock.advance(MINUTE);
  become('waiting', since);
  await clock.advance(300 * MINUTE);
  expect(raised).toMatchObject([
    {
      kind: 'remote.unreachable',
      urgency: 'low',
      attributes: { remote: 'box' },
      presetText: {
        title: 'box has not been reachable for an hour',
        body: expect.stringMatching(
          /^Not connected since .*\d\d:\d\d \(Connection reset by peer\)\. At work there: api and web\. /,
        ),
      },
    },
  ]);
  become('connected');
  become('stopped');
  await clock.advance(61 * MINUTE);
  expect(raised).toHaveLength(2);
  expect(new Set(raised.map(({ id }) => id)).size).toBe(2);
});

test.each<[string, readonly Partial<SessionRecord>[], RemoteState, number]>([
  ['nobody at work there', [{ ...atWork, state: 'finished' }], 'waiting', 61],
  ['at work here', [{ ...atWork, host: 'laptop', process: { pid: 7, start: '1', name: 'claude' } }], 'waiting', 61],
  ['disconnected by its person', [atWork], 'off', 61],
  ['back in time', [atWork], 'connected', 61],
])('none is of: %s', async (_name, sessions, state, minutes) => {
  const { clock, raised, logged, become } = noticed(sessions);
  become(state);
  await clock.advance(minutes * MINUTE);
  expect([raised, logged, clock.pending]).toEqual([[], [], 0]);
});

test('what cannot be read or kept is tried again; a session whose process is not known counts', async () => {
  const { clock, raised, logged, become, fail } = noticed([{ ...atWork, process: null }]);
  fail(2);
  become('waiting');
  await clock.advance(61 * MINUTE);
  expect(logged).toEqual(Array(2).fill('a machine elsewhere could not be looked at'));
  expect(raised).toHaveLength(1);
});

test('once stopped it sets no timer', async () => {
  const { clock, become, stop } = noticed([atWork]);
  become('waiting');
  await clock.advance(0);
  expect(clock.pending).toBe(1);
  stop();
  expect(clock.pending).toBe(0);
});

test('ten thousand inputs of one day are reported once a day', async () => {
  const { clock, raised, journaled } = noticed([]);
  for (let i = 0; i < 9_999; i++) journaled();
  expect(raised).toEqual([]);
  for (let i = 0; i < 20_000; i++) journaled();
  expect(raised).toMatchObject([{ kind: 'remote.flooding', urgency: 'normal', attributes: { remote: 'box' } }]);
  await clock.advance(24 * 60 * MINUTE);
  for (let i = 0; i < 9_999; i++) journaled();
  expect(raised).toHaveLength(1);
  journaled();
  expect(new Set(raised.map(({ id }) => id)).size).toBe(2);
});
