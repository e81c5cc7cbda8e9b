// The list that says why, of rows made by hand: every state of a delivery, and every reason why a channel gets nothing.
import { expect, test } from 'vitest';
import { type Tried, type WhyFacts, whyRows } from '../../../src/daemon/processing/why-words.ts';
import type { Attempt, Delivery } from '../../../src/model/delivery/delivery.ts';
import type { Verdict } from '../../../src/model/event/verdict.ts';
import { madeContent, madeDelivery, madeNotification, NOON } from '../../support/made.ts';

const MINUTE = 60_000;
const ROUTED: Verdict = { stage: 'route', verdict: 'route', note: 'phone: route 1 (kind agent.waiting), then route 2' };

function facts(more: Partial<WhyFacts> = {}): WhyFacts {
  const nothing = { notifications: [], tried: [], outcomes: [], continuesAt: null, channels: [], routes: [] };
  return { title: 'payments: waits', at: NOON, verdicts: [ROUTED], now: NOON + MINUTE, ...nothing, ...more };
}

function tried(more: Partial<Delivery>, attempts: readonly Partial<Attempt>[] = []): Tried {
  const delivery = madeDelivery({ channel: 'phone', due: NOON + 5 * MINUTE, updatedAt: NOON + MINUTE, ...more });
  const none = { ms: 1, ok: false, reason: null, error: null, answer: null, status: null, next: '' };
  return {
    delivery,
    attempts: attempts.map((one, i) => ({ ...none, deliveryId: delivery.id, number: i + 1, at: NOON, ...one })),
  };
}

const LATER = { content: madeContent({ after: 2 * MINUTE }), unless: 'acknowledged' } as const;

test.each<[name: string, one: Tried, expected: RegExp]>([
  ['sent', tried({ state: 'sent' }, [{ ok: true, at: NOON + 5 }]), /^got phone got it\.$/],
  [
    'escalated',
    tried({ ...LATER, state: 'sent', step: 1 }),
    /^got phone got it, since nobody had reacted for 2 min\.$/,
  ],
  ['reminded', tried({ ...LATER, state: 'sent', step: 101 }), /^got phone got a reminder\.$/],
  [
    'several',
    tried({ state: 'sent', content: madeContent({ count: 3 }) }),
    /^got phone got it, with 2 more in one message\.$/,
  ],
  ['under way', tried({ state: 'leased' }), /^next phone is being sent it\.$/],
  [
    'planned',
    tried({ ...LATER, state: 'pending', step: 1 }),
    /^next phone gets it at .*, 2 min after the first message, unless somebody reacts\.$/,
  ],
  [
    'idle',
    tried({ ...LATER, state: 'pending', step: 100, only: 'idle' }),
    /^next phone gets a reminder at .*, unless somebody reacts, if you are idle then\.$/,
  ],
  ['due', tried({ state: 'pending', due: NOON }), /^next phone gets it now\.$/],
  ['tomorrow', tried({ state: 'pending', due: NOON + 1_440 * MINUTE }), /^next phone gets it tomorrow at \d\d:\d\d\.$/],
  ['a group', tried({ state: 'pending', heldBy: 'group:x' }), /^next phone gets it at .*, together with others\.$/],
  [
    'an outage',
    tried({ state: 'pending', heldBy: 'outage:phone' }),
    /^next phone: held back by an outage of the channel, comes in a digest at/,
  ],
  [
    'at the keyboard',
    tried({ state: 'pending', only: 'away', lastError: 'waits: you typed at 14:02' }),
    /^next phone waits, as its route sends only while you are away from that session: you typed at 14:02; looked at again at/,
  ],
  [
    'told not to disturb',
    tried({ state: 'pending', only: 'always', lastError: 'waits: "do not disturb" is on' }),
    /^next phone waits: "do not disturb" is on; looked at again at/,
  ],
  [
    'tried again',
    tried({ state: 'pending' }, [{ error: 'answered 503' }]),
    /^not phone did not take it: answered 503\.\nnext phone: tried again at [^,]*\.$/,
  ],
  [
    'paused',
    tried({ state: 'paused', lastError: 'no connection' }),
    /^next phone gets it once it works again: no connection\.$/,
  ],
  [
    'paused after an attempt',
    tried({ state: 'paused', lastError: 'answered 403' }, [{ error: 'answered 403' }]),
    /^not phone did not take it: answered 403\.\nnext phone gets it once it works again\.$/,
  ],
  [
    'the same fault twice, then another',
    tried({ state: 'pending' }, [{ error: 'answered 503' }, { error: 'answered 503' }, { error: 'answered 502' }]),
    /^not phone did not take it: answered 503\.\nnot phone did not take it, as before\.\nnot phone did not take it: answered 502\.\nnext phone: tried again at [^,]*\.$/,
  ],
  [
    'dead after the same fault twice',
    tried({ state: 'dead', lastError: 'answered 503' }, [{ error: 'answered 503' }, { error: 'answered 503' }]),
    /^not phone did not take it: answered 503\.\nnot phone did not get it: given up\.$/,
  ],
  [
    'dead',
    tried({ state: 'dead', lastError: 'answered 400' }, [{ error: 'answered 400' }]),
    /^not phone did not get it: given up, answered 400\.$/,
  ],
  ['replaced', tried({ state: 'superseded' }), /^not phone did not get it: a later message took its place\.$/],
  [
    'seen',
    tried({ state: 'cancelled', lastError: 'seen: you typed there' }),
    /^not phone did not get it: you had seen it: you typed there\.$/,
  ],
  ['pointless', tried({ state: 'cancelled' }), /^not phone did not get it: nobody needed it any more\.$/],
])('%s', (_name, one, expected) => {
  const rows = whyRows(facts({ tried: [one], channels: ['phone'] }));
  expect(rows.slice(0, 2).map(({ text }) => text)).toEqual([
    'payments: waits.',
    'It goes to phone by route 1 and route 2.',
  ]);
  expect(
    rows
      .slice(2)
      .map(({ what, text }) => `${what} ${text}`)
      .join('\n'),
  ).toMatch(expected);
});

test('what was taken back says how its notification ended; what came in a digest is that of the digest', () => {
  const over = madeNotification({ resolved: { at: NOON + 9, why: 'answered in the terminal' }, state: 'resolved' });
  const taken = tried({ state: 'cancelled', notificationId: over.id });
  const digest = tried({ state: 'superseded', lastError: 'in the digest ntf_1', channel: 'desk' });
  const rows = whyRows(facts({ tried: [taken, digest], notifications: [over], channels: ['phone'] }));
  expect(rows.map(({ text }) => text).slice(2)).toEqual([
    'Answered in the terminal.',
    'phone did not get it: answered in the terminal.',
  ]);
});

test('what joined a group says that it is sent with others', () => {
  const note = 'phone in 2s, with others of project payments; one message in 1m at most';
  const rows = whyRows(facts({ verdicts: [ROUTED, { stage: 'group', verdict: 'change', note }] }));
  expect(rows.at(-1)).toEqual({ at: NOON, channel: null, what: 'happened', text: `Sent together: ${note}.` });
});

test.each([
  ['of the same day', { at: NOON, until: NOON + 10 * MINUTE }, NOON, /, until \d\d:\d\d\.$/],
  ['over midnight', { at: NOON, until: NOON + 24 * 60 * MINUTE }, NOON, /, until tomorrow \d\d:\d\d\.$/],
  ['kept by an earlier version', {}, null, /through page\.$/],
])('what was put off says until when: %s', (_name, more, at, ends) => {
  const note = 'what follows was put off for 10 min by Ada through page';
  const postponed: Verdict = { stage: 'postpone', verdict: 'change', note, ...more };
  const rows = whyRows(facts({ verdicts: [ROUTED, postponed] }));
  expect(rows.at(-1)).toMatchObject({ at, what: 'happened', text: expect.stringMatching(ends) });
});

type Route = WhyFacts['routes'][number];

const trace = (more: Partial<Route>): Route => ({
  match: {},
  route: 1,
  to: [],
  later: [],
  also: false,
  reached: true,
  matches: false,
  misses: [],
  ...more,
});

test.each<[name: string, routes: readonly Route[], verdicts: readonly Verdict[], why: string]>([
  ['no route', [trace({ to: ['desk'], matches: true })], [ROUTED], 'no route names it'],
  [
    'other keys',
    [trace({ route: 2, later: ['phone'], match: { cwd: ['~/work/*'], urgency: ['urgent'] }, misses: ['cwd'] })],
    [ROUTED],
    'route 2 is only for folder ~/work/*',
  ],
  [
    'other kinds',
    [
      trace({
        to: ['phone'],
        match: { kind: ['session.failed', 'session.ended'], longer_than: 600_000 },
        misses: ['kind', 'longer_than'],
      }),
    ],
    [ROUTED],
    'route 1 is only for sessions that fail or sessions that end and turns of 10 min or more',
  ],
  [
    'a kind that has to be named',
    [trace({ to: ['phone'], misses: ['kind'] })],
    [ROUTED],
    'route 1 does not name events of this kind',
  ],
  ['new', [trace({ to: ['phone'], matches: true })], [ROUTED], 'route 1 names it now, but did not when this came'],
  [
    'a repeat',
    [trace({ to: ['phone'], matches: true })],
    [{ stage: 'correlate', verdict: 'change', note: 'already notified, except on desk' }, ROUTED],
    'already notified, except on desk',
  ],
  [
    'stopped before',
    [trace({ to: ['phone'], matches: true })],
    [{ stage: 'correlate', verdict: 'stop', note: 'you interrupted this turn' }],
    'you interrupted this turn',
  ],
  [
    'taken before',
    [trace({ to: ['desk'], matches: true }), trace({ route: 2, to: ['phone'], matches: true, reached: false })],
    [ROUTED],
    'route 2 would send it there, but route 1 takes it before and ends the search',
  ],
])('a channel that gets nothing: %s', (_name, routes, verdicts, why) => {
  const rows = whyRows(facts({ routes, verdicts, channels: ['phone'] }));
  expect(rows.at(-1)).toEqual({ at: null, channel: 'phone', what: 'not', text: `phone did not get it: ${why}.` });
});
