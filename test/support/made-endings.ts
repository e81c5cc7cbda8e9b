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

const sequencesOf = (client: string, made: readonly Made[]): readonly Sequence[] =>
  made.map(([name, expected, steps, until = 120]) => ({
    ...{ name: `${client}: ${name}`, client, expected, steps, until },
    processes: { client: { pid: 4_000, start: '1', name: client } },
  }));

/** All of them. */
export const MADE_ENDINGS: readonly Sequence[] = [...sequencesOf('claude', CLAUDE)];
