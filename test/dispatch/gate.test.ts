// The gate by itself: which rule speaks first, who is exempt, and what it asks to know.
import { describe, expect, test } from 'vitest';
import {
  forecast,
  type GatedSend,
  gate,
  gatedPlan,
  gatedSend,
  type GateFacts,
  isSilentTime,
} from '../../src/dispatch/gate.ts';
import { judgePresence } from '../../src/dispatch/presence-verdict.ts';
import type { ChannelProfile } from '../../src/model/channel/profile.ts';
import type { QuietConfig } from '../../src/model/settings/config.ts';
import type { SendRow } from '../../src/model/delivery/gate.ts';
import { type Presence, UNKNOWN_PRESENCE } from '../../src/model/presence/presence.ts';
import type { Silence } from '../../src/model/event/verdict.ts';
import { madeContent, madeDelivery, madeEvent, NOON } from '../support/made.ts';

const MINUTE = 60_000;
const profile = (more: Partial<ChannelProfile>): ChannelProfile => ({
  audience: 'people',
  updates: false,
  onResolved: 'keep',
  ...more,
});
const PROFILES = new Map([
  ['desk', profile({})],
  ['bell', profile({ audible: true })],
  ['audit', profile({ audience: 'records' })],
]);
const mute = (more: Partial<Silence> = {}): Silence => ({
  id: 'm1',
  until: NOON + 10 * MINUTE,
  session: null,
  cwd: null,
  channel: null,
  all: false,
  createdAt: NOON,
  ...more,
});
/** Half an hour from noon on. */
const QUIET: QuietConfig = { hours: ['12:00-12:30'], zone: 'UTC', urgent: 'pass' };
const LATER_QUIET: QuietConfig = { ...QUIET, hours: ['13:00-14:00'] };
const NOT_QUIET: QuietConfig = { hours: [], urgent: 'pass' };

const FACTS: GateFacts = {
  silences: [],
  quiet: NOT_QUIET,
  profiles: PROFILES,
  failing: new Set<string>(),
  home: '/home/dev',
};
const LOOKS: Presence = {
  ...UNKNOWN_PRESENCE,
  looking: 'yes',
  idle: 'no',
  input: NOON,
  idleAfter: 3 * MINUTE,
  evidence: 'its pane is in front of you',
};

function sendOf(more: Partial<GatedSend> = {}): GatedSend {
  const event = madeEvent({ urgency: more.urgency ?? 'normal' });
  return { ...gatedPlan({ channel: 'desk', step: 0, only: 'always' }, event), ...more };
}
const URGENT = { urgency: 'urgent', events: [madeEvent({ urgency: 'urgent' })] } as const;
const other = madeEvent({ sessionId: 'session-2', cwd: '/src/api' });

const HELD_BY_QUIET = { verdict: 'hold', by: 'quiet', until: NOON + 30 * MINUTE };
const QUIET_WAIT = { verdict: 'wait', until: NOON + 30 * MINUTE };
const GO = { verdict: 'go', note: null };
const held = (by: string, until: number | null) => ({ verdict: 'hold', by: `mute:${by}`, until });

describe('order and exemptions', () => {
  test.each<[name: string, send: Partial<GatedSend>, facts: Partial<GateFacts>, expected: object]>([
    ['nothing is muted or quiet', {}, {}, GO],
    ['a mute goes before quiet hours', {}, { silences: [mute()], quiet: QUIET }, held('m1', NOON + 10 * MINUTE)],
    ['also of a step', { step: 1 }, { silences: [mute()], quiet: QUIET }, held('m1', NOON + 10 * MINUTE)],
    ['until unmuted', {}, { silences: [mute({ until: null })] }, held('m1', null)],
    ['one that has ended', {}, { silences: [mute({ until: NOON })] }, GO],
    ['one that ends in a moment', {}, { silences: [mute({ until: NOON + 1 })] }, held('m1', NOON + 1)],
    [
      'of several the one that ends last',
      {},
      {
        silences: [
          mute({ id: 'm2', until: NOON + 9 }),
          mute({ id: 'm3', until: NOON + 12 }),
          mute({ id: 'm4', until: NOON + 11 }),
        ],
      },
      held('m3', NOON + 12),
    ],
    [
      'one without an end is the last',
      {},
      { silences: [mute({ id: 'm2', until: null }), mute({ id: 'm3' })] },
      held('m2', null),
    ],
    ['of another channel', {}, { silences: [mute({ channel: 'phone' })] }, GO],
    ['of its channel', {}, { silences: [mute({ channel: 'desk' })] }, held('m1', NOON + 10 * MINUTE)],
    ['of another session', {}, { silences: [mute({ session: 'session-2' })] }, GO],
    ['of its session', {}, { silences: [mute({ session: 'session-1' })] }, held('m1', NOON + 10 * MINUTE)],
    ['of another folder', {}, { silences: [mute({ cwd: '/src/api' })] }, GO],
    ['of a folder above its own', {}, { silences: [mute({ cwd: '/src' })] }, held('m1', NOON + 10 * MINUTE)],
    ['of a folder, and it has none', { events: [madeEvent({ cwd: null })] }, { silences: [mute({ cwd: '/src' })] }, GO],
    [
      'several events of which one is not muted',
      { events: [madeEvent(), other] },
      { silences: [mute({ session: 'session-1' })] },
      GO,
    ],
    [
      'several that are all muted: until the first of them is not',
      { events: [madeEvent(), other] },
      {
        silences: [
          mute({ id: 'm2', session: 'session-1', until: NOON + 20 }),
          mute({ id: 'm3', session: 'session-2', until: NOON + 10 }),
        ],
      },
      held('m3', NOON + 10),
    ],
    ['urgent passes a mute', URGENT, { silences: [mute()] }, GO],
    ['urgent, muted with --all', URGENT, { silences: [mute({ all: true })] }, held('m1', NOON + 10 * MINUTE)],
    ['urgent passes quiet hours', URGENT, { quiet: QUIET }, GO],
    ['urgent, held by quiet hours', URGENT, { quiet: { ...QUIET, urgent: 'hold' } }, HELD_BY_QUIET],
    [
      'urgent that passes a mute is held by quiet hours',
      URGENT,
      { silences: [mute()], quiet: { ...QUIET, urgent: 'hold' } },
      HELD_BY_QUIET,
    ],
    ['quiet hours of another channel', {}, { quiet: { ...QUIET, channels: ['phone'] } }, GO],
    ['quiet hours of its channel', {}, { quiet: { ...QUIET, channels: ['desk'] } }, HELD_BY_QUIET],
    ['a record, muted with --all', { channel: 'audit' }, { silences: [mute({ all: true })], quiet: QUIET }, GO],
    ['asked for', { isAskedFor: true }, { silences: [mute({ all: true })], quiet: QUIET }, GO],
    ['asked for, on a channel that is heard', { isAskedFor: true, channel: 'bell' }, { doNotDisturb: true }, GO],
    ['"do not disturb" is on', { channel: 'bell' }, { doNotDisturb: true }, { verdict: 'wait', until: NOON + 30_000 }],
    ['and off', { channel: 'bell' }, { doNotDisturb: false }, GO],
    ['urgent is heard all the same', { ...URGENT, channel: 'bell' }, { doNotDisturb: true }, GO],
    ['what is only seen', {}, { doNotDisturb: true }, GO],
    [
      'quiet hours go before "do not disturb"',
      { channel: 'bell' },
      { quiet: QUIET, doNotDisturb: true },
      HELD_BY_QUIET,
    ],
    ['a step in quiet hours', { step: 1 }, { quiet: QUIET, digested: false }, QUIET_WAIT],
    ['a step that the digest tells', { step: 1 }, { quiet: QUIET, digested: true }, HELD_BY_QUIET],
    [
      'it is quiet before its person is asked about',
      { only: 'away' },
      { quiet: QUIET, presence: LOOKS },
      HELD_BY_QUIET,
    ],
    ['its person looks', { only: 'away' }, { presence: LOOKS }, { verdict: 'wait', leaves: true }],
    ['whatever they do', { only: 'always' }, { presence: LOOKS }, GO],
    ['urgent, whoever looks', { ...URGENT, only: 'away' }, { presence: LOOKS }, GO],
    ['tried before', { only: 'away', isTried: true }, { presence: LOOKS }, GO],
    ['nobody was asked about', { only: 'away' }, { presence: null }, GO],
  ])('%s', (_name, send, facts, expected) => {
    expect(gate(sendOf(send), { ...FACTS, ...facts }, NOON)).toMatchObject(expected);
  });

  test.each([
    [
      'muted until',
      {},
      { silences: [mute({ until: Date.UTC(2026, 5, 1, 12, 10) })] },
      /^muted until 2026-06-01 \d\d:10:00$/,
    ],
    ['muted without end', {}, { silences: [mute({ until: null })] }, /^muted until you unmute$/],
    ['quiet', {}, { quiet: QUIET }, /^quiet hours until 2026-06-01 \d\d:30:00$/],
    ['not to be disturbed', { channel: 'bell' }, { doNotDisturb: true }, /^waits: "do not disturb" is on$/],
    ['looked at', { only: 'away' }, { presence: LOOKS }, /^waits: its pane is in front of you$/],
  ] as const)('says why: %s', (_name, send, facts, note) => {
    expect(gate(sendOf(send), { ...FACTS, ...facts }, NOON)).toMatchObject({ note: expect.stringMatching(note) });
  });
});

describe('what it asks to know', () => {
  const row = (more = {}) =>
    madeDelivery({ channel: 'desk', step: 1, content: madeContent({ after: MINUTE }), ...more });
  test.each<[name: string, send: Partial<GatedSend>, facts: Partial<GateFacts>, fact: string | null]>([
    ['a first send: nothing', {}, {}, null],
    ['one with a row: nothing', { row: madeDelivery({ channel: 'desk' }) }, {}, null],
    ['a step: what was sent before', { step: 1, row: row() }, {}, 'sends'],
    ['a step of an earlier version, which does not say', { step: 1, row: row({ content: madeContent() }) }, {}, null],
    ['a step that was tried', { step: 1, row: row(), isTried: true }, {}, null],
    ['a step of what somebody asked for: the same', { step: 1, row: row(), isAskedFor: true }, {}, 'sends'],
    ['a step that is planned', { step: 1 }, {}, null],
    ['for a person who may look: presence', { only: 'away' }, {}, 'presence'],
    ['muted as well: nothing', { only: 'away' }, { silences: [mute()] }, null],
    ['a step that is muted: nothing', { step: 1, row: row() }, { silences: [mute()], quiet: QUIET }, null],
    ['a step in quiet hours: whether a digest tells it', { step: 1, row: row() }, { quiet: QUIET }, 'digested'],
    ['a first send in quiet hours: nothing', { only: 'away' }, { quiet: QUIET }, null],
    ['what is heard: "do not disturb"', { channel: 'bell', only: 'away' }, {}, 'doNotDisturb'],
    ['what is heard in quiet hours: nothing', { channel: 'bell' }, { quiet: QUIET }, null],
    ['urgent and heard: nothing', { ...URGENT, channel: 'bell', only: 'away' }, {}, null],
    ['a record in quiet hours', { channel: 'audit', step: 1, row: null }, { quiet: QUIET }, null],
  ])('%s', (_name, send, facts, fact) => {
    const found = gate(sendOf(send), { ...FACTS, ...facts }, NOON);
    expect(found.verdict === 'ask' ? found.fact : null).toBe(fact);
  });

  test('of a time that is named it asks nothing', () => {
    const send = sendOf({ channel: 'bell', only: 'away', step: 1, row: row() });
    expect(forecast(send, FACTS, NOON)).toEqual(GO);
    expect(forecast(send, { ...FACTS, doNotDisturb: true, presence: LOOKS }, NOON)).toEqual(GO);
    expect(forecast(send, { ...FACTS, quiet: QUIET, digested: true }, NOON)).toMatchObject(QUIET_WAIT);
  });
});

describe('the distance between steps', () => {
  const sent = (more: Partial<SendRow> = {}): SendRow =>
    madeDelivery({ channel: 'desk', state: 'sent', updatedAt: NOON - MINUTE, ...more });
  const step = madeDelivery({ channel: 'desk', step: 1, due: NOON, content: madeContent({ after: 2 * MINUTE }) });
  const asked = (sends: readonly SendRow[], failing: readonly string[] = []) =>
    gate(sendOf({ step: 1, row: step }), { ...FACTS, sends: [...sends, step], failing: new Set(failing) }, NOON);

  test.each<[name: string, sends: readonly SendRow[], until: number | null]>([
    ['the first went out in time', [sent({ updatedAt: NOON - 2 * MINUTE })], null],
    ['a second late', [sent({ updatedAt: NOON - 2 * MINUTE + 1_000 })], null],
    ['later than that', [sent({ updatedAt: NOON - 2 * MINUTE + 1_001 })], NOON + 1_001],
    ['a minute late', [sent()], NOON + MINUTE],
    ['of two channels the earlier counts', [sent(), sent({ updatedAt: NOON - 90_000 })], NOON + 30_000],
    ['in a digest', [sent({ state: 'superseded', lastError: 'in the digest ntf_1' })], NOON + MINUTE],
    ['superseded by something else', [sent({ state: 'superseded', lastError: 'taken back' })], null],
    ['a clock was set back since', [sent({ updatedAt: NOON + 1 })], null],
    ['it is about to go out', [sent({ state: 'leased' })], NOON + 2 * MINUTE],
    ['held until now', [sent({ state: 'pending', heldBy: 'mute:m1', due: NOON })], NOON + 2 * MINUTE],
    ['held for longer', [sent({ state: 'pending', heldBy: 'mute:m1', due: NOON + 1 })], null],
    ['tried in vain', [sent({ state: 'pending', attempts: 1, due: NOON - 9 * MINUTE })], null],
    [
      'it waits for its person',
      [sent({ state: 'pending', only: 'away', lastError: 'waits: x', due: NOON + MINUTE })],
      NOON + 3 * MINUTE,
    ],
    ['it is to come, and in time', [sent({ state: 'pending', due: NOON + MINUTE })], null],
    ['overdue, as a machine slept', [sent({ state: 'pending', due: NOON - 2 * MINUTE - 5_001 })], NOON + 2 * MINUTE],
    [
      'a record notified nobody while people wait for a digest',
      [sent({ channel: 'audit' }), sent({ state: 'pending', heldBy: 'quiet', due: NOON + MINUTE })],
      null,
    ],
    ['a record notified somebody where no people wait', [sent({ channel: 'audit' })], NOON + MINUTE],
    ['its channel is not in the settings any more', [sent({ channel: 'gone' })], NOON + MINUTE],
  ])('%s', (_name, sends, until) => {
    const expected =
      until === null ? GO : { verdict: 'wait', until, note: 'counts from when the message before it was sent' };
    expect(asked(sends)).toEqual(expected);
  });

  test('a step counts from the one before it', () => {
    const before = madeDelivery({
      channel: 'desk',
      step: 1,
      state: 'sent',
      updatedAt: NOON - 10_000,
      content: madeContent({ after: MINUTE }),
    });
    const second = madeDelivery({ channel: 'desk', step: 2, content: madeContent({ after: 2 * MINUTE }) });
    const facts = { ...FACTS, sends: [sent({ updatedAt: NOON - 9 * MINUTE }), before, second] };
    expect(gate(sendOf({ step: 2, row: second }), facts, NOON)).toMatchObject({
      verdict: 'wait',
      until: NOON + 50_000,
    });
  });

  test('two that are overdue do not come at once', () => {
    const before = madeDelivery({
      channel: 'desk',
      step: 1,
      due: NOON - 70_000,
      content: madeContent({ after: MINUTE }),
    });
    const second = madeDelivery({ channel: 'desk', step: 2, content: madeContent({ after: 2 * MINUTE }) });
    const facts = { ...FACTS, sends: [sent({ updatedAt: NOON - 9 * MINUTE }), before, second] };
    expect(gate(sendOf({ step: 2, row: second }), facts, NOON)).toMatchObject({
      verdict: 'wait',
      until: NOON + MINUTE,
    });
  });

  test('a channel that fails moves nothing', () => {
    expect(asked([sent({ state: 'leased' })], ['desk'])).toEqual(GO);
  });
});

describe('who is at the machine', () => {
  const judged = (presence: Partial<Presence>, send = {}, at = NOON) =>
    judgePresence(
      { only: 'away', event: { kind: 'agent.waiting' }, count: 1, since: NOON - 10_000, ...send },
      { ...LOOKS, ...presence },
      at,
    );
  test.each([
    [
      'looks, and typed before it came',
      { input: NOON - 11_000 },
      {},
      { verdict: 'wait', until: NOON + 10_000, leaves: true },
    ],
    ['it came a moment ago', { input: NOON - 11_000 }, { since: NOON - 500 }, { verdict: 'wait', until: NOON + 2_000 }],
    ['it came long ago', { input: NOON }, { since: NOON - 100_000 }, { verdict: 'wait', until: NOON + 30_000 }],
    ['no longer than they may have left', { input: NOON - 175_000 }, {}, { verdict: 'wait', until: NOON + 5_000 }],
    [
      'typed after a finish came',
      { input: NOON - 1 },
      { event: { kind: 'agent.finished' } },
      { verdict: 'seen', note: LOOKS.evidence },
    ],
    [
      'typed after the end of a session',
      { input: NOON - 1 },
      { event: { kind: 'session.ended' } },
      { verdict: 'seen' },
    ],
    [
      'typed after a subagent finished',
      { input: NOON - 1 },
      { event: { kind: 'subagent.finished' } },
      { verdict: 'seen' },
    ],
    ['typed just when it came', { input: NOON - 10_000 }, { event: { kind: 'agent.finished' } }, { verdict: 'wait' }],
    [
      'of several finishes one is looked at',
      { input: NOON - 1 },
      { event: { kind: 'agent.finished' }, count: 2 },
      { verdict: 'go', note: 'you look at one of its sessions only' },
    ],
    ['a question is not done by a glance', { input: NOON - 1 }, {}, { verdict: 'wait' }],
    ['said that they are away', { away: true }, {}, { verdict: 'go', note: LOOKS.evidence }],
    ['away and busy', { away: true }, { only: 'idle' }, { verdict: 'go' }],
    ['looks elsewhere', { looking: 'no' }, {}, { verdict: 'go', note: LOOKS.evidence }],
    ['busy elsewhere', { looking: 'no' }, { only: 'idle' }, { verdict: 'wait', until: NOON + 10_000, leaves: true }],
    ['idle elsewhere', { looking: 'no', idle: 'yes' }, { only: 'idle' }, { verdict: 'go' }],
    [
      'looks, and typed nothing for long',
      { input: NOON - 180_000 },
      {},
      { verdict: 'go', note: `${LOOKS.evidence}, but nothing was typed or moved since` },
    ],
    ['looks, without a known input', { input: null }, {}, { verdict: 'wait' }],
    ['the same, long ago', { input: null }, { since: NOON - 180_000 }, { verdict: 'go' }],
  ] as const)('%s', (_name, presence, send, expected) => {
    expect(judged(presence, send)).toMatchObject(expected);
  });
});

describe('what is asked about', () => {
  test('a row of the outbox', () => {
    const event = madeEvent({ at: NOON - 5 });
    const content = madeContent({ event, urgency: 'urgent', count: 3 });
    const row = madeDelivery({
      channel: 'desk',
      step: 2,
      only: 'idle',
      unless: 'acknowledged',
      createdAt: NOON,
      attempts: 1,
      content,
    });
    expect(gatedSend(row)).toEqual({
      channel: 'desk',
      step: 2,
      only: 'idle',
      event,
      events: [event],
      urgency: 'urgent',
      count: 3,
      since: NOON,
      isAskedFor: false,
      isTried: true,
      row,
    });
    expect(gatedSend({ ...row, attempts: 0, createdAt: NOON - 9 })).toMatchObject({ since: NOON - 5, isTried: false });
  });

  test('each event of a batch', () => {
    const members = [madeEvent({ id: 'event-1' }), madeEvent({ id: 'event-2' })].map((event) => ({
      event,
      title: 'x',
    }));
    const { events } = gatedSend(madeDelivery({ content: madeContent({ members }) }));
    expect(events).toEqual(members.map(({ event }) => event));
  });

  test.each([
    ['none', 'a', true],
    ['acknowledged', 'digest-asked:quiet:1', true],
    ['acknowledged', 'digest:quiet:1', false],
    ['resolved', 'a', false],
  ] as const)('asked for, unless %s in %s: %s', (unless, threadKey, expected) => {
    expect(gatedSend(madeDelivery({ unless, threadKey })).isAskedFor).toBe(expected);
  });

  test('a plan of several', () => {
    const first = madeEvent({ urgency: 'urgent', at: NOON - 1 });
    expect(gatedPlan({ channel: 'desk', step: 1, only: 'idle' }, first, [first, other])).toEqual({
      channel: 'desk',
      step: 1,
      only: 'idle',
      event: first,
      events: [first, other],
      urgency: 'urgent',
      count: 2,
      since: NOON - 1,
      isAskedFor: false,
      isTried: false,
      row: null,
    });
  });

  test.each([
    ['nothing', [], NOT_QUIET, false],
    ['muted', [mute()], NOT_QUIET, true],
    ['until unmuted', [mute({ until: null })], NOT_QUIET, true],
    ['over', [mute({ until: NOON })], NOT_QUIET, false],
    ['quiet', [], QUIET, true],
    ['not quiet then', [], LATER_QUIET, false],
  ] as const)('a silent time: %s', (_name, silences, quiet, expected) => {
    expect(isSilentTime({ silences, quiet }, NOON)).toBe(expected);
  });
});
