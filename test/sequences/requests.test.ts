// Requests that a client may decide by itself, and those that it reports twice, in virtual time: when they arrive, if at all.
import { expect, test } from 'vitest';
import { differences, type Expected, type Sequence, type Step } from '../support/sequence.ts';
import { play } from '../support/sequence-player.ts';

const BASE = { session_id: 's', cwd: '/home/dev/project' };
const TOOL = { tool_name: 'Bash', tool_input: { command: 'npm test' } };

const prompt = (at: number): Step => ({ at, input: { ...BASE, hook_event_name: 'UserPromptSubmit', prompt: 'Go' } });
const request = (at: number, more: Readonly<Record<string, unknown>> = {}): Step => ({
  at,
  input: { ...BASE, ...TOOL, hook_event_name: 'PermissionRequest', ...more },
});
const used = (at: number): Step => ({ at, input: { ...BASE, ...TOOL, hook_event_name: 'PostToolUse' } });
const notice = (at: number): Step => ({
  at,
  input: { ...BASE, hook_event_name: 'Notification', notification_type: 'permission_prompt', message: 'May it?' },
});
const copilot = (at: number, event: string, more: Readonly<Record<string, unknown>>): Step => ({
  at,
  event,
  input: { sessionId: 's', cwd: '/home/dev/project', ...more },
});
const APPROVED = { notification_type: 'permission_prompt', message: 'Run command: npm test' };
const permission = (from: number, to: number): Expected => ({ what: 'permission', from, to });

const CASES: readonly Pick<Sequence, 'name' | 'client' | 'steps' | 'expected'>[] = [
  {
    name: 'Codex reviews a permission and runs the tool: nobody is asked',
    client: 'codex',
    steps: [prompt(1), request(2), used(2.9)],
    expected: [],
  },
  {
    name: 'Codex asks the user: after the time of its review',
    client: 'codex',
    steps: [prompt(1), request(2), used(30)],
    expected: [permission(3.4, 3.7)],
  },
  {
    name: 'the daemon starts again while Codex reviews: the request is neither lost nor early',
    client: 'codex',
    steps: [prompt(1), request(2), { at: 2.5, restart: 0 }],
    expected: [permission(3.4, 3.7)],
  },
  {
    name: 'Copilot notifies of a permission that is granted already: nobody is asked',
    client: 'copilot',
    steps: [
      copilot(1, 'userPromptSubmitted', { prompt: 'Go' }),
      copilot(2, 'notification', APPROVED),
      copilot(2.6, 'postToolUse', { toolName: 'bash', toolArgs: { command: 'npm test' } }),
    ],
    expected: [],
  },
  {
    name: 'Copilot asks the user: once nothing was decided',
    client: 'copilot',
    steps: [copilot(1, 'userPromptSubmitted', { prompt: 'Go' }), copilot(2, 'notification', APPROVED)],
    expected: [permission(3.4, 3.7)],
  },
  {
    name: 'Claude notifies before it requests: the notification carries',
    client: 'claude',
    steps: [prompt(1), notice(2), request(2.8, { tool_use_id: 'a' })],
    expected: [permission(1.9, 2.2)],
  },
  {
    name: 'Claude requests before it notifies: the request carries',
    client: 'claude',
    steps: [prompt(1), request(2, { tool_use_id: 'a' }), notice(8)],
    expected: [permission(1.9, 2.2)],
  },
  {
    name: 'a request right after one that was answered is another',
    client: 'claude',
    steps: [prompt(1), notice(2), used(3), request(4, { tool_use_id: 'b' })],
    expected: [permission(1.9, 2.2), permission(3.9, 4.2)],
  },
  {
    name: 'a request long after a notification is another',
    client: 'claude',
    steps: [prompt(1), notice(2), request(12, { tool_use_id: 'b' })],
    expected: [permission(1.9, 2.2), permission(11.9, 12.2)],
  },
];

test.each(CASES)('$name', async (sequence) => {
  const whole = { ...sequence, processes: {}, until: 60 };
  expect(differences(whole, await play(whole))).toEqual([]);
});
