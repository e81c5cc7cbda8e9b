// What Codex's captured inputs become.
import { expect } from 'vitest';
import { testCaptured } from './captured.ts';

testCaptured('codex', [
  ['Interrupt-tui-interrupt', 'agent.other interrupted interrupted low', null, {}],
  [
    'PermissionRequest-tui-permission',
    'agent.waiting waiting permission normal',
    'project: Codex needs permission to run Bash',
    {
      message: 'Do you want to create the notes file?',
      tool: { name: 'Bash', summary: 'touch notes.txt' },
      correlationKey: 'asks',
      settlesWithinMs: 1_500,
    },
  ],
  ['PostCompact-tui-compact', 'agent.other activity activity low', null, {}],
  ['PreCompact-tui-compact', 'agent.other activity activity low', null, {}],
  [
    'SessionEnd-exec-plain',
    'session.ended ended - urgent',
    "project: Codex's session ended abnormally (other)",
    { reason: 'other', abnormal: true },
  ],
  ['SessionStart-exec-plain', 'agent.other started started low', null, {}],
  ['SessionStart-tui-clear-2', 'agent.other started started low', null, {}],
  ['SessionStart-tui-quit', 'agent.other started started low', null, {}],
  ['SessionStart-tui-resume-2', 'agent.other started started low', null, {}],
  [
    'Stop-exec-plain',
    'agent.finished finished - normal',
    'project: Codex finished',
    { message: 'Hello! How can I help you today?', occurrence: '01a1fd28-2f50-77f0-ac57-521b330eb476' },
  ],
  [
    'Stop-exec-subagent',
    'agent.finished finished - normal',
    'project: Codex finished',
    {
      message: 'The reviewer found 3 source files. Nothing else to do.',
      occurrence: '01a1fd28-429b-79c3-8024-d943cc1dcaa2',
    },
  ],
  [
    'Stop-exec-tool',
    'agent.finished finished - normal',
    'project: Codex finished',
    { message: 'The folder holds README.md and src.', occurrence: '01a1fd28-4aa9-7c80-a83a-73350edf7d94' },
  ],
  [
    'Stop-tui-clear-2',
    'agent.finished finished - normal',
    'project: Codex finished',
    { message: 'You are welcome.', occurrence: '01a1fd29-f6c6-7cb2-be36-111e40b111d1' },
  ],
  [
    'Stop-tui-long',
    'agent.finished finished - normal',
    'project: Codex finished',
    {
      message: expect.stringContaining('Here is how the build works, from start to end.'),
      occurrence: '01a1fd2b-a715-7b53-88b8-1630e77f0cab',
    },
  ],
  [
    'Stop-tui-permission',
    'agent.finished finished - normal',
    'project: Codex finished',
    { message: 'I created notes.txt in the project folder.', occurrence: '01a1fd2a-bfa6-7f20-8124-2b16e4750543' },
  ],
  [
    'Stop-tui-question',
    'agent.finished finished - normal',
    'project: Codex finished',
    { message: 'Blue it is. I noted your answer.', occurrence: '01a1fd2b-5947-7e32-8246-8bac162cd3d7' },
  ],
  [
    'Stop-tui-quit',
    'agent.finished finished - normal',
    'project: Codex finished',
    { message: 'Hello! How can I help you today?', occurrence: '01a1fd28-8381-7860-8e5c-577de764bc28' },
  ],
  [
    'Stop-tui-subagent',
    'agent.finished finished - normal',
    'project: Codex finished',
    {
      message: 'The reviewer found 3 source files. Nothing else to do.',
      occurrence: '01a1fd2b-6e72-74a2-af1e-2f5d51e33864',
    },
  ],
  [
    'SubagentStart-exec-subagent',
    'agent.other subagent-started subagent-started low',
    null,
    { subagent: { id: '01a1fd28-431f-7960-a2af-fa2d3edc5730', name: 'default' } },
  ],
  [
    'SubagentStart-tui-subagent',
    'agent.other subagent-started subagent-started low',
    null,
    { subagent: { id: '01a1fd2b-6efe-77c3-a8c8-83062843a121', name: 'default' } },
  ],
  [
    'SubagentStop-exec-subagent',
    'subagent.finished subagent-finished - low',
    "project: Codex's subagent finished: default",
    {
      resumesWithinMs: 0,
      message: 'There are 3 source files in the project.',
      subagent: { id: '01a1fd28-431f-7960-a2af-fa2d3edc5730', name: 'default' },
    },
  ],
  [
    'SubagentStop-tui-subagent',
    'subagent.finished subagent-finished - low',
    "project: Codex's subagent finished: default",
    {
      resumesWithinMs: 0,
      message: 'There are 3 source files in the project.',
      subagent: { id: '01a1fd2b-6efe-77c3-a8c8-83062843a121', name: 'default' },
    },
  ],
  [
    'notify-exec-notify',
    'agent.finished finished - normal',
    'project: Codex finished',
    {
      message: 'Hello! How can I help you today?',
      prompt: 'Say hello',
      occurrence: '01a1fd28-74e1-74e0-af48-a18e19243321',
    },
  ],
]);
