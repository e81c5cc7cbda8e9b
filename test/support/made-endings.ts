// Sequences made by hand: how turns and sessions end, in orders and at moments that were not recorded whole.
import type { Expected, Sequence, Step } from './sequence.ts';

const FOLDER = '/home/dev/project';
const hook = (at: number, hook_event_name: string, more: Record<string, unknown> = {}): Step => ({
  at,
  input: { hook_event_name, session_id: 'one', cwd: FOLDER, ...more },
});
const began = (step: Step, at: number): Step => ({ ...step, began: at }) as Step;
const started = (at: number): Step => hook(at, 'SessionStart', { source: 'startup' });
const prompted = (at: number): Step => hook(at, 'UserPromptSubmit', { prompt: 'Go' });
const ended = (at: number, reason = 'other', more: Record<string, unknown> = {}): Step =>
  hook(at, 'SessionEnd', { reason, ...more });
const exit = (at: number): Step => ({ at, exit: 'client' });

const finish = (since: number, to: number): Expected => ({ what: 'finished', from: since, to });

type Made = readonly [name: string, expected: readonly Expected[], steps: readonly Step[], until?: number];

const refused = (at: number): Step =>
  hook(at, 'StopFailure', { error: 'authentication_failed', last_assistant_message: 'Invalid API key' });

const CLAUDE: readonly Made[] = [
  [
    'an end that overtakes the failure of its turn: the failure, once',
    [{ what: 'failed:auth', from: 9, to: 9.35 }],
    [started(1), prompted(2), began(ended(9.06), 9.01), began(refused(9.1), 9), exit(9.2)],
  ],
  [
    'a failure that began just after the end of its session: the failure, once',
    [{ what: 'failed:auth', from: 9, to: 9.35 }],
    [started(1), prompted(2), ended(9), began(refused(9.1), 9.01), exit(9.2)],
  ],
  [
    'a failure that comes long after the end, and began before it: both, the failure with its cause',
    [
      { what: 'abnormal', from: 9, to: 9.35 },
      { what: 'failed:auth', from: 12, to: 12.25 },
    ],
    [started(1), prompted(2), began(ended(9.06), 9.01), exit(9.2), began(refused(12), 9)],
  ],
  [
    'a failure of a session that is not known, overtaken by its end: the failure, once',
    [{ what: 'failed:auth', from: 9, to: 9.35 }],
    [began(ended(9.06), 9.01), began(refused(9.1), 9), exit(9.2)],
  ],
];

const stopped = (at: number): Step =>
  hook(at, 'Notification', {
    message: 'Agent stopped by user and is waiting for input',
    notification_type: 'idle_prompt',
  });
const from = (where: 'terminal' | 'orphan' | 'closed', ...steps: readonly Step[]): readonly Step[] =>
  steps.map((step) => ({ ...step, from: where }) as Step);
const gone = (at: number, to: number): Expected => ({ what: 'abnormal', from: at, to });

const DROID: readonly Made[] = [
  [
    'stopped and then left by the user, whose prompt came after what had started the client was gone: nothing',
    [],
    [
      ...from('terminal', started(1), prompted(2)),
      ...from('orphan', prompted(8), stopped(11.2), ended(20)),
      exit(20.1),
    ],
  ],
  [
    'killed at work, its idle notice before its end: the end',
    [gone(11.2, 11.55)],
    [
      ...from('terminal', started(1), prompted(2)),
      ...from('orphan', stopped(11.2), ended(11.3, 'other', { message_id: 'm1' })),
      exit(11.4),
    ],
  ],
  [
    'killed at work, and only its idle notice came: that it is gone',
    [gone(11.2, 26.2)],
    [...from('terminal', started(1), prompted(2)), ...from('orphan', stopped(11.2)), exit(11.4)],
  ],
  [
    'its terminal closed at work, its idle notice before its end: the end',
    [gone(11.2, 11.55)],
    [
      ...from('terminal', started(1), prompted(2)),
      ...from('closed', stopped(11.2), ended(11.3), ended(12.4, 'other', { message_id: 'm1' })),
      exit(12.5),
    ],
  ],
  [
    'stopped by the person, who leaves at once: nothing',
    [],
    [
      ...from(
        'terminal',
        started(1),
        prompted(2),
        stopped(11.2),
        ended(11.3),
        ended(11.5, 'other', { message_id: 'm1' }),
      ),
      exit(11.6),
    ],
  ],
  [
    'a one-shot run whose terminal is closed: the end',
    [gone(9, 9.25)],
    [
      ...from('terminal', started(1)),
      ...from('closed', ended(9, 'other', { message_id: 'm1', message_count: 3 })),
      exit(9.1),
    ],
  ],
  [
    'a one-shot run whose end, which names its turn, overtakes its finish: the finish, once',
    [finish(9.1, 9.4)],
    [
      started(1),
      ended(9, 'other', { message_id: 'm1' }),
      began(hook(9.1, 'Stop', { message_id: 'm1' }), 8.95),
      exit(9.3),
    ],
  ],
  [
    'opened, and its terminal closed before a prompt: nothing',
    [],
    [...from('terminal', started(1)), ...from('closed', ended(9)), exit(9.1)],
  ],
];

const QWEN: readonly Made[] = [
  [
    'a background subagent that is over before the turn is: one finish',
    [finish(4.5, 4.75)],
    [
      started(2),
      prompted(3),
      hook(4, 'SubagentStart', { agent_id: 'a1' }),
      hook(4.4, 'SubagentStop', { agent_id: 'a1' }),
      hook(4.5, 'Stop', { last_assistant_message: 'The review runs in the background.' }),
      hook(4.54, 'Stop', { last_assistant_message: 'The review is finished.' }),
    ],
  ],
];

const bus = (at: number, id: string, type: string, more: Record<string, unknown> = {}): Step => ({
  at,
  input: { id: `evt_${id}`, type, properties: { sessionID: 'ses_one', ...more } },
});
const busy = bus(2, '2', 'session.status', { status: { type: 'busy' } });
const OPENCODE: readonly Made[] = [
  [
    'its terminal closed at work, which it took for an interruption: that it is gone',
    [gone(9, 24.2)],
    [
      ...from('terminal', bus(1, '1', 'session.created'), busy),
      ...from(
        'closed',
        bus(9, '3', 'session.error', { error: { name: 'MessageAbortedError' } }),
        bus(9.1, '4', 'session.idle'),
      ),
      exit(9.2),
    ],
  ],
];

const CHAT = `${FOLDER.replace('project', '.gemini/tmp/project/chats')}/session-2026-06-01T12-00-one.jsonl`;
const ofGemini = (at: number, event: string, more: Record<string, unknown> = {}): Step =>
  hook(at, event, { transcript_path: CHAT, ...more });
const chat = (at: number, second: number, type: string, content: string): Step => ({
  at,
  append: CHAT,
  lines: [{ id: `${type}-${second}`, timestamp: `AT_SECOND ${second}`, type, content }],
});
const leaving = (at: number): readonly Step[] =>
  [at, at + 0.1, at + 0.3].map((each) => ofGemini(each, 'SessionEnd', { reason: 'exit' }));
/** A turn that asks for a permission at 4 s. */
const ASKING: readonly Step[] = [
  ...from('terminal', ofGemini(1, 'SessionStart', { source: 'startup' }), ofGemini(2, 'BeforeAgent', { prompt: 'Go' })),
  chat(2.1, 2.1, 'user', 'Go'),
  ...from(
    'terminal',
    ofGemini(4, 'Notification', {
      notification_type: 'ToolPermission',
      message: 'Tool Confirm Shell Command requires execution',
      details: { type: 'exec', title: 'Confirm Shell Command', command: 'touch notes.txt', rootCommand: 'touch' },
    }),
  ),
];
const ASKED: Expected = { what: 'permission', from: 4, to: 4.25 };

const GEMINI: readonly Made[] = [
  [
    'a permission denied at the terminal, and left: only the permission, though its chat file is removed',
    [ASKED],
    [
      ...ASKING,
      chat(8, 8, 'gemini', ''),
      chat(8.05, 8.05, 'info', 'Request cancelled.'),
      { at: 11, remove: CHAT },
      ...from('terminal', ...leaving(11.05)),
      exit(11.5),
    ],
  ],
  [
    'killed while its prompt is open: the permission, and the end',
    [ASKED, gone(11, 11.25)],
    [...ASKING, ...from('terminal', ...leaving(11)), exit(11.4)],
  ],
  [
    'its terminal closed while an allowed tool runs: the permission, and the end',
    [ASKED, gone(30, 30.25)],
    [...ASKING, ...from('closed', ...leaving(30)), exit(30.4)],
  ],
  [
    'cancelled once, and killed at the next prompt: both permissions, and the end',
    [ASKED, { what: 'permission', from: 14, to: 14.25 }, gone(21, 21.25)],
    [
      ...ASKING,
      chat(8.05, 8.05, 'info', 'Request cancelled.'),
      ...from('terminal', ofGemini(12, 'BeforeAgent', { prompt: 'Again' })),
      chat(12.1, 12.1, 'user', 'Again'),
      ...from(
        'terminal',
        ofGemini(14, 'Notification', {
          notification_type: 'ToolPermission',
          message: 'Tool Confirm Shell Command requires execution',
          details: { type: 'exec', title: 'Confirm Shell Command', command: 'rm notes.txt', rootCommand: 'rm' },
        }),
        ...leaving(21),
      ),
      exit(21.4),
    ],
  ],
];

const sequencesOf = (client: string, made: readonly Made[]): readonly Sequence[] =>
  made.map(([name, expected, steps, until = 120]) => ({
    name: `${client}: ${name}`,
    client,
    expected,
    steps,
    until,
    processes: { client: { pid: 4_000, start: '1', name: client } },
  }));

/** All of them. */
export const MADE_ENDINGS: readonly Sequence[] = [
  ...sequencesOf('claude', CLAUDE),
  ...sequencesOf('droid', DROID),
  ...sequencesOf('qwen', QWEN),
  ...sequencesOf('opencode', OPENCODE),
  ...sequencesOf('gemini', GEMINI),
];
