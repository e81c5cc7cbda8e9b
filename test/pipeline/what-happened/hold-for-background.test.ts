// A finish on hold: what ends it before its time, what lets it go on, and what is said of it.
import { expect, test } from 'vitest';
import type { ParsedHook } from '../../../src/model/agent/agent.ts';
import type { IncomingHook } from '../../../src/model/event/incoming.ts';
import { decide, heldAgain } from '../../../src/pipeline/index.ts';
import { noFacts } from '../../../src/pipeline/pipeline-state.ts';
import { clockTime } from '../../../src/model/time/clock-time.ts';
import { ASKS, madeHook, madeOwn, PLAIN_CONFIG, PROMPTED, player } from '../../support/decide.ts';
import { madeSession, NOON } from '../../support/made.ts';

const MINUTE = 60_000;
const WORK = { id: 'w', type: 'shell', label: 'npm run dev' } as const;
const REVIEW = { id: 'r', type: 'subagent', label: 'Review' } as const;
const CONFIG = { agents: { generic: { background_wait: 10 * MINUTE } } };
const ENDS: Partial<ParsedHook> = { kind: 'subagent.finished', signal: 'subagent-finished', urgency: 'low' };

/** What the stage says of what comes a minute after a finish was put on hold, and the timers that it sets, ms after noon. */
function after(next: Partial<ParsedHook>, running: ParsedHook['running'] = [WORK], more: Partial<IncomingHook> = {}) {
  const { play } = player({ config: CONFIG });
  play(madeHook(0, { running }));
  const { verdicts, timersToSet, timersToClear } = play(madeHook(MINUTE, next, more));
  return {
    said: verdicts.filter(({ stage }) => stage === 'hold').map(({ verdict, note }) => `${verdict}: ${note}`),
    timers: timersToSet
      .filter(({ kind }) => kind === 'hold')
      .map(({ due, data }) => [due - NOON, data['soon'] === true]),
    cleared: timersToClear.length,
  };
}

test.each<
  [name: string, next: Partial<ParsedHook>, running: ParsedHook['running'], expected: ReturnType<typeof after>]
>([
  [
    'the client waits for its user: now, whatever still runs',
    { ...ASKS, detail: 'idle', running: [WORK] },
    [WORK],
    {
      said: ['stop: idle although background work is running: the finish on hold is sent now'],
      timers: [[MINUTE, false]],
      cleared: 0,
    },
  ],
  ['it asks for something else', ASKS, [WORK], { said: ['pass: a finish is on hold'], timers: [], cleared: 0 }],
  [
    'its last subagent ended: soon',
    { ...ENDS, subagent: { id: 'r', name: null }, running: [] },
    [REVIEW],
    { said: ['change: its background work ended: sent shortly'], timers: [[MINUTE + 20_000, true]], cleared: 0 },
  ],
  [
    'one ended, and other work runs',
    { ...ENDS, subagent: { id: 'r', name: null }, running: [WORK] },
    [REVIEW, WORK],
    { said: ['pass: a finish is on hold'], timers: [], cleared: 0 },
  ],
  [
    'the user went on',
    PROMPTED,
    [WORK],
    { said: ['change: an earlier finish on hold is obsolete'], timers: [], cleared: 1 },
  ],
])('a finish is on hold, and %s', (_name, next, running, expected) => {
  expect(after(next, running)).toEqual(expected);
});

test.each<[name: string, running: ParsedHook['running'], said: string]>([
  ['one', [WORK], 'npm run dev (shell)'],
  ['one without a name', [{ id: 'x', type: 'monitor', label: null }], 'monitor'],
  [
    'four',
    [REVIEW, WORK, { ...WORK, id: 'v', label: 'vite' }, { ...WORK, id: 't', label: 'tail' }],
    'Review (subagent), npm run dev (shell), vite (shell) and 1 more',
  ],
])('a finish is put on hold, and what for is said: %s', (_name, running, said) => {
  const { play } = player({ config: CONFIG });
  const { verdicts } = play(madeHook(0, { running }));
  expect(verdicts.filter(({ stage }) => stage === 'hold')).toEqual([
    {
      stage: 'hold',
      verdict: 'stop',
      note: `on hold until background work ends, or ${clockTime(NOON + 10 * MINUTE)}: ${said}`,
    },
  ]);
});

test('what is told as a finish, and ends no turn, is not put on hold', () => {
  const { play } = player({ config: CONFIG });
  const { verdicts, record } = play(madeHook(0, { signal: 'activity', running: [WORK] }));
  expect([verdicts.filter(({ stage }) => stage === 'hold').map(({ note }) => note), record?.state]).toEqual([
    ['no background work'],
    'working',
  ]);
});

test('an event that is no hook holds nothing', () => {
  const { play } = player({ config: CONFIG });
  const { verdicts } = play(madeOwn(0, { kind: 'agent.finished', sessionId: 'session-1' }));
  expect(verdicts.filter(({ stage }) => stage === 'hold')).toEqual([
    { stage: 'hold', verdict: 'pass', note: 'no background work' },
  ]);
});

test('a finish is on hold, and it is concluded that what was asked since is over: it goes on', () => {
  const { play } = player({ config: CONFIG });
  play(madeHook(0, { running: [WORK] }));
  play(madeHook(MINUTE, ASKS));
  const { verdicts, timersToSet } = play(madeOwn(2 * MINUTE, { kind: 'agent.other', sessionId: 'session-1' }));
  expect(verdicts.filter(({ stage }) => stage === 'hold')).toEqual([
    { stage: 'hold', verdict: 'pass', note: 'a finish is on hold' },
  ]);
  expect(timersToSet.filter(({ kind }) => kind === 'hold')).toEqual([]);
});

test.each<[name: string, soon: boolean, held: boolean, running: readonly (typeof WORK)[], due: number | null]>([
  ['work runs again: until its time', true, true, [WORK], 10 * MINUTE],
  ['nothing runs', true, true, [], null],
  ['it is no hold that was to end before its time', false, true, [WORK], null],
  ['nothing is on hold', true, false, [WORK], null],
])('a hold that was to end soon: %s', (_name, soon, isHeld, running, due) => {
  const memory = isHeld ? { held: { at: NOON, id: 'event-1' } } : {};
  const record = madeSession({ agent: 'generic', running, memory });
  const timer = { id: 'hold:x', kind: 'hold', due: NOON + MINUTE, data: { event: 'event-0', soon } };
  const context = { facts: noFacts(''), config: { ...PLAIN_CONFIG, ...CONFIG }, now: NOON + MINUTE };
  const again = heldAgain(timer, record, context);
  const { host, user, agent, sessionId: session } = record;
  expect(again).toEqual(
    due === null ? null : { ...timer, due: NOON + due, data: { host, user, agent, session, event: 'event-1' } },
  );
});

test.each<[name: string, waiting: boolean, due: number | null]>([
  ['its parent waits for nothing else: soon', true, MINUTE + 20_000],
  ['its parent has nothing on hold', false, null],
])('a subagent that is a session of its own is over, and %s', (_name, waits, due) => {
  const memory = waits ? { held: { at: NOON, id: 'event-1' } } : {};
  const parent = madeSession({ agent: 'generic', sessionId: 'parent', memory });
  const facts = { ...noFacts(''), waitingParent: parent };
  const context = { facts, config: { ...PLAIN_CONFIG, ...CONFIG }, now: NOON + MINUTE };
  const { timersToSet } = decide(madeHook(MINUTE, { sessionId: 'child' }), context);
  expect(timersToSet.filter(({ kind }) => kind === 'hold').map((one) => [one.due - NOON, one.data])).toEqual(
    due === null
      ? []
      : [
          [
            due,
            { host: parent.host, user: parent.user, agent: 'generic', session: 'parent', event: 'event-1', soon: true },
          ],
        ],
  );
});
