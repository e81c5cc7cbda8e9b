// Sequences made by hand: what clients do that was not recorded.
import type { Expected, Sequence, Step } from './sequence.ts';

const DROID = { client: { pid: 4_000, start: '1', name: 'droid' }, other: { pid: 4_001, start: '1', name: 'droid' } };
const hook = (at: number, session: string, hook_event_name: string, more: Record<string, unknown> = {}): Step => ({
  at,
  input: { hook_event_name, session_id: session, cwd: '/home/dev/project', ...more },
});
const started = (at: number, session: string, more: Record<string, unknown> = {}): Step =>
  hook(at, session, 'SessionStart', { source: 'startup', ...more });
const prompted = (at: number, session: string): Step => hook(at, session, 'UserPromptSubmit', { prompt: 'Go' });
const child = (at: number): Step => started(at, 'child', { calling_session_id: 'parent' });
const ofChild = (step: Step): Step => ({ ...step, process: 'other' }) as Step;

/** A parent whose turn is over while its subagent, a session of its own, runs. */
const PARENT: readonly Step[] = [started(1, 'parent'), prompted(2, 'parent'), child(3), hook(4, 'parent', 'Stop')];
const finish = (from: number, to: number, says = ''): Expected => ({ what: 'finished', from, to, says });

type Made = readonly [name: string, expected: readonly Expected[], steps: readonly Step[], until?: number];

const MADE: readonly Made[] = [
  [
    'its last subagent ends, and nothing of the parent follows: the finish, soon after',
    [finish(30, 32)],
    [...PARENT, hook(10, 'child', 'Stop'), hook(11, 'child', 'SessionEnd', { reason: 'other' })],
  ],
  [
    'the process of its last subagent is gone: that, and the finish soon after that was noticed',
    [{ what: 'abnormal', from: 10, to: 25 }, finish(30, 50)],
    [...PARENT.slice(0, 2), ofChild(child(3)), hook(4, 'parent', 'Stop'), { at: 10, exit: 'other' }],
  ],
  [
    'one of two subagents ends: the finish waits for the other',
    [finish(60, 62)],
    [
      ...PARENT.slice(0, 3),
      started(3.5, 'second', { calling_session_id: 'parent' }),
      hook(4, 'parent', 'Stop'),
      hook(10, 'child', 'Stop'),
      hook(41, 'second', 'Stop'),
    ],
  ],
  [
    'the subagent is given more work at once: the finish waits for that',
    [finish(80, 82)],
    [...PARENT, hook(10, 'child', 'Stop'), prompted(12, 'child'), hook(61, 'child', 'Stop')],
  ],
  [
    'the parent goes on by itself: its own finish, once',
    [finish(12, 12.25)],
    [...PARENT, hook(10, 'child', 'Stop'), prompted(11, 'parent'), hook(12, 'parent', 'Stop')],
  ],
  [
    'a daemon started again between: the finish all the same, once',
    [finish(30, 32)],
    [...PARENT, { at: 6, restart: 0 }, hook(11, 'child', 'Stop'), { at: 15, restart: 0 }],
  ],
  [
    'a subagent that never ends: the finish when the wait is over, and that it still runs',
    [finish(604, 605, 'background work still runs')],
    PARENT,
    700,
  ],
  [
    'a one-shot run whose end overtakes its finish: the finish, once',
    [finish(9, 9.4)],
    [
      started(1, 'one'),
      hook(9, 'one', 'SessionEnd', { reason: 'other' }),
      hook(9.1, 'one', 'Stop', { message_id: 'm1' }),
      hook(9.2, 'one', 'SessionEnd', { reason: 'other' }),
      { at: 9.3, exit: 'client' },
    ],
  ],
  [
    'an end that overtakes the finish of its turn: both, and the end once',
    // In their order, as after an outage, the end alarms nobody.
    [{ what: 'abnormal', from: 9, to: 9.25, optional: true }, finish(9.1, 9.4)],
    [
      started(1, 'one'),
      prompted(2, 'one'),
      hook(9, 'one', 'SessionEnd', { reason: 'other' }),
      { ...hook(9.1, 'one', 'Stop', { message_id: 'm1' }), began: 8.9 },
      hook(9.2, 'one', 'SessionEnd', { reason: 'other' }),
      { at: 9.3, exit: 'client' },
    ],
  ],
];

const sequenceOf = ([name, expected, steps, until = 120]: Made): Sequence => ({
  name,
  client: 'droid',
  processes: DROID,
  steps,
  expected,
  until,
});

/** All of them. */
export const MADE_SEQUENCES: readonly Sequence[] = MADE.map(sequenceOf);
