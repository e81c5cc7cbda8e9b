// What Gemini's captured inputs become.
import { expect } from 'vitest';
import { testCaptured } from './captured.ts';

testCaptured('gemini', [
  [
    'AfterAgent-print-denied-tool',
    'agent.finished finished - normal',
    'project: Gemini finished',
    {
      message: 'I cannot do this in the current mode.',
      prompt: 'Create the notes file',
      occurrence: '2026-11-21T08:10:43.031Z',
    },
  ],
  [
    'AfterAgent-print-plain',
    'agent.finished finished - normal',
    'project: Gemini finished',
    { message: 'Hello! How can I help you today?', prompt: 'Say hello', occurrence: '2026-11-21T08:10:32.464Z' },
  ],
  [
    'AfterAgent-print-tool',
    'agent.finished finished - normal',
    'project: Gemini finished',
    {
      message: 'The folder holds README.md and src.',
      prompt: 'List the folder',
      occurrence: '2026-11-21T08:10:39.691Z',
    },
  ],
  [
    'AfterAgent-tui-bad-request',
    'agent.finished finished no-answer normal',
    'project: Gemini stopped without an answer',
    {
      message: 'No answer: interrupted, or the request failed.',
      prompt: 'Check the request',
      occurrence: '2026-11-21T08:14:44.221Z',
    },
  ],
  [
    'AfterAgent-tui-interrupt',
    'agent.finished finished no-answer normal',
    'project: Gemini stopped without an answer',
    {
      message: 'No answer: interrupted, or the request failed.',
      prompt: 'Think for a while',
      occurrence: '2026-11-21T08:14:34.573Z',
    },
  ],
  [
    'AfterAgent-tui-long',
    'agent.finished finished - normal',
    'project: Gemini finished',
    {
      message: expect.stringContaining('Here is how the build works, from start to end.'),
      prompt: 'Explain the build',
      occurrence: '2026-11-21T08:14:20.586Z',
    },
  ],
  [
    'AfterAgent-tui-permission-write',
    'agent.finished finished - normal',
    'project: Gemini finished',
    { message: 'The changelog is written.', prompt: 'Write the changelog', occurrence: '2026-11-21T08:13:08.550Z' },
  ],
  [
    'AfterAgent-tui-permission',
    'agent.finished finished - normal',
    'project: Gemini finished',
    {
      message: 'I created notes.txt in the project folder.',
      prompt: 'Create the notes file',
      occurrence: '2026-11-21T08:12:51.653Z',
    },
  ],
  [
    'AfterAgent-tui-question',
    'agent.finished finished - normal',
    'project: Gemini finished',
    {
      message: 'Blue it is. I noted your answer.',
      prompt: 'Ask me which colour',
      occurrence: '2026-11-21T08:13:55.961Z',
    },
  ],
  [
    'AfterAgent-tui-subagent',
    'agent.finished finished - normal',
    'project: Gemini finished',
    {
      message: 'The reviewer found 3 source files. Nothing else to do.',
      prompt: 'Delegate the review',
      occurrence: '2026-11-21T08:14:08.943Z',
    },
  ],
  [
    'Notification-tui-permission-write',
    'agent.waiting waiting permission normal',
    'project: Gemini needs permission to run Edit',
    {
      message: 'Tool Confirm Write: CHANGELOG.md requires editing',
      tool: { name: 'Edit', summary: '/home/dev/project/CHANGELOG.md' },
    },
  ],
  [
    'Notification-tui-permission',
    'agent.waiting waiting permission normal',
    'project: Gemini needs permission to run Shell',
    { message: 'Tool Confirm Shell Command requires execution', tool: { name: 'Shell', summary: 'touch notes.txt' } },
  ],
  [
    'Notification-tui-question',
    'agent.waiting waiting question normal',
    'project: Gemini has a question',
    { message: 'Tool requires confirmation' },
  ],
  ['PreCompress-print-plain', 'agent.other activity activity low', null, {}],
  ['PreCompress-tui-compress-2', 'agent.other activity activity low', null, {}],
  ['SessionEnd-print-plain', 'session.ended ended - low', "project: Gemini's session ended (exit)", { reason: 'exit' }],
  [
    'SessionEnd-tui-clear',
    'session.ended ended - low',
    "project: Gemini's session ended (clear)",
    { reason: 'clear', byUser: true },
  ],
  ['SessionStart-print-plain', 'agent.other started started low', null, {}],
  ['SessionStart-tui-clear-2', 'agent.other started started low', null, {}],
]);
