// What Claude's transcript says of a decision that its hook printed: taken, or somebody was first at the terminal in that moment.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { claude } from '../../src/agents/claude.ts';
import type { Answering, FinalAnswer } from '../../src/model/question/answering.ts';
import { OWN_FILES } from '../support/answering.ts';
import { temporaryFolder } from '../support/home.ts';

const SINCE = Date.parse('2026-11-24T15:44:10.000Z');
const COMMAND = { command: 'touch notes.txt', description: 'Create a file' };
const outcome = (claude.answering as Answering).outcome as NonNullable<Answering['outcome']>;

const at = (second: number) => ({ timestamp: new Date(SINCE + second * 1_000).toISOString() });
const call = (id: string, input: object = COMMAND, second = -1) => ({
  ...at(second),
  type: 'assistant',
  message: {
    content: [
      { type: 'text', text: 'I do.' },
      { type: 'tool_use', id, name: 'Bash', input },
    ],
  },
});
const decided = (toolUseID: string, decision = 'allow', second = 1) => ({
  ...at(second),
  type: 'attachment',
  attachment: { type: 'hook_permission_decision', decision, toolUseID, hookEvent: 'PermissionRequest' },
});
const result = (id: string, more: { content?: string; is_error?: boolean; said?: unknown } = {}, second = 1) => ({
  ...at(second),
  type: 'user',
  message: {
    content: [
      { tool_use_id: id, type: 'tool_result', content: more.content ?? 'done', is_error: more.is_error ?? false },
    ],
  },
  toolUseResult: more.said ?? { stdout: '', interrupted: false },
});
const rejected = (id: string) =>
  result(id, { content: "The user doesn't want to proceed", is_error: true, said: 'User rejected tool use' });
const denied = (id: string, content = 'use notes.md') =>
  result(id, { content, is_error: true, said: `Error: ${content}` });

async function judge(records: readonly object[], answer: FinalAnswer, more: object = {}, name = 's.jsonl') {
  const folder = join(temporaryFolder(), 'projects', '-home-dev');
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`);
  const asked = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: COMMAND };
  const input = { ...asked, transcript_path: join(folder, 's.jsonl'), ...more };
  const { handed, isFinal } = await outcome({ input, since: SINCE }, answer, OWN_FILES);
  return `${handed}${isFinal ? '' : ' so far'}`;
}

const ALLOW = { type: 'allow' } as const;
const DENY = { type: 'deny', message: 'use notes.md' } as const;
const SILENT = { type: 'deny', message: null } as const;
const CHOOSE = { type: 'choose', chosen: [['Red']] } as const;

test.each<[string, readonly object[], FinalAnswer, string]>([
  ['the decision is noted', [call('a'), decided('a')], ALLOW, 'taken'],
  ['the decision is noted, and a result', [call('a'), decided('a', 'deny'), denied('a')], DENY, 'taken'],
  ['it was interrupted after the decision', [call('a'), decided('a'), rejected('a')], ALLOW, 'taken'],
  ['Esc was first, or came while it ran', [call('a'), rejected('a')], ALLOW, 'unconfirmed'],
  ['Esc was first', [call('a'), rejected('a')], DENY, 'late'],
  ['Esc was first', [call('a'), rejected('a')], CHOOSE, 'late'],
  ['it ran, since Yes was first', [call('a'), result('a')], DENY, 'late'],
  ['it ran and failed, since Yes was first', [call('a'), result('a', { is_error: true, content: 'no' })], DENY, 'late'],
  ['nothing yet: it may run', [call('a')], ALLOW, 'taken so far'],
  ['nothing yet: it may run, since Yes was first', [call('a')], DENY, 'unconfirmed so far'],
  ['nothing yet: something else was chosen', [call('a')], CHOOSE, 'unconfirmed so far'],
  ['the call is not written yet', [], DENY, 'taken so far'],
  ['a version that notes no decision: it ran', [call('a'), result('a')], ALLOW, 'taken'],
  ['a version that notes no decision: our words', [call('a'), denied('a')], DENY, 'taken'],
  ['a version that notes no decision: no words', [call('a'), denied('a', 'The user denied this.')], SILENT, 'taken'],
  [
    'the same call was denied before',
    [
      call('a', COMMAND, -9),
      { ...decided('a', 'deny'), ...at(-8) },
      { ...denied('a'), ...at(-8) },
      call('b'),
      result('b'),
    ],
    DENY,
    'late',
  ],
  [
    'another call was decided',
    [call('a', { command: 'ls' }), call('b'), decided('a', 'deny')],
    DENY,
    'unconfirmed so far',
  ],
  [
    'the same call comes again and is denied',
    [call('a'), result('a'), call('b', COMMAND, 2), decided('b', 'deny', 3)],
    DENY,
    'late',
  ],
])('%s: %j', async (_what, records, answer, expected) => {
  expect(await judge(records, answer)).toBe(expected);
});

test('a subagent has a transcript of its own, and what is called otherwise than Claude calls them is not looked at', async () => {
  const own = join('s', 'subagents', 'agent-a1.jsonl');
  expect(await judge([call('a'), result('a')], DENY, { agent_id: 'a1' }, own)).toBe('late');
  expect(await judge([call('a'), result('a')], DENY, { agent_id: '../a1' }, own)).toBe('taken');
  expect(await judge([call('a'), result('a')], DENY, { transcript_path: '/etc/passwd' })).toBe('taken');
});
