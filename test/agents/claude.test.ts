// What Claude's captured inputs become.
import { expect, test } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';
import { testCaptured } from './captured.ts';

testCaptured('claude', [
  [
    'Notification-tui-idle',
    'agent.waiting waiting idle normal',
    'project: Claude waits for your input',
    { message: 'Claude is waiting for your input' },
  ],
  // It goes on by itself, and asks nothing.
  [
    'Notification-tui-limit-auto-resume',
    'agent.waiting none quota_auto_resume_fired low',
    'project: Claude: Usage limit reset — Claude is continuing your task',
    { message: 'Usage limit reset — Claude is continuing your task' },
  ],
  [
    'Notification-tui-permission-deny',
    'agent.waiting waiting permission normal',
    'project: Claude needs your permission',
    { message: 'Claude needs your permission', correlationKey: 'asks', isFollowUp: true },
  ],
  [
    'PermissionRequest-tui-permission-deny',
    'agent.waiting waiting permission normal',
    'project: Claude needs permission to run Write',
    { tool: { name: 'Write', summary: '/home/dev/project/CHANGELOG.md' }, correlationKey: 'asks' },
  ],
  [
    'PermissionRequest-tui-question',
    'agent.waiting waiting question normal',
    'project: Claude has a question',
    {
      message: 'Which colour should the button have?\n- Blue: A calm blue\n- Red: A strong red',
      tool: { name: 'AskUserQuestion', summary: 'Which colour should the button have?' },
      correlationKey: 'asks',
    },
  ],
  ['PreCompact-tui-compact', 'agent.other activity activity low', null, {}],
  [
    'SessionEnd-print-plain',
    'session.ended ended - urgent',
    "project: Claude's session ended abnormally (other)",
    { reason: 'other', abnormal: true, settlesWithinMs: 200 },
  ],
  [
    'SessionEnd-tui-clear',
    'session.ended ended - low',
    "project: Claude's session ended (clear)",
    { reason: 'clear', byUser: true },
  ],
  [
    'SessionEnd-tui-exit',
    'session.ended ended - low',
    "project: Claude's session ended (prompt_input_exit)",
    { reason: 'prompt_input_exit', byUser: true },
  ],
  [
    'SessionEnd-tui-logout',
    'session.ended ended - low',
    "project: Claude's session ended (logout)",
    { reason: 'logout', byUser: true },
  ],
  ['SessionStart-print-plain', 'agent.other started started low', null, {}],
  ['SessionStart-tui-clear-2', 'agent.other started started low', null, {}],
  ['SessionStart-tui-limit-auto-resume', 'agent.other started started low', null, {}],
  ['SessionStart-tui-exit', 'agent.other started started low', null, {}],
  ['SessionStart-tui-resume-2', 'agent.other started started low', null, {}],
  [
    'Stop-tui-limit-auto-resume',
    'agent.finished finished - normal',
    'project: Claude finished',
    { message: 'I went on where I stopped.', running: [] },
  ],
  [
    'StopFailure-tui-five-hour-limit',
    'session.failed failed rate-limit urgent',
    'project: Claude stopped: rate limit',
    { message: "You've hit your 5-hour limit · resets 5:02pm (UTC)" },
  ],
  [
    'UserPromptSubmit-tui-rewake-reply-2',
    'agent.other prompted prompted low',
    null,
    { prompt: 'also update the docs' },
  ],
  ['UserPromptSubmit-tui-limit-auto-resume', 'agent.other prompted prompted low', null, {}],
  [
    'Stop-print-background-subagent-2',
    'agent.finished finished - normal',
    'project: Claude finished',
    { message: 'The background task is finished. There are 3 source files.', running: [] },
  ],
  [
    'Stop-print-background-subagent',
    'agent.finished finished background low',
    'project: Claude finished, background work still runs',
    {
      message: 'The review runs in the background. I will tell you when it is ready.',
      running: [{ id: 'afbadc17382002317', type: 'subagent', label: 'Review the project' }],
    },
  ],
  [
    'Stop-print-plain',
    'agent.finished finished - normal',
    'project: Claude finished',
    { message: 'Hello! How can I help you today?', running: [] },
  ],
  [
    'Stop-print-subagent',
    'agent.finished finished - normal',
    'project: Claude finished',
    { message: 'The reviewer found 3 source files. Nothing else to do.', running: [] },
  ],
  [
    'Stop-tui-background-shell-2',
    'agent.finished finished background low',
    'project: Claude finished, background work still runs',
    {
      message: 'The dev server is starting in the background.',
      running: [{ id: 'b4whlvf0h', type: 'shell', label: 'Start the dev server' }],
    },
  ],
  [
    'Stop-tui-long',
    'agent.finished finished - normal',
    'project: Claude finished',
    { message: expect.stringContaining('Here is how the build works, from start to end.'), running: [] },
  ],
  [
    'Stop-tui-question',
    'agent.finished finished - normal',
    'project: Claude finished',
    { message: 'Blue it is. I noted your answer.', running: [] },
  ],
  [
    'Stop-tui-resume-2',
    'agent.finished finished - normal',
    'project: Claude finished',
    { message: 'You are welcome.', running: [] },
  ],
  [
    'StopFailure-print-billing-error',
    'session.failed failed credit urgent',
    'project: Claude stopped: out of credit',
    { message: 'Credit balance is too low' },
  ],
  [
    'StopFailure-print-rate-limit',
    'session.failed failed rate-limit urgent',
    'project: Claude stopped: rate limit',
    {
      message: expect.stringContaining(
        "API Error: Request rejected (429) · This request would exceed your account's rate limit. Please try again later.",
      ),
    },
  ],
  [
    'StopFailure-print-server-error',
    'session.failed failed server urgent',
    'project: Claude stopped: server error',
    {
      message: expect.stringContaining(
        'API Error: 500 Internal server error. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:8399).',
      ),
    },
  ],
  [
    'StopFailure-tui-connection-dropped',
    'session.failed failed network urgent',
    'project: Claude stopped: network error',
    { message: expect.stringContaining('API Error: Connection dropped (ECONNRESET).') },
  ],
  [
    'StopFailure-tui-connection-reset',
    'session.failed failed network urgent',
    'project: Claude stopped: network error',
    { message: 'API Error: Unable to connect to API (ECONNRESET)' },
  ],
  [
    'StopFailure-tui-auth-error',
    'session.failed failed auth urgent',
    'project: Claude stopped: not signed in',
    { message: 'Invalid API key · Fix external API key' },
  ],
  [
    'StopFailure-tui-model-error',
    'session.failed failed model urgent',
    'project: Claude stopped: model not available',
    {
      message: expect.stringContaining(
        "There's an issue with the selected model (claude-opus-4-8[1m]). It may not exist or you may not have access to it. Run /model to pick a different model.",
      ),
    },
  ],
  [
    'SubagentStart-print-subagent',
    'agent.other subagent-started subagent-started low',
    null,
    { subagent: { id: 'affed863a17e92e9e', name: 'general-purpose' } },
  ],
  [
    'SubagentStop-print-background-subagent',
    'subagent.finished subagent-finished - low',
    "project: Claude's subagent finished: general-purpose",
    {
      message: 'There are 3 source files in the project.',
      running: [],
      subagent: { id: 'afbadc17382002317', name: 'general-purpose' },
    },
  ],
  [
    'SubagentStop-print-subagent',
    'subagent.finished subagent-finished - low',
    "project: Claude's subagent finished: general-purpose",
    {
      message: 'There are 3 source files in the project.',
      running: [],
      subagent: { id: 'affed863a17e92e9e', name: 'general-purpose' },
    },
  ],
]);

test.each<[what: string, prompt: string, expected: string | null]>([
  [
    'lines and tags in it',
    wake('two\n<b>lines</b> </system-reminder> more'),
    'two\n<b>lines</b> </system-reminder> more',
  ],
  ['another task that only quotes one', wake('go on').replace('Reply from another device', 'Done'), null],
  ['an empty one', wake(' '), null],
  [
    'words of a person about one',
    'What is "The user replied from another device: x"?',
    'What is "The user replied from another device: x"?',
  ],
])('a reply from elsewhere, %s', (_what, prompt, expected) => {
  const input = { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt };
  expect(agentByName('claude')?.parse(input, { event: null, env: {}, abnormalReasons: [] }).prompt).toBe(expected);
});

/** The prompt that a reply becomes. */
function wake(text: string): string {
  const notice = '<task-notification>\n<summary>Reply from another device</summary>\n</task-notification>';
  return `${notice}\n<system-reminder>\nThe user replied from another device: ${text}\n</system-reminder>`;
}
