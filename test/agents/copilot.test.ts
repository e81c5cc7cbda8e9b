// What Copilot's captured inputs become.
import { testCaptured } from './captured.ts';

testCaptured('copilot', [
  [
    'Notification-tui-pascal-case',
    'agent.waiting waiting permission normal',
    { message: 'Run command: touch notes.txt' },
  ],
  [
    'PermissionRequest-tui-pascal-case',
    'agent.other activity activity low',
    { tool: { name: 'bash', summary: 'touch notes.txt' } },
  ],
  ['SessionEnd-tui-pascal-case', 'session.ended ended - low', { reason: 'user_exit' }],
  ['SessionStart-tui-pascal-case', 'agent.other prompted prompted low', { prompt: 'Create the notes file' }],
  ['Stop-tui-pascal-case', 'agent.finished finished - normal', {}],
  [
    'agentStop-print-background-subagent-2',
    'agent.finished finished background low',
    {
      subagent: { id: '37c767de-6cb4-4187-9f0c-4ea41d558be9', name: 'explore' },
      parentSessionId: 'fca8eaea-87c0-4003-ae97-deccb89fae25',
    },
  ],
  ['agentStop-print-plain', 'agent.finished finished - normal', {}],
  [
    'errorOccurred-print-bad-request',
    'session.failed failed unknown urgent',
    { message: 'messages: text content blocks must be non-empty' },
  ],
  [
    'errorOccurred-print-rate-limit',
    'session.failed failed rate-limit urgent',
    { message: "This request would exceed your account's rate limit. Please try again later." },
  ],
  [
    'notification-print-background-subagent',
    'agent.waiting waiting idle normal',
    { message: 'Agent "reviewer" (explore) has finished processing and is now idle.' },
  ],
  [
    'notification-print-denied-tool',
    'agent.waiting waiting permission normal',
    { message: 'Run command: touch notes.txt' },
  ],
  [
    'notification-tui-permission-write',
    'agent.waiting waiting permission normal',
    { message: 'Edit file: /home/dev/project/CHANGELOG.md' },
  ],
  [
    'permissionRequest-print-denied-tool',
    'agent.other activity activity low',
    { tool: { name: 'bash', summary: 'touch notes.txt' } },
  ],
  ['permissionRequest-print-tool', 'agent.other activity activity low', { tool: { name: 'bash', summary: 'ls' } }],
  [
    'permissionRequest-tui-background-shell',
    'agent.other activity activity low',
    { tool: { name: 'bash', summary: 'sleep 25' } },
  ],
  [
    'permissionRequest-tui-permission-write',
    'agent.other activity activity low',
    { tool: { name: 'edit', summary: '/home/dev/project/CHANGELOG.md' } },
  ],
  ['sessionEnd-print-bad-request', 'session.ended ended - urgent', { reason: 'error', abnormal: true }],
  ['sessionEnd-print-plain', 'session.ended ended - low', { reason: 'complete' }],
  ['sessionEnd-tui-exit', 'session.ended ended - low', { reason: 'user_exit' }],
  [
    'sessionStart-print-background-subagent',
    'agent.other prompted prompted low',
    { prompt: 'Delegate the review in the background' },
  ],
  ['sessionStart-print-bad-request', 'agent.other prompted prompted low', { prompt: 'Check the request' }],
  ['sessionStart-print-denied-tool', 'agent.other prompted prompted low', { prompt: 'Create the notes file' }],
  ['sessionStart-print-plain', 'agent.other prompted prompted low', { prompt: 'Say hello' }],
  ['sessionStart-print-rate-limit', 'agent.other prompted prompted low', { prompt: 'Check the quota' }],
  ['sessionStart-print-sigterm', 'agent.other prompted prompted low', { prompt: 'Think for a while' }],
  ['sessionStart-print-tool', 'agent.other prompted prompted low', { prompt: 'List the folder' }],
  ['sessionStart-tui-background-shell', 'agent.other prompted prompted low', { prompt: 'Start the dev server' }],
  ['sessionStart-tui-clear-2', 'agent.other prompted prompted low', { prompt: 'Thanks' }],
  ['sessionStart-tui-long', 'agent.other prompted prompted low', { prompt: 'Explain the build' }],
  ['sessionStart-tui-permission-write', 'agent.other prompted prompted low', { prompt: 'Write the changelog' }],
  ['sessionStart-tui-question', 'agent.other prompted prompted low', { prompt: 'Ask me which colour' }],
  [
    'subagentStart-print-background-subagent',
    'agent.other subagent-started subagent-started low',
    { subagent: { id: '37c767de-6cb4-4187-9f0c-4ea41d558be9', name: 'explore' } },
  ],
  [
    'subagentStop-print-background-subagent',
    'subagent.finished subagent-finished - low',
    {
      message: 'There are 3 source files in the project.',
      subagent: { id: '37c767de-6cb4-4187-9f0c-4ea41d558be9', name: 'explore' },
    },
  ],
]);
