// What resolves a notification, in what words, and what becomes of it on each channel.
import { describe, expect, test } from 'vitest';
import type { ChannelProfile } from '../../src/model/channel/profile.ts';
import type { ParsedHook } from '../../src/model/agent/agent.ts';
import type { Route } from '../../src/model/settings/config.ts';
import type { Incoming } from '../../src/model/event/incoming.ts';
import { LEFT_OPEN, MOST_OPEN } from '../../src/model/notification/notification.ts';
import { NOON } from '../support/made.ts';
import { ASKS, channelsOf, ENDED, madeHook, madeOwn, PROMPTED, player } from '../support/decide.ts';

const second = 1_000;
const minute = 60 * second;
const PROFILES = new Map<string, ChannelProfile>([
  ['team', { audience: 'people', onResolved: 'remove', updates: true }],
]);

const tool = (name: string, summary: string | null = null) => ({ tool: { name, summary } });
const ask = (more: Partial<ParsedHook> = {}) => ({ ...ASKS, hookEvent: 'PermissionRequest', ...more });
const IDLE = { ...ASKS, detail: 'idle' } as const;
const FAILED = {
  kind: 'session.failed',
  signal: 'failed',
  hookEvent: 'StopFailure',
  urgency: 'urgent',
  abnormal: true,
  detail: 'server',
} as const;
const ABNORMAL = { ...ENDED, abnormal: true, urgency: 'urgent', reason: 'error' } as const;
const note = (signal: ParsedHook['signal'], more: Partial<ParsedHook> = {}): Partial<ParsedHook> => ({
  kind: 'agent.other',
  signal,
  hookEvent: signal,
  urgency: 'low',
  ...more,
});
const used = (more: Partial<ParsedHook> = {}): Partial<ParsedHook> =>
  note('activity', { hookEvent: 'PostToolUse', isSignal: true, ...more });
const by = (id: string) => ({ subagent: { id, name: null } });
const RUNNING = { running: [{ id: 'a', type: 'subagent', label: null }] } as const;
const STALLED = (at: number) => madeOwn(at, { kind: 'session.failed', detail: 'stalled', abnormal: true });

/** Inputs in order, and which of them (by number, from 0) the last one resolves, with the words. */
type Case = readonly [name: string, expected: readonly string[], inputs: readonly Incoming[]];

const CASES: readonly Case[] = [
  // an end on whose way its session's finish was overtaken
  [
    'an end at work, then the finish that began before it',
    ['1 its turn had ended before'],
    [madeHook(0, PROMPTED), madeHook(9 * second, ABNORMAL), madeHook(8_900)],
  ],
  [
    'an end at work, then the failure that began before it',
    ['1 its turn had failed before'],
    [madeHook(0, PROMPTED), madeHook(9 * second, ABNORMAL), madeHook(8_900, FAILED)],
  ],
  [
    'an end at work, then a finish that began after it',
    [],
    [madeHook(0, PROMPTED), madeHook(9 * second, ABNORMAL), madeHook(9_100)],
  ],
  [
    'an end at work, then the finish of the turn before',
    [],
    [madeHook(8_000, PROMPTED), madeHook(9 * second, ABNORMAL), madeHook(7_900)],
  ],
  [
    'an end at work, then a finish that began long before it',
    [],
    [madeHook(0, PROMPTED), madeHook(9 * second, ABNORMAL), madeHook(second)],
  ],
  [
    'an end at rest, then the same finish late',
    [],
    [madeHook(0, PROMPTED), madeHook(second), madeHook(9 * second, ABNORMAL), madeHook(8_900)],
  ],
  // a finish that met an open prompt, on whose way its session's end was overtaken
  [
    'a finish while a permission is open, then the end that began before it',
    ['2 its session had ended before'],
    [madeHook(0, PROMPTED), madeHook(second, ask()), madeHook(9 * second), madeHook(8_900, ABNORMAL)],
  ],
  [
    'a finish while a permission is open, then a tool whose use began before it',
    [],
    [madeHook(0, PROMPTED), madeHook(second, ask()), madeHook(9 * second), madeHook(8_900, used())],
  ],
  [
    'the same, and what was asked after that finish: that stays open',
    ['2 its session had ended before'],
    [
      madeHook(0, PROMPTED),
      madeHook(second, ask()),
      madeHook(9 * second),
      madeHook(9_500, ask({ message: 'x' })),
      madeHook(8_900, ABNORMAL),
    ],
  ],
  // waiting
  [
    'a permission, then its tool was used',
    ['0 answered in the terminal after 40 s'],
    [madeHook(0, ask()), madeHook(40 * second, used())],
  ],
  ['a permission answered at once', ['0 answered in the terminal at once'], [madeHook(0, ask()), madeHook(0, used())]],
  [
    'a question that the client says was answered',
    ['0 answered in the terminal after 2 min'],
    [madeHook(0, ask({ detail: 'question' })), madeHook(2 * minute, note('resolved'))],
  ],
  ['a permission, then a prompt', ['0 you went on 3 min later'], [madeHook(0, ask()), madeHook(3 * minute, PROMPTED)]],
  [
    'a permission, then the end of the turn',
    ['0 its turn ended 9 s later'],
    [madeHook(0, ask()), madeHook(9 * second)],
  ],
  [
    'a permission, then an interruption',
    ['0 you interrupted it 9 s later'],
    [madeHook(0, ask()), madeHook(9 * second, note('interrupted'))],
  ],
  ['a permission, then a failure', ['0 its turn failed 9 s later'], [madeHook(0, ask()), madeHook(9 * second, FAILED)]],
  [
    'a permission, then the end of the session',
    ['0 the session ended 9 s later'],
    [madeHook(0, ask()), madeHook(9 * second, ENDED)],
  ],
  [
    'a permission, then a resume',
    ['0 the session was started again 9 s later'],
    [madeHook(0, ask()), madeHook(9 * second, note('started'))],
  ],
  ['idle, then a prompt', ['0 you went on 5 min later'], [madeHook(0, IDLE), madeHook(5 * minute, PROMPTED)]],
  [
    'idle, then activity',
    ['0 the session went on 9 s later'],
    [madeHook(0, IDLE), madeHook(9 * second, note('activity'))],
  ],
  ['a permission, then one more', [], [madeHook(0, ask()), madeHook(9 * second, ask({ message: 'x' }))]],
  [
    'a permission, then what came out of the spool and was earlier',
    [],
    [madeHook(9 * second, ask()), madeHook(0, used())],
  ],
  ['a permission of another session', [], [madeHook(0, ask({ sessionId: 'other' })), madeHook(9 * second, used())]],
  [
    'a permission that nobody was notified of',
    [],
    [madeHook(0, { ...ask(), kind: 'agent.other' }), madeHook(9 * second, used())],
  ],
  // two open in one session
  [
    'two permissions, then the use of the second by its id',
    ['1 answered in the terminal after 8 s'],
    [
      madeHook(0, ask({ toolUseId: 'u1' })),
      madeHook(second, ask({ toolUseId: 'u2' })),
      madeHook(9 * second, used({ toolUseId: 'u2' })),
    ],
  ],
  [
    'two permissions, then the use of the first tool',
    ['0 answered in the terminal after 9 s'],
    [madeHook(0, ask(tool('Bash'))), madeHook(second, ask(tool('Edit'))), madeHook(9 * second, used(tool('Bash')))],
  ],
  [
    'two permissions of one tool, then its use with the second input',
    ['1 answered in the terminal after 8 s'],
    [
      madeHook(0, ask(tool('Bash', 'ls'))),
      madeHook(second, ask(tool('Bash', 'rm x'))),
      madeHook(9 * second, used(tool('Bash', 'rm x'))),
    ],
  ],
  [
    'two permissions of one tool, then its use: the older one',
    ['0 answered in the terminal after 9 s'],
    [
      madeHook(0, ask(tool('Bash'))),
      madeHook(second, ask({ ...tool('Bash'), message: 'x' })),
      madeHook(9 * second, used(tool('Bash'))),
    ],
  ],
  [
    'two permissions, then the use of a third tool, which ran beside them',
    [],
    [madeHook(0, ask(tool('Bash'))), madeHook(second, ask(tool('Edit'))), madeHook(9 * second, used(tool('Read')))],
  ],
  [
    'one of two was answered before',
    ['1 answered in the terminal after 18 s'],
    [
      madeHook(0, ask(tool('Bash'))),
      madeHook(2 * second, ask(tool('Edit'))),
      madeHook(9 * second, used(tool('Bash'))),
      madeHook(20 * second, used(tool('Edit'))),
    ],
  ],
  // subagents
  [
    "a subagent's permission, then the use by the session itself",
    [],
    [madeHook(0, ask(by('a'))), madeHook(9 * second, used())],
  ],
  [
    "a subagent's permission, then its use",
    ['0 answered in the terminal after 9 s'],
    [madeHook(0, ask(by('a'))), madeHook(9 * second, used(by('a')))],
  ],
  ['a permission, then the use by a subagent', [], [madeHook(0, ask()), madeHook(9 * second, used(by('a')))]],
  [
    "a subagent's permission, then the end of that subagent",
    ['0 its subagent finished 9 s later'],
    [madeHook(0, ask(by('a'))), madeHook(9 * second, note('subagent-finished', by('a')))],
  ],
  [
    "a subagent's permission, then a prompt",
    ['0 you went on 9 s later'],
    [madeHook(0, ask(by('a'))), madeHook(9 * second, PROMPTED)],
  ],
  [
    "a subagent's permission, then a turn's end while it runs",
    [],
    [madeHook(0, ask(by('a'))), madeHook(9 * second, RUNNING)],
  ],
  [
    "a subagent's permission, then a turn's end with which nothing runs any more",
    ['0 its turn ended 9 s later'],
    [madeHook(0, ask(by('a'))), madeHook(9 * second, { running: [] })],
  ],
  // Each of these ends all of the session, whatever still runs.
  ...(
    [
      ['a failure', 'its turn failed', FAILED],
      ['the end of the session', 'the session ended', ENDED],
      ['a start of the session', 'the session was started again', note('started')],
      ['an interruption', 'you interrupted it', note('interrupted')],
    ] as const
  ).map(
    ([name, words, what]): Case => [
      `a subagent's permission, then ${name} while it runs`,
      [`0 ${words} 9 s later`],
      [madeHook(0, ask(by('a'))), madeHook(9 * second, { ...what, ...RUNNING })],
    ],
  ),
  ['a failure, then the use by a subagent', [], [madeHook(0, FAILED), madeHook(9 * second, used(by('a')))]],
  // finished
  ['a finish, then a prompt', ['0 you went on 3 min later'], [madeHook(0), madeHook(3 * minute, PROMPTED)]],
  [
    'a finish, then a resume',
    ['0 the session was started again 3 min later'],
    [madeHook(0), madeHook(3 * minute, note('started'))],
  ],
  [
    'a finish, then a clean end',
    ['0 the session ended 3 min later'],
    [madeHook(0), madeHook(3 * minute, { ...ENDED, reason: 'exit' })],
  ],
  [
    'a finish, then its person leaves at once',
    ['0 the session ended right after'],
    [madeHook(0), madeHook(1, { ...ENDED, reason: 'prompt_input_exit' })],
  ],
  [
    'a finish without a terminal, whose end only follows it',
    [],
    [madeHook(0), madeHook(1, { ...ENDED, reason: 'exit' })],
  ],
  [
    'a finish, and an end ten seconds after it',
    ['0 the session ended 10 s later'],
    [madeHook(0), madeHook(10 * second, { ...ENDED, reason: 'exit' })],
  ],
  ['a finish, and an end just before that', [], [madeHook(0), madeHook(10 * second - 1, { ...ENDED, reason: 'exit' })]],
  ['a finish, then an abnormal end', [], [madeHook(0), madeHook(3 * minute, ABNORMAL)]],
  ['a finish, then activity', [], [madeHook(0), madeHook(9 * second, note('activity'))]],
  // failed, ended abnormally
  ['a failure, then a prompt', ['0 you went on 3 min later'], [madeHook(0, FAILED), madeHook(3 * minute, PROMPTED)]],
  [
    'a failure, then activity',
    ['0 the session went on 9 s later'],
    [madeHook(0, FAILED), madeHook(9 * second, note('activity'))],
  ],
  ['a failure, then its end', [], [madeHook(0, FAILED), madeHook(9 * second, ENDED)]],
  [
    'an abnormal end, then a start',
    ['0 the session was started again 3 min later'],
    [madeHook(0, ABNORMAL), madeHook(3 * minute, note('started'))],
  ],
  [
    'a stalled session that finishes',
    ['1 it finished 9 s later'],
    [madeHook(0, PROMPTED), STALLED(second), madeHook(10 * second)],
  ],
  [
    'a stalled session that says its prompt was answered',
    ['1 the session went on 9 s later'],
    [madeHook(0, PROMPTED), STALLED(second), madeHook(10 * second, note('resolved'))],
  ],
  [
    'a stalled session that asks',
    ['1 the session went on 9 s later'],
    [madeHook(0, PROMPTED), STALLED(second), madeHook(10 * second, ask())],
  ],
  ['a notice by hand', [], [madeOwn(0, { kind: 'test', sessionId: 'session-1' }), madeHook(9 * second, PROMPTED)]],
];

describe('the last input of a sequence resolves', () => {
  test.each(CASES)('%s', (_name, expected, inputs) => {
    const { play } = player({ profiles: PROFILES });
    const states = inputs.map((input) => play(input));
    const number = (eventId: string | undefined): number => inputs.findIndex(({ entryId }) => entryId === eventId);
    const last = states.at(-1);
    const resolved = last?.resolved.map(
      ({ notification }) => `${number(notification.eventIds[0])} ${notification.resolved?.why}`,
    );
    expect(resolved).toEqual(expected);
    expect(last?.cancel.filter(({ because }) => because === 'resolved')).toHaveLength(expected.length);
    expect(last?.resolved.flatMap(({ plan }) => plan.map(({ operation }) => operation))).toEqual(
      expected.map(() => 'retract'),
    );
  });
});

test.each<[name: string, profiles: ReadonlyMap<string, ChannelProfile>, inputs: readonly Incoming[], said: string]>([
  [
    'one',
    PROFILES,
    [madeHook(0, ask()), madeHook(40 * second, used())],
    'resolved title: answered in the terminal after 40 s (retract on team)',
  ],
  [
    'two',
    PROFILES,
    [madeHook(0, ask(tool('Bash'))), madeHook(second, ask(tool('Edit'))), madeHook(9 * second, PROMPTED)],
    'resolved title: you went on 9 s later (retract on team); title: you went on 8 s later (retract on team)',
  ],
  [
    'one on a channel that keeps what it has',
    new Map(),
    [madeHook(0, ask()), madeHook(40 * second, used())],
    'resolved title: answered in the terminal after 40 s',
  ],
])('what is said of what it resolves: %s', (_name, profiles, inputs, said) => {
  const { play } = player({ profiles });
  const verdicts = inputs.map((input) => play(input)).at(-1)?.verdicts ?? [];
  expect(verdicts.filter(({ stage }) => stage === 'resolve')).toEqual([
    { stage: 'resolve', verdict: 'change', note: said },
  ]);
});

describe('a session with two prompts', () => {
  const bash = madeHook(0, ask({ ...tool('Bash'), toolUseId: 'u1' }));
  const question = madeHook(second, ask({ ...tool('Ask'), detail: 'question', toolUseId: 'u2' }));
  test.each<[string, string, readonly Incoming[]]>([
    ['none was answered', 'waiting for question', []],
    ['the first was answered', 'waiting for question', [madeHook(9 * second, used({ toolUseId: 'u1' }))]],
    ['the second was answered', 'waiting for permission', [madeHook(9 * second, used({ toolUseId: 'u2' }))]],
    [
      'both were answered',
      'working for null',
      [madeHook(9 * second, used({ toolUseId: 'u1' })), madeHook(10 * second, used({ toolUseId: 'u2' }))],
    ],
    ['a subagent went on meanwhile', 'waiting for question', [madeHook(9 * second, note('resolved', by('a')))]],
    ['the person went on', 'working for null', [madeHook(9 * second, PROMPTED)]],
  ])('%s: %s', (_name, expected, more) => {
    const { play } = player({ profiles: PROFILES });
    const record = [bash, question, ...more].map(play).at(-1)?.record;
    expect(`${record?.state} for ${record?.waitingFor}`).toBe(expected);
  });

  test('waits since it asked first, and says why it still does', () => {
    const { play } = player({ profiles: PROFILES });
    const before = [bash, question].map(play).at(-1)?.record;
    const { record, verdicts } = play(madeHook(9 * second, used({ toolUseId: 'u1' })));
    expect(record?.since).toBe(before?.since);
    expect(verdicts).toContainEqual({
      stage: 'session',
      verdict: 'change',
      note: 'working -> waiting: another prompt is open',
    });
  });
});

describe('a session that asks more than is kept open', () => {
  const asked = (n: number, more: Partial<ParsedHook> = {}) =>
    madeHook(n * second, ask({ ...tool('Bash'), toolUseId: `u${n}`, ...more }));

  test('its oldest prompts give way to the next', () => {
    const { play } = player({ profiles: PROFILES });
    const states = Array.from({ length: MOST_OPEN + 2 }, (_, n) => play(asked(n)));
    const resolved = states.map((state) => state.resolved.map(({ notification }) => notification.eventIds[0]));
    expect(resolved.slice(0, MOST_OPEN).flat()).toEqual([]);
    const oldest = states.slice(0, MOST_OPEN + 1 - LEFT_OPEN).map(({ event }) => event.id);
    expect(resolved.slice(MOST_OPEN)).toEqual([oldest, []]);
    const [over] = states[MOST_OPEN]?.resolved ?? [];
    expect(over?.notification.resolved?.why).toBe('its session has 80 later ones open');
    expect(over?.plan.map(({ operation }) => operation)).toEqual(['retract']);
    expect(states.at(-1)?.record?.state).toBe('waiting');
  });

  test.each([
    ['a tool that answers none of them', used({ ...tool('Read'), toolUseId: 'other' })],
    ['the echo of the last one', { ...ASKS, correlationKey: 'k', isFollowUp: true, message: 'n' }],
  ] as const)('nothing gives way to what opens no other: %s', (_name, more) => {
    const { play } = player({ profiles: PROFILES });
    for (let n = 0; n < MOST_OPEN; n++) play(asked(n, { correlationKey: n === MOST_OPEN - 1 ? 'k' : null }));
    const state = play(madeHook(MOST_OPEN * second, more));
    expect([state.plan, state.resolved]).toEqual([[], []]);
    expect(play(asked(MOST_OPEN + 1)).resolved).toHaveLength(MOST_OPEN + 1 - LEFT_OPEN);
  });

  test('what the same input resolves makes room as well', () => {
    const { play } = player({ profiles: PROFILES });
    for (let n = 0; n < MOST_OPEN; n++) play(asked(n));
    const { resolved, verdicts } = play(madeHook(MOST_OPEN * second, ABNORMAL));
    expect(resolved).toHaveLength(MOST_OPEN);
    expect(verdicts.filter(({ stage }) => stage === 'resolve')).toHaveLength(1);
  });

  test('what an answer resolves makes room', () => {
    const { play } = player({ profiles: PROFILES });
    for (let n = 0; n < MOST_OPEN; n++) play(asked(n));
    play(madeHook(MOST_OPEN * second, used({ toolUseId: 'u7' })));
    expect(play(asked(MOST_OPEN + 1)).resolved).toEqual([]);
  });
});

describe('a request that is reported again after it was answered', () => {
  const REQUEST = ask({ correlationKey: 'm' });
  const ECHO = { ...ASKS, correlationKey: 'm', isFollowUp: true, message: 'n' } as const;

  test('notifies nobody', () => {
    const { play } = player({ profiles: PROFILES });
    const states = [madeHook(0, REQUEST), madeHook(2 * second, used()), madeHook(6 * second, ECHO)].map(play);
    expect(states.map(channelsOf)).toEqual([['team'], [], []]);
  });
});

test.each([
  ['its session goes on', false, 'you went on'],
  ['it was answered elsewhere', true, 'answered by dani through team'],
])('a permission of before the clock was set back, and %s: over, and nobody knows after how long', (_name, is, why) => {
  const { play, setClock, acknowledge } = player({ profiles: PROFILES });
  play(madeHook(0, ask()));
  setClock(-3 * minute);
  if (is) acknowledge({ at: NOON - 4 * minute, by: 'dani', via: 'team', answered: true });
  const { resolved } = play(madeHook(-3 * minute, PROMPTED));
  expect(resolved.map(({ notification }) => notification.resolved?.why)).toEqual([why]);
});

test.each([
  ['at once', 0, 'answered by dani through team at once'],
  ['later', 40 * second, 'answered by dani through team after 40 s'],
])('a permission that was answered from elsewhere %s says by whom, whatever its session did then', (_name, at, why) => {
  const { play, acknowledge } = player({ profiles: PROFILES });
  play(madeHook(0, ask()));
  acknowledge({ at: NOON + at, by: 'dani', via: 'team', answered: true });
  const { resolved } = play(madeHook(minute, used()));
  expect(resolved.map(({ notification }) => notification.resolved?.why)).toEqual([why]);
});

test('a signal resolves and notifies nobody, even where a route names its kind', () => {
  const routes: readonly Route[] = [
    { to: ['team'], also: false, when: 'always', match: { kind: ['agent.other', 'agent.waiting'] } },
  ];
  const { play } = player({ profiles: PROFILES, config: { routes } });
  const [, signal] = [madeHook(0, ask()), madeHook(9, used())].map(play);
  expect(signal).toMatchObject({ active: false, plan: [], resolved: [{}] });
});

test('what people have not been shown is taken back, a record keeps it', () => {
  const { play } = player({
    profiles: PROFILES,
    config: { routes: [{ to: ['team', 'audit'], also: false, when: 'always' }] },
  });
  expect(play(madeHook(0)).plan.map(({ channel, unless }) => [channel, unless])).toEqual([
    ['team', 'acknowledged'],
    ['audit', 'none'],
  ]);
});
