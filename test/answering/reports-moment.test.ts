// Which notification a question of Copilot's belongs to: its hook and its extension put the same request together in two places, so only session, kind and moment tell.
import { expect, test } from 'vitest';
import type { Asked } from '../../src/answering/questions/asker.ts';
import { createReports } from '../../src/answering/questions/hook-reports.ts';
import { matchOf } from '../../src/answering/sources/hook/may-wait.ts';
import { agentByName } from '../../src/agents/index.ts';
import { notificationIdOf } from '../../src/model/ids.ts';
import type { IncomingHook } from '../../src/model/event/incoming.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import { virtualClock } from '../support/clock.ts';

const copilot = agentByName('copilot');
if (copilot?.answering === undefined) throw new Error('no such agent');
const { answering } = copilot;

function reported(entryId: string, startedAt: number, message = entryId): IncomingHook {
  const input = { sessionId: 's', cwd: '/tmp', notification_type: 'permission_prompt', message, timestamp: startedAt };
  const parsed = copilot?.parse(input, { event: 'notification', env: {}, abnormalReasons: [] });
  if (parsed === undefined) throw new Error('no such agent');
  return {
    type: 'hook',
    entryId,
    source: 'socket',
    startedAt,
    receivedAt: startedAt,
    agent: 'copilot',
    ...HERE,
    parsed,
    origin: { pid: 1, ppid: 1, env: {} },
    digest: message,
  };
}

/** Only what tells is given. */
const asks = (startedAt: number): Asked =>
  ({
    session: { ...HERE, agent: 'copilot', sessionId: 's' },
    digest: 'own',
    startedAt,
    question: { kind: 'permission' },
  }) as Asked;

test.each<
  [
    what: string,
    first: [string, number, string?][],
    asked: number[],
    later: [string, number, string?][],
    get: (string | null)[],
  ]
>([
  [
    'two within a moment, both reported before',
    [
      ['a', 1_000],
      ['b', 1_400],
    ],
    [990, 1_390],
    [],
    ['a', 'b'],
  ],
  [
    'two within a moment, reported afterwards',
    [],
    [990, 1_390],
    [
      ['a', 1_000],
      ['b', 1_400],
    ],
    ['a', 'b'],
  ],
  [
    'the second was reported before it asked',
    [
      ['a', 1_000],
      ['b', 1_300],
    ],
    [1_310, 1_020],
    [],
    ['b', 'a'],
  ],
  [
    'the same payload twice is one report',
    [
      ['a', 1_000, 'm'],
      ['b', 1_200, 'm'],
    ],
    [1_000, 1_100],
    [],
    ['a', null],
  ],
  ['one of long before is none', [['a', 1_000]], [9_000], [], [null]],
])('%s', async (_what, first, asked, later, get) => {
  const clock = virtualClock();
  const inputs = createReports(clock);
  for (const one of first) inputs.note(reported(...one));
  const found = asked.map((startedAt) => inputs.find(asks(startedAt), matchOf({ answering })));
  for (const one of later) inputs.note(reported(...one));
  await clock.advance(1_000);
  expect(await Promise.all(found)).toEqual(get.map((id) => id && notificationIdOf(id)));
});

test('what a machine elsewhere reports is the other half of its own questions only, and of no other machine', async () => {
  const clock = virtualClock();
  const reports = createReports(clock);
  const from = (remote: string): IncomingHook => ({
    ...reported(remote, 1_000, 'same bytes'),
    source: 'remote',
    host: remote,
    origin: { pid: 1, ppid: 1, env: {}, host: remote, remote },
  });
  for (const remote of ['box', 'web']) reports.note(from(remote));
  const asked = (remote?: string): Asked => ({ ...asks(1_000), digest: 'same bytes', remote });
  const found = [undefined, 'box', 'web', 'other'].map((remote) => reports.find(asked(remote), 'bytes'));
  await clock.advance(1_000);
  expect(await Promise.all(found)).toEqual([null, notificationIdOf('box'), notificationIdOf('web'), null]);
});
