// Rows as facts: what they carry, what stays whatever is in it, and what is left of it at each level. Secrets and hostile texts are looked for in the JSON that leaves.
import { describe, expect, test } from 'vitest';
import { lowerLevel } from '../../src/link/cut.ts';
import {
  endedMute,
  eventFact,
  judgedPresence,
  machineFact,
  muteFact,
  notificationFact,
  questionFact,
  sessionFact,
  shortened,
} from '../../src/link/row-facts.ts';
import { type Fact, factSchema, type QuestionFact } from '../../src/model/link/fact.ts';
import { fitsBatch } from '../../src/model/link/batch.ts';
import { LEVELS, type Level } from '../../src/model/notification/notification.ts';
import { seenWords } from '../../src/model/notification/resolution.ts';
import { type Presence, UNKNOWN_PRESENCE } from '../../src/model/presence/presence.ts';
import { answersOf } from '../../src/model/question/allowed-answers.ts';
import type { QuestionSubject } from '../../src/model/question/answering.ts';
import type { Question } from '../../src/model/question/question.ts';
import { wasSeen } from '../../src/model/question/seen.ts';
import { createRedactor } from '../../src/redaction/index.ts';
import { exampleOf, seeded } from '../redaction/examples.ts';
import { making } from '../support/link.ts';
import { madeEvent, madeNotification, madeSession, NOON } from '../support/made.ts';

/** Stands in a field that never leaves. */
const STAYS = 'stays-here';
/** Stands in a field that leaves at `full` only, and in its later lines. */
const FULL = 'full-only';
/** Stands in a field that leaves at `short` as well. */
const SHORT = 'short-too';

const client = { pid: 4711, start: STAYS, name: STAYS, tty: STAYS };
const event = madeEvent({
  place: { multiplexer: { pane: STAYS } } as unknown as NonNullable<ReturnType<typeof madeEvent>['place']>,
  hookEvent: STAYS,
  cwd: `/src/${SHORT}`,
  branch: SHORT,
  message: `${SHORT}\n${FULL}`,
  reason: SHORT,
  attributes: {
    seconds: 12,
    tool: { name: 'Bash', summary: FULL, input: STAYS },
    last_assistant_message: FULL,
    request: FULL,
    subagent: { id: 'a1', name: FULL, transcript: STAYS },
    api_response: STAYS,
    session_title: STAYS,
    channel: { hostile: STAYS },
    tool_use_id: STAYS,
  },
});
const record = madeSession({
  cwd: `/src/${STAYS}`,
  branch: SHORT,
  title: SHORT,
  transcript: STAYS,
  lastAssistantMessage: STAYS,
  waitingFor: SHORT,
  running: [{ id: 'b1', type: 'shell', label: FULL }],
  process: client,
  memory: { request: STAYS, held: { id: STAYS } },
});
const row = madeNotification({ title: 'payments: waits', threadKey: STAYS, expiresAt: 4_711, putOff: 815 });
const subject: QuestionSubject = {
  agent: 'generic',
  sessionId: 'session-1',
  cwd: `/src/${SHORT}`,
  subagent: SHORT,
  tool: SHORT,
  text: `${SHORT}\n${FULL}`,
  choices: [{ question: FULL, options: [FULL], descriptions: [FULL], multiple: false }],
  partial: null,
};
const question: Question = {
  id: 'qst_0001',
  notificationId: row.id,
  sessionKey: STAYS,
  kind: 'permission',
  subject,
  inputHash: `${STAYS}-hash`,
  nonce: `${STAYS}-nonce`,
  deadline: NOON + 3_600_000,
  state: 'open',
  answer: { type: 'reply', text: STAYS },
  answeredBy: null,
  closed: STAYS,
  version: 2,
};
const silence = {
  ...{ id: 'mute-0001', version: 3, until: NOON + 60_000, session: null, cwd: `/src/${SHORT}`, channel: null },
  ...{ all: true, createdAt: NOON - 5_000, reason: STAYS },
};
const said = { version: 4, state: { since: NOON - 1, until: NOON + 1, note: STAYS } };
const MACHINE = { name: 'box', versions: { belfry: '0.3.0' } };

const whole = (fact: ReturnType<typeof questionFact>) => {
  if (fact === null) throw new Error('no fact');
  return fact;
};
const factsAt = (level: Level, redactor = making().redactor) => {
  const by = making({ level, redactor });
  return {
    event: eventFact(event, by),
    session: sessionFact(record, by),
    notification: notificationFact(row, event, null, by),
    question: whole(questionFact(question, row, event, by)),
    mute: muteFact(silence, by),
    machine: machineFact(said, MACHINE, NOON),
  };
};

describe('levels', () => {
  test.each(LEVELS)('%s: every fact is one, and what never leaves is in none', (level) => {
    for (const fact of Object.values(factsAt(level))) {
      if (fact !== null) expect(factSchema.parse(JSON.parse(JSON.stringify(fact)))).toEqual(fact);
      expect(JSON.stringify(fact)).not.toContain(STAYS);
    }
  });

  test('full: all that the tables of the link name', () => {
    const { event: happened, session, notification, question: asked } = factsAt('full');
    expect(happened).toEqual({
      ...{ type: 'event', id: event.id, at: NOON, age_ms: 0, kind: 'agent.finished', detail: null },
      ...{ urgency: 'normal', abnormal: false, agent: 'generic', host: 'box', user: 'dev', session: 'session-1' },
      ...{ project: 'payments', branch: SHORT, cwd: `/src/${SHORT}`, message: `${SHORT}\n${FULL}`, reason: SHORT },
      attributes: {
        ...{ seconds: 12, tool: { name: 'Bash', summary: FULL }, last_assistant_message: FULL, request: FULL },
        subagent: { id: 'a1', name: FULL },
      },
    });
    expect(session).toEqual({
      ...{ type: 'session', at: NOON, age_ms: 0, agent: 'generic', host: 'box', user: 'dev', session: 'session-1' },
      ...{ version: 0, state: 'working', since: NOON, waiting_for: SHORT, title: SHORT, project: 'payments' },
      ...{ branch: SHORT, parent: null, running: [{ id: 'b1', type: 'shell', label: FULL }] },
    });
    expect(notification).toMatchObject({
      ...{ id: row.id, version: 0, events: ['event-0001'], kind: 'agent.waiting', urgency: 'urgent', state: 'open' },
      ...{ revision: 1, acknowledged: null, resolved: null, seen: null, presence: null },
      content: { title: 'payments: waits', body: expect.stringContaining(FULL) },
    });
    expect(asked.subject).toEqual({ ...subject, session: 'session-1', sessionId: undefined });
  });

  test('short: first lines, folders and branches', () => {
    const facts = factsAt('short');
    expect(JSON.stringify(facts)).not.toContain(FULL);
    for (const fact of [facts.event, facts.session, facts.question, facts.mute])
      expect(JSON.stringify(fact)).toContain(SHORT);
    expect(facts.notification.content.body).toContain(SHORT);
    expect(facts.session).toMatchObject({ session: 'session-1', running: [] });
  });

  test('title: no text but titles, and a session goes by another name, the same in all facts', () => {
    const facts = factsAt('title');
    expect(JSON.stringify(facts)).not.toMatch(new RegExp(`${FULL}|${SHORT}|session-1`));
    expect(facts.notification.content).toEqual({ title: 'payments: waits', body: '' });
    expect(facts.mute).toBeNull();
    expect(facts.session.session).toMatch(/^ses_[0-9a-f]{24}$/);
    expect([facts.event.session, facts.question.subject.session]).toEqual([
      facts.session.session,
      facts.session.session,
    ]);
  });

  test.each([
    ['full', 'short', 'short'],
    ['short', 'full', 'short'],
    ['title', 'full', 'title'],
    ['full', 'full', 'full'],
  ] as const)('of %s and %s a hub gets %s', (own, asked, level) => expect(lowerLevel(own, asked)).toBe(level));
});

describe('secrets and hostile texts', () => {
  const token = exampleOf('ghp_[A-Za-z0-9]{36}', seeded(11));
  const own = 'ACME-12345678';
  const text = `use ${token} and ${own}`;
  const redactor = createRedactor({ patterns: ['ACME-[0-9]{8}'] });
  const rows = {
    event: madeEvent({
      cwd: `/src/${own}`,
      project: own,
      branch: own,
      message: text,
      reason: text,
      detail: text,
      attributes: { prompt: text, tool: { name: text, summary: text }, last_assistant_message: text },
    }),
    record: madeSession({
      title: text,
      project: own,
      branch: own,
      waitingFor: text,
      running: [{ id: null, type: 'shell', label: text }],
    }),
    row: madeNotification({
      title: text,
      acknowledged: { at: NOON, by: text, via: text },
      resolved: { at: NOON, why: text },
    }),
    question: {
      ...question,
      answeredBy: text,
      subject: {
        ...subject,
        cwd: `/src/${own}`,
        subagent: text,
        tool: text,
        text,
        choices: [{ question: text, options: [text], descriptions: [text], multiple: false }],
      },
    },
    silence: { ...silence, cwd: `/src/${own}` },
  };

  test.each(LEVELS)('%s: none is on the wire, by patterns that came after the row', (level) => {
    const by = making({ level, redactor });
    const facts = [
      eventFact(rows.event, by),
      sessionFact(rows.record, by),
      notificationFact(rows.row, rows.event, null, by),
      questionFact(rows.question, rows.row, rows.event, by),
      muteFact(rows.silence, by),
    ];
    const wire = JSON.stringify(facts);
    expect(wire).not.toContain(token);
    expect(wire).not.toContain(own);
    expect(wire).toContain('[redacted');
  });

  test.each(['\u0000', '\ud800', '\u001b]0;x\u0007', '"},{"type":"mute"', '__proto__', '𝕏'.repeat(5_000)])(
    'a hostile text stays one: %j',
    (hostile) => {
      const odd = { message: hostile, sessionId: hostile, project: hostile, branch: hostile, cwd: hostile };
      const attributes = JSON.parse(`{"__proto__":{"tool":"x"},"tool":${JSON.stringify({ name: hostile })}}`) as object;
      for (const level of LEVELS) {
        const by = making({ level });
        const facts = [
          eventFact(madeEvent({ ...odd, attributes: { ...attributes } }), by),
          sessionFact(madeSession({ ...odd, title: hostile }), by),
          notificationFact({ ...row, title: hostile }, madeEvent(odd), null, by),
        ];
        for (const fact of facts) expect(factSchema.safeParse(JSON.parse(JSON.stringify(fact))).success).toBe(true);
      }
    },
  );
});

describe('questions', () => {
  const allowed = ({ kind, subject: asked }: QuestionFact) => answersOf({ kind, subject: asked });

  test.each([
    ['full', true],
    ['short', false],
    ['title', false],
  ] as const)('at %s, allow is offered: %j', (level, offered) => {
    const fact = factsAt(level).question;
    expect(allowed(fact).includes('allow')).toBe(offered);
    expect(fact.subject.partial === null).toBe(offered);
  });

  test('what was not whole before is not whole at any level', () => {
    const partial = { ...question, subject: { ...subject, partial: 'it is too long' } };
    for (const level of LEVELS)
      expect(allowed(whole(questionFact(partial, row, event, making({ level }))))).not.toContain('allow');
  });

  test('one of which a pattern hides a part is not whole', () => {
    const redactor = createRedactor({ patterns: [FULL] });
    expect(factsAt('full', redactor).question.subject.partial).toBe('a part of it was hidden as a secret');
  });

  test('its hash is that of all that is asked, at every level, and keyed by what never leaves', () => {
    const [full, title] = [factsAt('full').question, factsAt('title').question];
    expect(title.input_hash).toBe(full.input_hash);
    expect(wasSeen(question, full.input_hash)).toBe(true);
    expect(wasSeen({ ...question, nonce: 'another' }, full.input_hash)).toBe(false);
    expect(wasSeen({ ...question, subject: { ...subject, text: 'rm -rf /' } }, full.input_hash)).toBe(false);
  });

  test('one whose row cannot be read is none', () => {
    expect(questionFact({ ...question, subject: { text: 1 } }, row, event, making())).toBeNull();
  });
});

describe('what no batch holds', () => {
  const long = 'ü'.repeat(190_000);
  const { question: asked, event: happened, session } = factsAt('full');

  test.each<[string, Fact]>([
    ['a question', { ...asked, subject: { ...asked.subject, text: long } }],
    ['an event', { ...happened, message: long, reason: long, attributes: { prompt: long } }],
    ['a session', { ...session, title: long, waiting_for: long, running: [{ id: null, type: 'shell', label: long }] }],
  ])('%s is cut', (_name, fact) => {
    expect(fitsBatch([fact])).toBe(false);
    const short = shortened(fact);
    expect(fitsBatch([short], { facts: 1, bytes: 16_384 })).toBe(true);
    expect(factSchema.parse(short)).toEqual(short);
    if (short.type === 'question') expect(answersOf(short)).not.toContain('allow');
  });

  test('all others are short: they stay as they are', () => {
    const { notification } = factsAt('full');
    expect(shortened(notification)).toBe(notification);
  });
});

describe('notifications', () => {
  test('what shows that somebody has seen it stays here', () => {
    const seen = {
      ...row,
      state: 'resolved',
      resolved: { at: NOON, why: seenWords('you look at the window Mail') },
    } as const;
    const fact = notificationFact(seen, event, null, making());
    expect(fact).toMatchObject({ seen: { at: NOON }, resolved: { at: NOON, why: 'seen' } });
    expect(JSON.stringify(fact)).not.toContain('Mail');
  });

  test('who acknowledged it, through what and when', () => {
    const acknowledged = { at: NOON, by: 'dani', via: 'page', answered: true } as const;
    expect(notificationFact({ ...row, acknowledged }, event, null, making()).acknowledged).toEqual({
      at: NOON,
      by: 'dani',
      via: 'page',
    });
  });

  test.each<[string, Partial<Presence>, string]>([
    ['said to be away, though looking', { away: true, looking: 'yes' }, 'away'],
    ['looking at that session', { looking: 'yes' }, 'present'],
    ['idle', { looking: 'no', idle: 'yes' }, 'idle'],
    ['not looking at that session', { looking: 'no', idle: 'no' }, 'away'],
    ['unknown', {}, 'unknown'],
  ])('a person who is %s', (_name, presence, state) => {
    const judged = judgedPresence({ ...UNKNOWN_PRESENCE, evidence: STAYS, ...presence }, NOON);
    expect(judged).toEqual({ state, at: NOON });
    expect(notificationFact(row, event, judged, making()).presence).toEqual(judged);
  });
});

describe('time', () => {
  test.each([
    ['an hour old', NOON - 3_600_000, 3_600_000],
    ['of a clock that was ahead', NOON + 5, 0],
    ['of 1970', 0, NOON],
  ])('the age of what is %s', (_name, at, age) => {
    expect(eventFact(madeEvent({ at }), making())).toMatchObject({ at, age_ms: age });
  });

  test('a session of which nothing was heard for long is unknown, as everywhere', () => {
    const old = madeSession({ state: 'working', lastEvent: NOON - 13 * 3_600_000 });
    expect(sessionFact(old, making())).toMatchObject({ state: 'unknown', age_ms: 13 * 3_600_000 });
  });
});

describe('mutes and the machine', () => {
  test('a mute says what it is about and until when', () => {
    expect(muteFact({ ...silence, session: 'session-1' }, making())).toEqual({
      ...{ type: 'mute', id: silence.id, at: NOON - 5_000, age_ms: 5_000, version: 3, until: silence.until },
      match: { session: 'session-1', cwd: `/src/${SHORT}`, all: true },
    });
  });

  test('one of a channel here says nothing to a hub', () => {
    expect(muteFact({ ...silence, channel: 'desk' }, making())).toBeNull();
  });

  test('one that was ended is later than any version of it', () => {
    const fact = endedMute(silence.id, making());
    expect(fact).toMatchObject({ id: silence.id, until: 0, match: { session: null, cwd: null } });
    expect(fact.version).toBeGreaterThan(silence.version);
  });

  test.each([
    ['away', said, NOON + 1, 4],
    ['back again', { version: 5, state: { since: NOON - 2, until: NOON - 1 } }, null, 5],
    ['nothing said yet', null, null, 0],
  ])('a machine whose person is %s', (_name, state, until, version) => {
    const fact = machineFact(state, MACHINE, NOON);
    expect(fact).toMatchObject({ ...MACHINE, away_until: until, version, clock: NOON, age_ms: 0 });
  });
});
