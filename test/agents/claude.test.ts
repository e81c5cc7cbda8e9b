// What Claude's captured inputs become.
import { expect } from 'vitest';
import { testCaptured } from './captured.ts';

testCaptured('claude', [
  ['Notification-tui-idle', 'agent.waiting waiting idle normal', { message: 'Claude is waiting for your input' }],
  [
    'Notification-tui-permission-deny',
    'agent.waiting waiting permission normal',
    { message: 'Claude needs your permission', moment: 'asks', echo: true },
  ],
  [
    'PermissionRequest-tui-permission-deny',
    'agent.waiting waiting permission normal',
    { tool: { name: 'Write', summary: '/home/dev/project/CHANGELOG.md' }, moment: 'asks' },
  ],
  [
    'PermissionRequest-tui-question',
    'agent.waiting waiting question normal',
    {
      message: 'Which colour should the button have?',
      tool: { name: 'AskUserQuestion', summary: 'Which colour should the button have?' },
      moment: 'asks',
    },
  ],
  ['PreCompact-tui-compact', 'agent.other activity activity low', {}],
  ['SessionEnd-print-plain', 'session.ended ended - urgent', { reason: 'other', abnormal: true }],
  ['SessionEnd-tui-clear', 'session.ended ended - low', { reason: 'clear' }],
  ['SessionEnd-tui-exit', 'session.ended ended - low', { reason: 'prompt_input_exit' }],
  ['SessionEnd-tui-logout', 'session.ended ended - low', { reason: 'logout' }],
  ['SessionStart-print-plain', 'agent.other started started low', {}],
  ['SessionStart-tui-clear-2', 'agent.other started started low', {}],
  ['SessionStart-tui-exit', 'agent.other started started low', {}],
  ['SessionStart-tui-resume-2', 'agent.other started started low', {}],
  [
    'Stop-print-background-subagent-2',
    'agent.finished finished - normal',
    { message: 'The background task is finished. There are 3 source files.', running: [] },
  ],
  [
    'Stop-print-background-subagent',
    'agent.finished finished background low',
    {
      message: 'The review runs in the background. I will tell you when it is ready.',
      running: [{ id: 'afbadc17382002317', type: 'subagent', label: 'Review the project' }],
    },
  ],
  [
    'Stop-print-plain',
    'agent.finished finished - normal',
    { message: 'Hello! How can I help you today?', running: [] },
  ],
  [
    'Stop-print-subagent',
    'agent.finished finished - normal',
    { message: 'The reviewer found 3 source files. Nothing else to do.', running: [] },
  ],
  [
    'Stop-tui-background-shell-2',
    'agent.finished finished background low',
    {
      message: 'The dev server is starting in the background.',
      running: [{ id: 'b4whlvf0h', type: 'shell', label: 'Start the dev server' }],
    },
  ],
  [
    'Stop-tui-long',
    'agent.finished finished - normal',
    { message: expect.stringContaining('Here is how the build works, from start to end.'), running: [] },
  ],
  [
    'Stop-tui-question',
    'agent.finished finished - normal',
    { message: 'Blue it is. I noted your answer.', running: [] },
  ],
  ['Stop-tui-resume-2', 'agent.finished finished - normal', { message: 'You are welcome.', running: [] }],
  ['StopFailure-print-billing-error', 'session.failed failed credit urgent', { message: 'Credit balance is too low' }],
  [
    'StopFailure-print-rate-limit',
    'session.failed failed rate-limit urgent',
    {
      message: expect.stringContaining(
        "API Error: Request rejected (429) · This request would exceed your account's rate limit. Please try again later.",
      ),
    },
  ],
  [
    'StopFailure-print-server-error',
    'session.failed failed server urgent',
    {
      message: expect.stringContaining(
        'API Error: 500 Internal server error. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:8399).',
      ),
    },
  ],
  [
    'StopFailure-tui-auth-error',
    'session.failed failed auth urgent',
    { message: 'Invalid API key · Fix external API key' },
  ],
  [
    'StopFailure-tui-model-error',
    'session.failed failed model urgent',
    {
      message: expect.stringContaining(
        "There's an issue with the selected model (claude-opus-4-8[1m]). It may not exist or you may not have access to it. Run /model to pick a different model.",
      ),
    },
  ],
  [
    'SubagentStart-print-subagent',
    'agent.other subagent-started subagent-started low',
    { subagent: { id: 'affed863a17e92e9e', name: 'general-purpose' } },
  ],
  [
    'SubagentStop-print-background-subagent',
    'subagent.finished subagent-finished - low',
    {
      message: 'There are 3 source files in the project.',
      running: [],
      subagent: { id: 'afbadc17382002317', name: 'general-purpose' },
    },
  ],
  [
    'SubagentStop-print-subagent',
    'subagent.finished subagent-finished - low',
    {
      message: 'There are 3 source files in the project.',
      running: [],
      subagent: { id: 'affed863a17e92e9e', name: 'general-purpose' },
    },
  ],
]);
