// What Qwen's captured inputs become.
import { expect } from 'vitest';
import { testCaptured } from './captured.ts';

testCaptured('qwen', [
  [
    'Notification-print-plain',
    'agent.waiting none auth_success low',
    'project: Qwen: Successfully authenticated with openai',
    { message: 'Successfully authenticated with openai' },
  ],
  [
    'Notification-tui-permission-write',
    'agent.waiting waiting permission normal',
    'project: Qwen needs permission to run write_file',
    { message: 'Qwen Code needs your permission to use write_file', correlationKey: 'asks', isFollowUp: true },
  ],
  [
    'Notification-tui-permission',
    'agent.waiting waiting permission normal',
    'project: Qwen needs permission to run run_shell_command',
    { message: 'Qwen Code needs your permission to use run_shell_command', correlationKey: 'asks', isFollowUp: true },
  ],
  [
    'Notification-tui-quit',
    'agent.waiting turn-over idle normal',
    'project: Qwen waits for your input',
    { message: 'Qwen Code is waiting for your input' },
  ],
  [
    'PermissionRequest-tui-permission-write',
    'agent.waiting waiting permission normal',
    'project: Qwen needs permission to run write_file',
    { tool: { name: 'write_file', summary: '/home/dev/project/CHANGELOG.md' }, correlationKey: 'asks' },
  ],
  [
    'PermissionRequest-tui-permission',
    'agent.waiting waiting permission normal',
    'project: Qwen needs permission to run run_shell_command',
    {
      message: 'Create an empty notes file',
      tool: { name: 'run_shell_command', summary: 'touch notes.txt' },
      correlationKey: 'asks',
    },
  ],
  ['PreCompact-tui-compress', 'agent.other activity activity low', null, {}],
  [
    'SessionEnd-tui-clear',
    'session.ended ended - low',
    "project: Qwen's session ended (clear)",
    { reason: 'clear', byUser: true },
  ],
  [
    'SessionEnd-tui-quit',
    'session.ended ended - low',
    "project: Qwen's session ended (prompt_input_exit)",
    { reason: 'prompt_input_exit' },
  ],
  ['SessionStart-tui-clear-2', 'agent.other started started low', null, {}],
  ['SessionStart-tui-quit', 'agent.other started started low', null, {}],
  ['SessionStart-tui-subagent', 'agent.other started started low', null, {}],
  [
    'Stop-print-denied-tool',
    'agent.finished finished - normal',
    'project: Qwen finished',
    { message: 'I cannot do this in the current mode.', occurrence: '2026-11-21T08:16:45.948Z' },
  ],
  [
    'Stop-print-plain',
    'agent.finished finished - normal',
    'project: Qwen finished',
    { message: 'Hello! How can I help you today?', occurrence: '2026-11-21T08:15:59.763Z' },
  ],
  [
    'Stop-print-tool',
    'agent.finished finished - normal',
    'project: Qwen finished',
    { message: 'The folder holds README.md and src.', occurrence: '2026-11-21T08:16:27.738Z' },
  ],
  [
    'Stop-tui-long',
    'agent.finished finished - normal',
    'project: Qwen finished',
    {
      message: expect.stringContaining('Here is how the build works, from start to end.'),
      occurrence: '2026-11-21T08:20:53.838Z',
    },
  ],
  [
    'Stop-tui-permission-write',
    'agent.finished finished - normal',
    'project: Qwen finished',
    { message: 'The changelog is written.', occurrence: '2026-11-21T08:19:42.740Z' },
  ],
  [
    'Stop-tui-permission',
    'agent.finished finished - normal',
    'project: Qwen finished',
    { message: 'I created notes.txt in the project folder.', occurrence: '2026-11-21T08:19:31.377Z' },
  ],
  [
    'Stop-tui-subagent',
    'agent.finished finished - normal',
    'project: Qwen finished',
    { message: 'The reviewer found 3 source files. Nothing else to do.', occurrence: '2026-11-21T08:20:36.736Z' },
  ],
  [
    'StopFailure-tui-auth-error',
    'session.failed failed auth urgent',
    'project: Qwen stopped: not signed in',
    { message: '401 invalid x-api-key' },
  ],
  [
    'SubagentStart-tui-subagent',
    'agent.other subagent-started subagent-started low',
    null,
    { subagent: { id: 'general-purpose-call_mwq51jwe000044aa', name: 'general-purpose' } },
  ],
  [
    'SubagentStop-tui-subagent',
    'subagent.finished subagent-finished - low',
    "project: Qwen's subagent finished: general-purpose",
    {
      message: 'There are 3 source files in the project.',
      subagent: { id: 'general-purpose-call_mwq51jwe000044aa', name: 'general-purpose' },
    },
  ],
]);
