// Truth of endings: urgency by the session record, folding, holding; each case a sequence and what becomes of its last input.
import { describe, expect, test } from 'vitest';
import type { Incoming } from '../../src/model/event/incoming.ts';
import { ASKS, ENDED, lastVerdict, madeHook, madeOwn, PROMPTED, player } from '../support/decide.ts';

const second = 1_000;
const ABNORMAL = { ...ENDED, abnormal: true, reason: 'other' } as const;
const IDLE = { ...ASKS, detail: 'idle' } as const;
const FAILED = {
  kind: 'session.failed',
  signal: 'failed',
  hookEvent: 'StopFailure',
  detail: 'rate-limit',
  urgency: 'urgent',
  abnormal: true,
} as const;
const RUNNING = { running: [{ id: 'a', type: 'shell', label: 'npm run dev' }] } as const;
const SUBAGENT = { kind: 'subagent.finished', urgency: 'low', subagent: { id: 'a1', name: 'Review' } } as const;
const note = (signal: 'started' | 'activity' | 'resolved' | 'interrupted') =>
  ({ kind: 'agent.other', signal, hookEvent: signal, urgency: 'low' }) as const;

const GONE = madeOwn(9 * second, { kind: 'session.failed', detail: 'vanished', urgency: 'urgent', abnormal: true });
const STALLED = madeOwn(9 * second, { kind: 'session.failed', detail: 'stalled', abnormal: true });

type Case = readonly [name: string, expected: string, inputs: readonly Incoming[]];

const LAST: readonly Case[] = [
  // urgency of an end
  ['other, unknown session', 'urgent route: route', [madeHook(0, ABNORMAL)]],
  [
    'other after prompt and finish',
    'low route: route',
    [madeHook(0, PROMPTED), madeHook(9), madeHook(second, ABNORMAL)],
  ],
  [
    'other after a finish, of a client that reports no prompts',
    'urgent route: route',
    [madeHook(0), madeHook(second, ABNORMAL)],
  ],
  [
    'other after start and finish: no prompt would have been missed',
    'low route: route',
    [madeHook(0, note('started')), madeHook(9), madeHook(second, ABNORMAL)],
  ],
  ['other of a session that only started', 'low route: route', [madeHook(0, note('started')), madeHook(9, ABNORMAL)]],
  [
    'other of a session that started and only idled',
    'low route: route',
    [madeHook(0, note('started')), madeHook(9, IDLE), madeHook(second, ABNORMAL)],
  ],
  [
    'other of a session that started and was at work without a prompt',
    'urgent route: route',
    [madeHook(0, note('started')), madeHook(9, ASKS), madeHook(second, ABNORMAL)],
  ],
  [
    'error of a session that only started',
    'urgent route: route',
    [madeHook(0, note('started')), madeHook(9, { ...ABNORMAL, reason: 'error' })],
  ],
  [
    'other after a prompt and an interruption',
    'low route: route',
    [madeHook(0, PROMPTED), madeHook(9, note('interrupted')), madeHook(second, ABNORMAL)],
  ],
  [
    'other after an interruption and a new prompt',
    'urgent route: route',
    [madeHook(0, note('interrupted')), madeHook(9, PROMPTED), madeHook(second, ABNORMAL)],
  ],
  [
    'other at work after a start in the middle of work',
    'urgent route: route',
    [madeHook(0, PROMPTED), madeHook(9, note('started')), madeHook(second, ABNORMAL)],
  ],
  [
    'other after a finish and a new prompt',
    'urgent route: route',
    [madeHook(0), madeHook(1, PROMPTED), madeHook(second, ABNORMAL)],
  ],
  [
    'error after a notified finish',
    'urgent route: route',
    [madeHook(0), madeHook(second, { ...ABNORMAL, reason: 'error' })],
  ],
  ['other after a held finish', 'urgent route: route', [madeHook(0, RUNNING), madeHook(second, ABNORMAL)]],
  [
    'other after a resume of a finished session',
    'low route: route',
    [madeHook(0), madeHook(1, note('started')), madeHook(second, ABNORMAL)],
  ],
  [
    'other at work after a resume of a finished session, no prompt reported',
    'urgent route: route',
    [madeHook(0), madeHook(1, note('started')), madeHook(9, ASKS), madeHook(second, ABNORMAL)],
  ],
  ['an ordinary end', 'low route: route', [madeHook(0, { ...ENDED, reason: 'exit' })]],
  // repeated ends
  [
    'a second end',
    'low correlate: stop',
    [
      madeHook(0, { ...ENDED, reason: 'exit' }),
      madeHook(2_000, { ...ENDED, reason: 'exit', lastAssistantMessage: 'x' }),
    ],
  ],
  ['a second end after three minutes', 'low route: route', [madeHook(0, ENDED), madeHook(180 * second, ENDED)]],
  [
    'a second end after a start between',
    'low route: route',
    [madeHook(0, ENDED), madeHook(1, note('started')), madeHook(3 * second, ENDED)],
  ],
  [
    'an abnormal end after a normal one',
    'urgent route: route',
    [madeHook(0, { ...ENDED, reason: 'logout' }), madeHook(2_000, ABNORMAL)],
  ],
  [
    'a normal end after an abnormal one',
    'low correlate: stop',
    [madeHook(0, ABNORMAL), madeHook(2_000, { ...ENDED, reason: 'exit' })],
  ],
  [
    'error after a low other',
    'urgent route: route',
    [madeHook(0, PROMPTED), madeHook(1), madeHook(2, ABNORMAL), madeHook(2_000, { ...ABNORMAL, reason: 'error' })],
  ],
  // idle
  ['idle, nothing known', 'normal route: route', [madeHook(0, IDLE)]],
  ['idle right after a finish', 'low correlate: stop', [madeHook(0), madeHook(20, IDLE)]],
  ['idle a minute after a finish', 'low route: route', [madeHook(0), madeHook(60 * second, IDLE)]],
  [
    'idle after finish and prompt',
    'normal route: route',
    [madeHook(0), madeHook(1, PROMPTED), madeHook(60 * second, IDLE)],
  ],
  ['idle right after a held finish', 'normal correlate: stop', [madeHook(0, RUNNING), madeHook(20, IDLE)]],
  [
    'idle a minute after a held finish: it is sent now',
    'normal hold: stop',
    [madeHook(0, RUNNING), madeHook(60 * second, IDLE)],
  ],
  // moments
  [
    'an echo of a request',
    'normal correlate: stop',
    [
      madeHook(0, { ...ASKS, correlationKey: 'm' }),
      madeHook(8 * second, { ...ASKS, correlationKey: 'm', isFollowUp: true, message: 'n' }),
    ],
  ],
  [
    'an echo without a request',
    'normal route: route',
    [madeHook(0, { ...ASKS, correlationKey: 'm', isFollowUp: true })],
  ],
  [
    'an echo a minute later',
    'normal route: route',
    [
      madeHook(0, { ...ASKS, correlationKey: 'm' }),
      madeHook(60 * second, { ...ASKS, correlationKey: 'm', isFollowUp: true, message: 'n' }),
    ],
  ],
  [
    'an echo of what was answered',
    'normal route: route',
    [
      madeHook(0, { ...ASKS, correlationKey: 'm' }),
      madeHook(1, note('resolved')),
      madeHook(8 * second, { ...ASKS, correlationKey: 'm', isFollowUp: true, message: 'n' }),
    ],
  ],
  [
    'two echoes of one request',
    'normal route: route',
    [0, 6 * second, 9 * second].map((at, i) =>
      madeHook(at, { ...ASKS, correlationKey: 'm', isFollowUp: i > 0, message: `${i}` }),
    ),
  ],
  // failures
  ['a finish right after a failure', 'normal correlate: stop', [madeHook(0, FAILED), madeHook(50, { message: 'a' })]],
  [
    'a second finish after a failure',
    'normal correlate: stop',
    [madeHook(0, FAILED), madeHook(50), madeHook(90, { message: 'b' })],
  ],
  [
    'a finish after failure and prompt',
    'normal route: route',
    [madeHook(0, FAILED), madeHook(1, PROMPTED), madeHook(9 * second)],
  ],
  [
    'a finish right after the user stopped the turn',
    'normal correlate: stop',
    [madeHook(0, note('interrupted')), madeHook(50)],
  ],
  ['an end after a notified failure', 'low route: route', [madeHook(0, FAILED), madeHook(second, ABNORMAL)]],
  [
    'an end with error after a notified failure',
    'low route: route',
    [madeHook(0, FAILED), madeHook(second, { ...ABNORMAL, reason: 'error' })],
  ],
  [
    'an end after a failure and a new prompt',
    'urgent route: route',
    [madeHook(0, FAILED), madeHook(9, PROMPTED), madeHook(second, ABNORMAL)],
  ],
  // background work
  ['a finish with work running', 'low hold: stop', [madeHook(0, RUNNING)]],
  [
    'the next finish with nothing running',
    'normal route: route',
    [madeHook(0, RUNNING), madeHook(9 * second, { running: [] })],
  ],
  [
    'a finish while a subagent known to the session record runs',
    'low hold: stop',
    [madeHook(0, { ...SUBAGENT, signal: 'subagent-started' }), madeHook(second)],
  ],
  [
    'a finish after that subagent ended',
    'normal route: route',
    [
      madeHook(0, { ...SUBAGENT, signal: 'subagent-started' }),
      madeHook(1, { ...SUBAGENT, signal: 'subagent-finished', hookEvent: 'SubagentStop' }),
      madeHook(second),
    ],
  ],
  [
    'a finish after a prompt forgets subagents left over',
    'normal route: route',
    [madeHook(0, { ...SUBAGENT, signal: 'subagent-started' }), madeHook(1, PROMPTED), madeHook(second)],
  ],
  [
    'the client says nothing runs: the session record is overruled',
    'normal route: route',
    [madeHook(0, { ...SUBAGENT, signal: 'subagent-started' }), madeHook(second, { running: [] })],
  ],
  // a subagent's own session
  ["a subagent's own finish", 'low route: stop', [madeHook(0, { parentSessionId: 'p' })]],
  ['a subagent idles', 'low route: stop', [madeHook(0, { ...IDLE, parentSessionId: 'p' })]],
  ["a subagent's own end", 'low route: stop', [madeHook(0, { parentSessionId: 'p' }), madeHook(9, ABNORMAL)]],
  [
    "a subagent's end with error",
    'urgent route: route',
    [madeHook(0, { parentSessionId: 'p' }), madeHook(9, { ...ABNORMAL, reason: 'error' })],
  ],
  ['a subagent waits for permission', 'normal route: route', [madeHook(0, { ...ASKS, parentSessionId: 'p' })]],
  // hooks that run side by side as the client leaves
  [
    'a one-shot finish that its end overtook',
    'normal route: route',
    [madeHook(0, note('started')), madeHook(900, ABNORMAL), madeHook(second)],
  ],
  [
    'that finish twice',
    'normal session: stop',
    [madeHook(0, note('started')), madeHook(900, ABNORMAL), madeHook(second), madeHook(1_900, { message: 'Done' })],
  ],
  [
    'its end twice',
    'low correlate: stop',
    [madeHook(0, note('started')), madeHook(900, ABNORMAL), madeHook(second), madeHook(2_900, ABNORMAL)],
  ],
  [
    'a finish after the end of a session that had finished',
    'normal session: stop',
    [madeHook(0, PROMPTED), madeHook(400), madeHook(900, ABNORMAL), madeHook(second, { message: 'Again' })],
  ],
  [
    'a finish after the end of a session that was interrupted',
    'normal session: stop',
    [madeHook(0, PROMPTED), madeHook(400, note('interrupted')), madeHook(900, ENDED), madeHook(second)],
  ],
  [
    'a finish after an end that cut off work',
    'normal session: stop',
    [madeHook(0, PROMPTED), madeHook(900, ABNORMAL), madeHook(second)],
  ],
  [
    'a finish that its own idle notice overtook',
    'normal route: route',
    [madeHook(0, PROMPTED), madeHook(1_100, { ...IDLE, signal: 'turn-over' }), madeHook(second)],
  ],
  [
    'the next finish after that one',
    'normal route: route',
    [
      madeHook(0, PROMPTED),
      madeHook(1_100, { ...IDLE, signal: 'turn-over' }),
      madeHook(second),
      madeHook(9 * second, { message: 'Again' }),
    ],
  ],
  [
    'a finish that began after an interruption',
    'normal correlate: stop',
    [madeHook(0, PROMPTED), madeHook(second, note('interrupted')), madeHook(1_100)],
  ],
  [
    'a finish that began before the end which seemed to cut off its turn',
    'normal route: route',
    [madeHook(0, PROMPTED), madeHook(second, ABNORMAL), madeHook(900)],
  ],
  [
    'its end once more',
    'low correlate: stop',
    [madeHook(0, PROMPTED), madeHook(second, ABNORMAL), madeHook(900), madeHook(4 * second, ABNORMAL)],
  ],
  [
    'a finish after the person ended it at work',
    'normal session: stop',
    [madeHook(0, PROMPTED), madeHook(900, { ...ENDED, byUser: true }), madeHook(second)],
  ],
  [
    'a finish long after the end',
    'normal session: stop',
    [madeHook(0, note('started')), madeHook(900, ABNORMAL), madeHook(9 * second)],
  ],
  [
    'a failure reported by two, a second apart',
    'urgent correlate: stop',
    [
      madeHook(0, PROMPTED),
      madeHook(second, FAILED),
      madeOwn(2 * second, { kind: 'session.failed', detail: 'auth', urgency: 'urgent' }),
    ],
  ],
  [
    'a failure of the next turn',
    'urgent route: route',
    [madeHook(0, PROMPTED), madeHook(second, FAILED), madeHook(2 * second, PROMPTED), madeHook(3 * second, FAILED)],
  ],
  ['a failure after a stall', 'urgent route: route', [madeHook(0, PROMPTED), STALLED, madeHook(9_500, FAILED)]],
  // Belfry's own checks of a session
  [
    'gone in the middle of work',
    'urgent route: route',
    [madeHook(0, PROMPTED), madeOwn(9 * second, { kind: 'session.failed', detail: 'vanished', urgency: 'urgent' })],
  ],
  ['gone after prompt and finish', 'low route: route', [madeHook(0, PROMPTED), madeHook(9), GONE]],
  ['gone after an interruption', 'low route: route', [madeHook(0, PROMPTED), madeHook(9, note('interrupted')), GONE]],
  ['gone after a finish, of a client that reports no prompts', 'urgent route: route', [madeHook(0), GONE]],
  ['gone after finish and prompt', 'urgent route: route', [madeHook(0), madeHook(9, PROMPTED), GONE]],
  ['gone while background work runs', 'urgent route: route', [madeHook(0, PROMPTED), madeHook(9, RUNNING), GONE]],
  ['gone after a start alone', 'urgent route: route', [madeHook(0, note('started')), GONE]],
  ['a finish right after a stall', 'normal route: route', [madeHook(0, PROMPTED), STALLED, madeHook(9_500)]],
  [
    'gone, but it had ended',
    'urgent classify: stop',
    [madeHook(0, ENDED), madeOwn(9 * second, { kind: 'session.failed', detail: 'vanished', urgency: 'urgent' })],
  ],
  [
    'gone, but it spoke since',
    'urgent classify: stop',
    [madeHook(9 * second), madeOwn(0, { kind: 'session.failed', detail: 'vanished', urgency: 'urgent' })],
  ],
  [
    'left in order',
    'low correlate: stop',
    [madeHook(0), madeOwn(9 * second, { kind: 'session.ended', detail: 'left', urgency: 'low' })],
  ],
  [
    'stalled at work',
    'normal route: route',
    [madeHook(0, PROMPTED), madeOwn(9 * second, { kind: 'session.failed', detail: 'stalled', urgency: 'normal' })],
  ],
  [
    'stalled, but it waits',
    'normal classify: stop',
    [madeHook(0, ASKS), madeOwn(9 * second, { kind: 'session.failed', detail: 'stalled', urgency: 'normal' })],
  ],
];

describe('the last input of a sequence', () => {
  test.each(LAST)('%s: %s', (_name, expected, inputs) => {
    const { play } = player();
    const matters = inputs.map(play);
    const last = matters.at(-1);
    expect(last && `${last.event.urgency} ${lastVerdict(last)}`).toBe(expected);
  });
});

describe('the session’s row', () => {
  test.each<[name: string, state: string, inputs: readonly Incoming[]]>([
    ['started', 'started', [madeHook(0, note('started'))]],
    ['prompted', 'working', [madeHook(0, PROMPTED)]],
    ['waiting', 'waiting', [madeHook(0, PROMPTED), madeHook(9, ASKS)]],
    ['answered', 'working', [madeHook(0, ASKS), madeHook(9, note('resolved'))]],
    ['activity while it waited', 'working', [madeHook(0, ASKS), madeHook(9, note('activity'))]],
    ['activity after the finish', 'finished', [madeHook(0), madeHook(9, note('activity'))]],
    ['finished', 'finished', [madeHook(0)]],
    ['idle after the finish', 'finished', [madeHook(0), madeHook(60_000, IDLE)]],
    ['finished with work running', 'background', [madeHook(0, RUNNING)]],
    ['failed, then its echo', 'failed', [madeHook(0, FAILED), madeHook(9)]],
    ['ended', 'ended', [madeHook(0), madeHook(9, ENDED)]],
    ['a late finish out of the spool', 'ended', [madeHook(900, ENDED), madeHook(9)]],
  ])('%s: %s', (_name, state, inputs) => {
    const { play } = player();
    expect(inputs.map(play).at(-1)?.record?.state).toBe(state);
  });

  test('a turn is timed from its prompt', () => {
    const { play } = player();
    play(madeHook(0, PROMPTED));
    expect(play(madeHook(720_000)).event.attributes['seconds']).toBe(720);
  });

  test('a hold is due after the wait of the agent, and cleared by the next finish', () => {
    const { play } = player({ config: { agents: { generic: { background_wait: 60_000 } } } });
    const held = play(madeHook(0, RUNNING));
    expect(held.timersToSet).toMatchObject([
      { id: 'hold:box/dev/generic/session-1', kind: 'hold', due: held.event.at + 60_000 },
    ]);
    expect(play(madeHook(30_000, RUNNING)).timersToSet).toMatchObject([{ due: held.event.at + 60_000 }]);
    expect(play(madeHook(40_000, { running: [] })).timersToClear).toEqual(['hold:box/dev/generic/session-1']);
  });

  test('when the last subagent ends and no finish follows, the held one is sent soon', () => {
    const { play } = player();
    play(madeHook(0, { ...SUBAGENT, signal: 'subagent-started' }));
    play(madeHook(1_000));
    const ended = play(
      madeHook(5_000, {
        ...SUBAGENT,
        signal: 'subagent-finished',
        hookEvent: 'SubagentStop',
        lastAssistantMessage: 'of the subagent',
        transcript: '/x',
      }),
    );
    expect(ended.timersToSet).toMatchObject([{ id: 'hold:box/dev/generic/session-1', due: ended.event.at + 20_000 }]);
    expect(ended.record).toMatchObject({ running: [], lastAssistantMessage: null, transcript: null });
  });

  test('a stall is looked for only while at work and only where it is set', () => {
    const config = { agents: { generic: { background_wait: 1, stalled_after: 5_000 } } };
    const { play } = player({ config });
    const [id] = play(madeHook(0, PROMPTED)).timersToSet.map((timer) => timer.id);
    expect(id).toBe('stall:box/dev/generic/session-1');
    expect(play(madeHook(9)).timersToClear).toEqual([id]);
    expect(player().play(madeHook(0, PROMPTED)).timersToSet).toEqual([]);
  });
});
