// Sequences of inputs as real clients give them, and exactly what people get for each: data for two runners.
import { sample } from './samples.ts';

/** One hook run. */
export interface Step {
  /** Seconds after the step before. */
  readonly after: number;
  readonly agent: string;
  /** `--event`, for clients whose input names none. */
  readonly event?: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a route for everything gets, as "title [urgency]". A desktop without settings shows all but what is low. */
export interface Sequence {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly notified: readonly string[];
}

type Change = Readonly<Record<string, unknown>>;

/** A captured input, with fields changed; a session id here makes steps of different captures one session. */
function step(agent: string, name: string, after = 1, change: Change = {}): Step {
  const dash = name.indexOf('-');
  return { after, agent, input: { ...sample(agent, name.slice(0, dash), name.slice(dash + 1)).input, ...change } };
}

const CLAUDE = 'claude';
const DROID = 'droid';
const one = { session_id: 'session-one' };
const two = { session_id: 'session-two' };
const prompt = (agent: string, after = 1, change: Change = {}): Step => ({
  after,
  agent,
  input: { ...one, hook_event_name: 'UserPromptSubmit', cwd: '/home/dev/project', prompt: 'Tidy the code', ...change },
});
const subagentSession = '3a8a27ee-64ed-466e-9dbd-0a965d4e98bd';
const bash = (command: string): Change => ({ ...one, tool_name: 'Bash', tool_input: { command } });

const COPILOT_PARENT = 'fca8eaea-87c0-4003-ae97-deccb89fae25';
const named = (event: string, scenario: string, after: number, change: Change = {}): Step => ({
  ...step('copilot', `${event}-${scenario}`, after, change),
  event,
});

export const SEQUENCES: readonly Sequence[] = [
  {
    name: 'a background subagent: one finish, when the last has ended',
    steps: [
      prompt(CLAUDE, 1, { session_id: '10bbd2d7-187d-426b-93c0-5521b8057970' }),
      step(CLAUDE, 'Stop-print-background-subagent', 20),
      step(CLAUDE, 'SubagentStop-print-background-subagent', 30),
      step(CLAUDE, 'Stop-print-background-subagent-2', 10),
    ],
    notified: ['project: Claude finished after 1 min [normal]'],
  },
  {
    name: 'idle while a subagent still runs: the finish is sent instead, and says what still runs',
    steps: [
      prompt(CLAUDE, 1, one),
      step(CLAUDE, 'Stop-print-background-subagent', 20, one),
      step(CLAUDE, 'Notification-tui-idle', 60, one),
    ],
    notified: ['project: Claude finished, background work still runs [normal]'],
  },
  {
    name: 'a failure in headless mode: the cause, then an end that adds nothing',
    steps: [
      prompt(CLAUDE, 1, one),
      step(CLAUDE, 'StopFailure-print-rate-limit', 5, one),
      step(CLAUDE, 'SessionEnd-print-plain', 1, one),
    ],
    notified: ['project: Claude stopped: rate limit [urgent]', "project: Claude's session ended (other) [low]"],
  },
  {
    name: 'an ordinary headless run: the finish, and its abnormal end notified low',
    steps: [
      prompt(CLAUDE, 1, one),
      step(CLAUDE, 'Stop-print-plain', 40, one),
      step(CLAUDE, 'SessionEnd-print-plain', 1, one),
    ],
    notified: ['project: Claude finished after 40 s [normal]', "project: Claude's session ended (other) [low]"],
  },
  {
    name: 'an end with `error` after a notified finish stays urgent',
    steps: [
      step(CLAUDE, 'Stop-print-plain', 1, one),
      step(CLAUDE, 'SessionEnd-print-plain', 9, { ...one, reason: 'error' }),
    ],
    notified: ['project: Claude finished [normal]', "project: Claude's session ended abnormally (error) [urgent]"],
  },
  {
    name: 'leaving Droid gives two ends: the second is folded',
    steps: [
      prompt(DROID, 1, one),
      step(DROID, 'Stop-tui-ctrl-c', 30, one),
      step(DROID, 'SessionEnd-tui-ctrl-c', 20, one),
      step(DROID, 'SessionEnd-tui-ctrl-c-2', 1, one),
    ],
    notified: ['project: Droid finished after 30 s [normal]', "project: Droid's session ended (other) [low]"],
  },
  {
    name: 'the middle of work: two ends, one urgent notification',
    steps: [
      prompt(DROID, 1, one),
      step(DROID, 'SessionEnd-tui-ctrl-c', 20, one),
      step(DROID, 'SessionEnd-tui-ctrl-c-2', 1, one),
    ],
    notified: ["project: Droid's session ended abnormally (other) [urgent]"],
  },
  {
    name: 'logout, and the `other` that follows: an abnormal end is not folded into a normal one',
    steps: [
      prompt(DROID, 1, one),
      step(DROID, 'Stop-tui-ctrl-c', 30, one),
      step(DROID, 'SessionEnd-tui-logout', 9, one),
      step(DROID, 'SessionEnd-tui-ctrl-c', 1, one),
    ],
    notified: [
      'project: Droid finished after 30 s [normal]',
      "project: Droid's session ended (logout) [low]",
      "project: Droid's session ended (other) [low]",
    ],
  },
  {
    name: '/quit in Gemini sends three ends at once: one',
    steps: [
      step('gemini', 'AfterAgent-print-plain', 1, one),
      step('gemini', 'SessionEnd-print-plain', 9, { ...one, timestamp: '2026-06-01T12:00:10.001Z' }),
      step('gemini', 'SessionEnd-print-plain', 0, { ...one, timestamp: '2026-06-01T12:00:10.002Z' }),
      step('gemini', 'SessionEnd-print-plain', 0, { ...one, timestamp: '2026-06-01T12:00:10.003Z' }),
    ],
    notified: ['project: Gemini finished [normal]', "project: Gemini's session ended (exit) [low]"],
  },
  ...(
    [
      ['gemini', 'AfterAgent-print-plain', 'Gemini'],
      ['qwen', 'Stop-print-plain', 'Qwen'],
    ] as const
  ).map(([agent, input, who]) => ({
    name: `${who} runs two hooks one after the other, the second one 5 s late: one finish`,
    steps: [step(agent, input, 1, one), step(agent, input, 5, one)],
    notified: [`project: ${who} finished [normal]`],
  })),
  {
    name: 'a Droid subagent is a session of its own: not a finish',
    steps: [
      prompt(DROID, 1, { session_id: '6e9becc0-1497-4398-8c78-2b1160b1f07b' }),
      step(DROID, 'SessionStart-exec-subagent-2', 2),
      step(DROID, 'Stop-exec-plain', 5, { session_id: subagentSession }),
      step(DROID, 'SessionEnd-exec-plain', 0, { session_id: subagentSession }),
      step(DROID, 'SubagentStop-exec-subagent', 0),
      step(DROID, 'Stop-exec-subagent-2', 3),
      step(DROID, 'SessionEnd-exec-subagent-2', 0),
    ],
    notified: ['project: Droid finished after 2 s [normal]', "project: Droid's session ended (other) [low]"],
  },
  {
    name: 'clear: one session ends, the next begins, both are notified of',
    steps: [
      step(CLAUDE, 'Stop-tui-long', 1, one),
      step(CLAUDE, 'SessionEnd-tui-clear', 9, one),
      step(CLAUDE, 'SessionStart-tui-clear-2', 0, two),
      prompt(CLAUDE, 5, two),
      step(CLAUDE, 'Stop-tui-long', 60, two),
    ],
    notified: [
      'project: Claude finished [normal]',
      "project: Claude's session ended (clear) [low]",
      'project: Claude finished after 1 min [normal]',
    ],
  },
  {
    name: 'resume: the session lives again, and its second end is news',
    steps: [
      step(CLAUDE, 'Stop-tui-long', 1, one),
      step(CLAUDE, 'SessionEnd-tui-exit', 9, one),
      step(CLAUDE, 'SessionStart-tui-resume-2', 20, one),
      prompt(CLAUDE, 5, one),
      step(CLAUDE, 'Stop-tui-resume-2', 30, one),
      step(CLAUDE, 'SessionEnd-tui-exit', 9, one),
    ],
    notified: [
      'project: Claude finished [normal]',
      "project: Claude's session ended (prompt_input_exit) [low]",
      'project: Claude finished after 30 s [normal]',
      "project: Claude's session ended (prompt_input_exit) [low]",
    ],
  },
  {
    name: 'permission: the request and its notification some seconds later are one moment',
    steps: [
      step(CLAUDE, 'PermissionRequest-tui-permission-deny', 1, one),
      step(CLAUDE, 'Notification-tui-permission-deny', 7, one),
    ],
    notified: ['project: Claude needs permission to run Write [normal]'],
  },
  {
    name: 'permission prompts in a row: each is one',
    steps: [
      step(CLAUDE, 'PermissionRequest-tui-permission-deny', 1, bash('make test')),
      step(CLAUDE, 'PermissionRequest-tui-permission-deny', 3, bash('make lint')),
      step(CLAUDE, 'PermissionRequest-tui-permission-deny', 3, bash('git push')),
      step(CLAUDE, 'Notification-tui-permission-deny', 6, one),
    ],
    notified: Array(3).fill('project: Claude needs permission to run Bash [normal]'),
  },
  {
    name: 'three prompts two seconds apart, word for word the same: three',
    steps: [0, 2, 2].map((after) => step(CLAUDE, 'Notification-tui-permission-deny', after, one)),
    notified: Array(3).fill('project: Claude needs your permission [normal]'),
  },
  {
    name: 'five identical hooks at once: one',
    steps: Array(5).fill(step(CLAUDE, 'Stop-tui-long', 0, one)),
    notified: ['project: Claude finished [normal]'],
  },
  {
    name: 'twenty sessions at once: twenty',
    steps: Array.from({ length: 20 }, (_, i) => step(CLAUDE, 'Stop-tui-long', 0, { session_id: `session-${i}` })),
    notified: Array(20).fill('project: Claude finished [normal]'),
  },
  {
    name: 'two sessions in one folder: each its own',
    steps: [
      prompt(CLAUDE, 1, one),
      prompt(CLAUDE, 1, two),
      step(CLAUDE, 'Stop-tui-long', 10, one),
      step(CLAUDE, 'Stop-tui-long', 0, two),
      step(CLAUDE, 'SessionEnd-tui-exit', 1, one),
    ],
    notified: [
      'project: Claude finished after 11 s [normal]',
      'project: Claude finished after 10 s [normal]',
      "project: Claude's session ended (prompt_input_exit) [low]",
    ],
  },
  {
    name: "one session in two clients' settings: notified once",
    steps: [step(CLAUDE, 'Stop-tui-long', 0, one), { ...step(CLAUDE, 'Stop-tui-long', 0, one), agent: 'cursor' }],
    notified: ['project: Claude finished [normal]'],
  },
  {
    name: 'one session in two forms of the same event: notified once',
    steps: [
      { ...step('copilot', 'agentStop-print-plain', 0, { sessionId: 'session-one' }), event: 'agentStop' },
      step(CLAUDE, 'Stop-tui-long', 0, one),
    ],
    notified: ['project: Copilot finished [normal]'],
  },
  {
    name: 'idle a minute after a notified finish is low; after a prompt it is not',
    steps: [
      step(CLAUDE, 'Stop-tui-long', 1, one),
      step(CLAUDE, 'Notification-tui-idle', 60, one),
      prompt(CLAUDE, 5, one),
      step(CLAUDE, 'Notification-tui-idle', 60, one),
    ],
    notified: [
      'project: Claude finished [normal]',
      'project: Claude waits for your input [low]',
      'project: Claude waits for your input [normal]',
    ],
  },
  {
    name: 'a limit after which Claude goes on by itself: the limit and the finish',
    steps: [
      step(CLAUDE, 'SessionStart-tui-limit-auto-resume', 1, one),
      prompt(CLAUDE, 1, one),
      step(CLAUDE, 'StopFailure-tui-five-hour-limit', 10, one),
      step(CLAUDE, 'Notification-tui-limit-auto-resume', 600, one),
      step(CLAUDE, 'UserPromptSubmit-tui-limit-auto-resume', 1, one),
      step(CLAUDE, 'Stop-tui-limit-auto-resume', 9, one),
    ],
    notified: [
      'project: Claude stopped: rate limit [urgent]',
      'project: Claude: Usage limit reset — Claude is continuing your task [low]',
      'project: Claude finished after 9 s [normal]',
    ],
  },
  {
    name: 'a limit after which Claude does not go on by itself: it waits for the person',
    steps: ['quota_auto_resume_stale', 'quota_auto_resume_disabled'].map((notification_type, i) =>
      step(CLAUDE, 'Notification-tui-limit-auto-resume', 60 + i, { ...one, notification_type }),
    ),
    notified: ['project: Claude needs your attention [normal]', 'project: Claude needs your attention [normal]'],
  },
  {
    name: 'Qwen idles right after every turn: one moment',
    steps: [step('qwen', 'Stop-tui-long', 1, one), step('qwen', 'Notification-tui-quit', 0, one)],
    notified: ['project: Qwen finished [normal]'],
  },
  {
    name: 'an error in opencode, then idle twice: the failure alone',
    steps: [
      step('opencode', 'session.error-run-auth-error', 1),
      step('opencode', 'session.idle-run-plain', 0, {
        id: 'evt_1',
        properties: sessionIdOf('session.error', 'run-auth-error'),
      }),
      step('opencode', 'session.idle-run-plain', 0, {
        id: 'evt_2',
        properties: sessionIdOf('session.error', 'run-auth-error'),
      }),
    ],
    notified: ['opencode stopped: not signed in [urgent]'],
  },
  {
    name: 'a background subagent in Copilot: its own turn, its end and its notice, then the finish of the session',
    steps: [
      named('subagentStart', 'print-background-subagent', 1),
      named('agentStop', 'print-plain', 5, { sessionId: COPILOT_PARENT }),
      named('agentStop', 'print-background-subagent-2', 5),
      named('subagentStop', 'print-background-subagent', 0),
      named('agentStop', 'print-plain', 9, { sessionId: COPILOT_PARENT, timestamp: 2 }),
    ],
    notified: ['project: Copilot finished [normal]'],
  },
  {
    name: 'a subagent in Codex ends before the turn does: one finish',
    steps: [
      prompt('codex', 1, one),
      step('codex', 'SubagentStart-tui-subagent', 1, one),
      step('codex', 'SubagentStop-tui-subagent', 9, one),
      step('codex', 'Stop-tui-subagent', 3, one),
      step('codex', 'SessionEnd-exec-plain', 60, one),
    ],
    notified: ['project: Codex finished after 13 s [normal]', "project: Codex's session ended (other) [low]"],
  },
  {
    name: 'installed without prompts: the end after a finish may be a death in the middle of work',
    steps: [step(CLAUDE, 'Stop-tui-long', 1, one), step(CLAUDE, 'SessionEnd-print-plain', 600, one)],
    notified: ['project: Claude finished [normal]', "project: Claude's session ended abnormally (other) [urgent]"],
  },
  {
    name: 'exec mode reports no prompts but its start: an ordinary run',
    steps: [
      step(DROID, 'SessionStart-exec-plain', 1, one),
      step(DROID, 'Stop-exec-plain', 9, one),
      step(DROID, 'SessionEnd-exec-plain', 1, one),
    ],
    notified: ['project: Droid finished [normal]', "project: Droid's session ended (other) [low]"],
  },
  {
    name: 'opened and left without a prompt: nothing to be alarmed about',
    steps: [step(DROID, 'SessionStart-exec-plain', 1, one), step(DROID, 'SessionEnd-tui-ctrl-c', 9, one)],
    notified: ["project: Droid's session ended (other) [low]"],
  },
  {
    name: 'a session nobody knows, ended with `other`: counts as at work',
    steps: [step(CLAUDE, 'SessionEnd-print-plain', 1, one)],
    notified: ["project: Claude's session ended abnormally (other) [urgent]"],
  },
];

function sessionIdOf(event: string, scenario: string): { sessionID: unknown } {
  const properties = sample('opencode', event, scenario).input['properties'];
  return { sessionID: (properties as { sessionID?: unknown }).sessionID }; // as captured
}
