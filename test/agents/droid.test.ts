// What Droid's captured inputs become.
import { testCaptured } from './captured.ts';

testCaptured('droid', [
  [
    'Notification-tui-interrupt',
    'agent.waiting interrupted idle low',
    'project: Droid waits for your input',
    { message: 'Agent stopped by user and is waiting for input' },
  ],
  [
    'Notification-tui-permission-deny',
    'agent.waiting waiting permission normal',
    'project: Droid needs your permission',
    { message: 'Factory CLI needs permission to execute 1 tool(s)' },
  ],
  [
    'Notification-tui-question',
    'agent.waiting waiting question normal',
    'project: Droid has a question',
    { message: 'Factory CLI is asking the user 1 question(s)' },
  ],
  ['PreCompact-tui-compact', 'agent.other activity activity low', null, {}],
  [
    'SessionEnd-exec-plain',
    'session.ended ended - urgent',
    "project: Droid's session ended abnormally (other)",
    { reason: 'other', abnormal: true, turnBegan: true, settlesWithinMs: 200 },
  ],
  [
    'SessionEnd-exec-subagent-2',
    'session.ended ended - urgent',
    "project: Droid's session ended abnormally (other)",
    { reason: 'other', abnormal: true, turnBegan: true, settlesWithinMs: 200 },
  ],
  [
    'SessionEnd-tui-clear',
    'session.ended ended - low',
    "project: Droid's session ended (clear)",
    { reason: 'clear', byUser: true },
  ],
  [
    'SessionEnd-tui-ctrl-c-2',
    'session.ended ended - urgent',
    "project: Droid's session ended abnormally (other)",
    { reason: 'other', abnormal: true, turnBegan: true, settlesWithinMs: 200 },
  ],
  [
    'SessionEnd-tui-ctrl-c',
    'session.ended ended - urgent',
    "project: Droid's session ended abnormally (other)",
    { reason: 'other', abnormal: true },
  ],
  [
    'SessionEnd-tui-logout',
    'session.ended ended - low',
    "project: Droid's session ended (logout)",
    { reason: 'logout', byUser: true },
  ],
  ['SessionStart-exec-plain', 'agent.other started started low', null, {}],
  [
    'SessionStart-exec-subagent-2',
    'agent.other started started low',
    null,
    { parentSessionId: '6e9becc0-1497-4398-8c78-2b1160b1f07b' },
  ],
  ['SessionStart-tui-clear-2', 'agent.other started started low', null, {}],
  ['SessionStart-tui-compact-3', 'agent.other started started low', null, {}],
  ['SessionStart-tui-resume-2', 'agent.other started started low', null, {}],
  [
    'SessionStart-tui-subagent-2',
    'agent.other started started low',
    null,
    { parentSessionId: 'b8931e9d-d52f-4663-9c93-c525f645f0c2' },
  ],
  [
    'SessionStart-tui-subagent-3',
    'agent.other started started low',
    null,
    { parentSessionId: 'b8931e9d-d52f-4663-9c93-c525f645f0c2' },
  ],
  [
    'Stop-exec-plain',
    'agent.finished finished - normal',
    'project: Droid finished',
    { occurrence: 'b6cf1899-e0e9-4788-a414-6c9e330cada1' },
  ],
  [
    'Stop-exec-subagent-2',
    'agent.finished finished - normal',
    'project: Droid finished after 2 s',
    { seconds: 1.768, occurrence: '32b13183-5bbf-4160-a6e6-b1c2a8eb0102' },
  ],
  [
    'Stop-tui-ctrl-c',
    'agent.finished finished - normal',
    'project: Droid finished',
    { occurrence: '4262b09f-c9ac-455a-86af-b66cc6926223' },
  ],
  [
    'SubagentStop-exec-subagent',
    'subagent.finished subagent-finished - low',
    "project: Droid's subagent finished: Review the project",
    { message: 'There are 3 source files in the project.', subagent: { id: null, name: 'Review the project' } },
  ],
  [
    'SubagentStop-tui-subagent',
    'subagent.finished subagent-finished - low',
    "project: Droid's subagent finished: Review the project",
    { message: 'There are 3 source files in the project.', subagent: { id: null, name: 'Review the project' } },
  ],
]);
