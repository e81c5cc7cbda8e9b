// Which notification a request belongs to: the one whose hook reported the same words, however many ask at once.
import { expect, test } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';
import type { Asked } from '../../src/answering/questions/asker.ts';
import { createReports } from '../../src/answering/questions/hook-reports.ts';
import { notificationIdOf } from '../../src/model/ids.ts';
import type { IncomingHook } from '../../src/model/event/incoming.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import { virtualClock } from '../support/clock.ts';

const session = { ...HERE, agent: 'codex', sessionId: 's-1' };

function reported(entryId: string, command: string | undefined): IncomingHook {
  const input = {
    session_id: 's-1',
    turn_id: 't',
    cwd: '/tmp',
    hook_event_name: 'PermissionRequest',
    tool_name: 'Bash',
    tool_input: command === undefined ? {} : { command },
  };
  const parsed = agentByName('codex')?.parse(input, { event: null, env: {}, abnormalReasons: [] });
  if (parsed === undefined) throw new Error('no such agent');
  return {
    type: 'hook',
    entryId,
    source: 'socket',
    startedAt: 0,
    receivedAt: 0,
    agent: 'codex',
    ...HERE,
    parsed,
    origin: { pid: 1, ppid: 1, env: {} },
    digest: entryId,
  };
}

const asks = (command: string): Asked => ({
  session,
  digest: `asks ${command}`,
  startedAt: 0,
  question: {
    sessionId: 's-1',
    kind: 'permission',
    cwd: null,
    subagent: null,
    partial: null,
    choices: [],
    tool: { name: 'Bash', summary: command },
    text: `${command}\nreason: Create the file?`,
  },
});

/** Reports come before (`first`) and after the requests; each request gets the report at its place. */
test.each<{
  is: string;
  first: [string, string?][];
  later: [string, string?][];
  asked: string[];
  get: (string | null)[];
}>([
  { is: 'one of each', first: [['a', 'touch a']], later: [], asked: ['touch a'], get: ['a'] },
  { is: 'none', first: [], later: [], asked: ['touch a'], get: [null] },
  {
    is: 'two in another order',
    first: [
      ['a', 'touch a'],
      ['b', 'touch b'],
    ],
    later: [],
    asked: ['touch b', 'touch a'],
    get: ['b', 'a'],
  },
  {
    is: 'the report of the second before that of the first',
    first: [],
    later: [
      ['b', 'touch b'],
      ['a', 'touch a'],
    ],
    asked: ['touch a', 'touch b'],
    get: ['a', 'b'],
  },
  {
    is: 'one that begins like the other',
    first: [
      ['long', 'touch a b'],
      ['short', 'touch a'],
    ],
    later: [],
    asked: ['touch a b', 'touch a'],
    get: ['long', 'short'],
  },
  {
    is: 'a report without words beside one with the right ones',
    first: [['right', 'touch a'], ['empty']],
    later: [],
    asked: ['touch a', 'touch b'],
    get: ['right', 'empty'],
  },
  {
    is: 'a report whose words are a part of others, before its own comes',
    first: [['part', 'ls']],
    later: [['own', 'echo false']],
    asked: ['echo false', 'ls'],
    get: ['own', 'part'],
  },
  {
    is: 'a report in other words, when no other comes',
    first: [['other', 'touch x']],
    later: [],
    asked: ['touch a'],
    get: ['other'],
  },
  {
    is: 'a command of several lines',
    first: [['a', 'touch a\n  touch b']],
    later: [],
    asked: ['touch a touch b'],
    get: ['a'],
  },
  {
    is: 'a command that is too long to be reported whole',
    first: [['a', `echo ${'x'.repeat(2_000)}`]],
    later: [],
    asked: [`echo ${'x'.repeat(2_000)}`],
    get: ['a'],
  },
])('$is', async ({ first, later, asked, get }) => {
  const clock = virtualClock();
  const requests = createReports(clock);
  for (const [id, command] of first) requests.note(reported(id, command));
  const found = asked.map((command) => requests.find(asks(command), 'words'));
  for (const [id, command] of later) requests.note(reported(id, command));
  await clock.advance(1_000);
  expect(await Promise.all(found)).toEqual(get.map((id) => id && notificationIdOf(id)));
});

test('a report that comes late is found then, unless it is about something else', async () => {
  const clock = virtualClock();
  const requests = createReports(clock);
  const late: string[] = [];
  requests.whenFound(asks('touch a'), 'words', (id) => late.push(id));
  requests.note(reported('b', 'touch b'));
  expect(late).toEqual([]);
  requests.note(reported('a', 'touch a'));
  expect(late).toEqual([notificationIdOf('a')]);
});
