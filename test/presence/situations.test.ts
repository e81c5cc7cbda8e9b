// Who looks where, and when something was typed last: what the findings say together, and what becomes of a notification. Nothing urgent, unknown,
// late or unseen is ever swallowed.
import { expect, test } from 'vitest';
import { type Asks, gate, type GateFacts, gatedSend } from '../../src/dispatch/gate.ts';
import type { GateVerdict } from '../../src/model/delivery/gate.ts';
import type { Delivery } from '../../src/model/delivery/delivery.ts';
import type { Kind, Urgency } from '../../src/model/event/event.ts';
import { conclude } from '../../src/presence/shared/conclude.ts';
import type { Finding } from '../../src/presence/shared/detector.ts';
import { eventOf, notificationOf } from '../contracts/channel.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const IDLE_AFTER = 180_000;
const [AFTER, BEFORE, LONG_AGO] = [NOW - 4_000, NOW - 60_000, NOW - 600_000];

/** What the detectors may find. `typed`: in the terminal that is looked at; `desk`: on its desktop; `keys`: in some terminal of tmux. */
const FINDINGS = {
  locked: { about: 'locked', answer: 'yes', evidence: 'locked' },
  looks: { about: 'looking', answer: 'yes', evidence: 'looks' },
  typed: { about: 'looking', answer: 'yes', evidence: 'looks and typed', input: AFTER },
  'typed-before': { about: 'looking', answer: 'yes', evidence: 'looks and typed before', input: BEFORE },
  'typed-long-ago': { about: 'looking', answer: 'yes', evidence: 'looks and typed long ago', input: LONG_AGO },
  elsewhere: { about: 'looking', answer: 'no', evidence: 'elsewhere' },
  unsure: { about: 'looking', answer: 'unknown', evidence: 'unsure' },
  'unsure-typed': { about: 'looking', answer: 'unknown', evidence: 'unsure', input: AFTER },
  desk: { about: 'idle', answer: 'no', evidence: 'input', input: AFTER },
  'desk-before': { about: 'idle', answer: 'no', evidence: 'input before', input: BEFORE },
  'desk-long-ago': { about: 'idle', answer: 'yes', evidence: 'no input', input: LONG_AGO },
  keys: { about: 'idle', answer: 'no', evidence: 'keys' },
  still: { about: 'idle', answer: 'yes', evidence: 'still' },
} as const satisfies Record<string, Finding>;
type Found = keyof typeof FINDINGS;

/** Age of the event, ms: of one on which nothing was decided since, and of those of a clock that was ahead. */
const AGES: Readonly<Record<string, number>> = { '': 10_000, old: 300_000, ahead: -60_000, 'far-ahead': -600_000 };

/** What is found, `late` when not all of it, and how old the event is; the decision on a finish by `away` and `idle`, then on a question. */
const SITUATIONS: readonly (readonly [found: string, decisions: string])[] = [
  ['', 'go go go go'],
  // Somebody is before it, or was: it waits for them to type, to leave or to be idle.
  ['looks', 'wait wait wait wait'],
  ['typed', 'seen seen wait wait'],
  ['typed-before', 'wait wait wait wait'],
  ['typed-long-ago', 'go go go go'],
  ['looks desk', 'seen seen wait wait'],
  ['looks desk-before', 'wait wait wait wait'],
  ['looks desk-long-ago', 'go go go go'],
  ['looks keys', 'wait wait wait wait'],
  ['looks still', 'go go go go'],
  ['typed desk', 'seen seen wait wait'],
  ['typed desk-before', 'wait wait wait wait'],
  ['typed desk-long-ago', 'go go go go'],
  ['typed keys', 'seen seen wait wait'],
  ['typed still', 'go go go go'],
  ['typed-before desk', 'seen seen wait wait'],
  ['typed-before desk-before', 'wait wait wait wait'],
  ['typed-before keys', 'wait wait wait wait'],
  ['typed-long-ago desk', 'seen seen wait wait'],
  ['typed-long-ago desk-before', 'wait wait wait wait'],
  ['typed-long-ago desk-long-ago', 'go go go go'],
  ['typed-long-ago keys', 'go wait go wait'],
  // Another window is in front.
  ['elsewhere', 'go go go go'],
  ['elsewhere desk', 'go wait go wait'],
  ['elsewhere desk-before', 'go wait go wait'],
  ['elsewhere desk-long-ago', 'go go go go'],
  ['elsewhere keys', 'go wait go wait'],
  ['elsewhere still', 'go go go go'],
  ['looks elsewhere', 'go go go go'],
  ['typed elsewhere', 'go go go go'],
  ['typed elsewhere desk', 'go wait go wait'],
  // Nothing says which window is in front, or only one way does.
  ['unsure', 'go go go go'],
  ['unsure-typed', 'go go go go'],
  ['unsure desk', 'go wait go wait'],
  ['unsure desk-long-ago', 'go go go go'],
  ['unsure keys', 'go wait go wait'],
  ['unsure still', 'go go go go'],
  ['unsure looks', 'wait wait wait wait'],
  ['unsure typed', 'seen seen wait wait'],
  ['unsure-typed looks', 'seen seen wait wait'],
  ['unsure-typed looks desk-long-ago', 'go go go go'],
  ['unsure looks desk', 'seen seen wait wait'],
  ['unsure looks still', 'go go go go'],
  ['desk', 'go wait go wait'],
  ['desk-before', 'go wait go wait'],
  ['desk-long-ago', 'go go go go'],
  ['keys', 'go wait go wait'],
  ['still', 'go go go go'],
  ['keys still', 'go wait go wait'],
  ['keys desk-long-ago', 'go wait go wait'],
  // Locked.
  ['locked', 'go go go go'],
  ['locked looks', 'go go go go'],
  ['locked typed desk', 'go go go go'],
  ['locked desk', 'go go go go'],
  // Something did not answer in time: it might have said that the screen is locked.
  ['late', 'go go go go'],
  ['late looks', 'go go go go'],
  ['late typed', 'go go go go'],
  ['late typed desk', 'go go go go'],
  ['late desk', 'go go go go'],
  ['late keys', 'go go go go'],
  ['late elsewhere desk', 'go go go go'],
  ['late locked', 'go go go go'],
  // A while later, and by a clock that was wrong.
  ['looks old', 'go go go go'],
  ['looks keys old', 'go wait go wait'],
  ['typed old', 'seen seen wait wait'],
  ['typed-before old', 'seen seen wait wait'],
  ['looks desk old', 'seen seen wait wait'],
  ['looks desk-long-ago old', 'go go go go'],
  ['typed ahead', 'wait wait wait wait'],
  ['looks far-ahead', 'go go go go'],
  ['typed far-ahead', 'go go go go'],
  ['looks desk far-ahead', 'go wait go wait'],
];

const isFound = (name: string): name is Found => name in FINDINGS;
const presenceOf = (names: readonly string[]) =>
  conclude(
    names.filter(isFound).map((name): Finding => FINDINGS[name]),
    { idleAfter: IDLE_AFTER, now: NOW, late: names.includes('late') ? 'late' : null },
  );

function deliveryOf(
  names: readonly string[],
  kind: Kind,
  only: 'away' | 'idle',
  urgency: Urgency = 'normal',
  count = 1,
) {
  const at = NOW - (AGES[names.find((name) => name in AGES) ?? ''] ?? 0);
  const content = { ...notificationOf({ event: eventOf({ kind, urgency, at }), urgency }), count };
  return { only, content, channel: 'desk', threadKey: '', unless: 'resolved', attempts: 0, createdAt: at } as Delivery;
}

const KINDS: readonly Kind[] = ['agent.finished', 'agent.waiting'];
const WHEN = ['away', 'idle'] as const;
const FACTS: GateFacts = {
  silences: [],
  quiet: { hours: [], urgent: 'pass' },
  profiles: new Map(),
  failing: new Set<string>(),
  home: '/',
};
const judge = (names: readonly string[], kind: Kind, only: 'away' | 'idle', count = 1): GateVerdict | Asks =>
  gate(gatedSend(deliveryOf(names, kind, only, 'normal', count)), { ...FACTS, presence: presenceOf(names) }, NOW);

test.each(SITUATIONS)('%s', (found, decisions) => {
  const names = found.split(' ');
  const verdicts = KINDS.flatMap((kind) => WHEN.map((only) => judge(names, kind, only)));
  expect(verdicts.map(({ verdict }) => verdict).join(' ')).toBe(decisions);
  // Whatever order they come in.
  expect(presenceOf([...names].reverse())).toMatchObject({ looking: presenceOf(names).looking });
  for (const kind of KINDS)
    for (const only of WHEN)
      expect(gate(gatedSend(deliveryOf(names, kind, only, 'urgent')), FACTS, NOW).verdict).toBe('go');
});

/** Every choice of these. */
const choices = <T>([first, ...rest]: readonly T[]): readonly (readonly T[])[] =>
  first === undefined ? [[]] : choices(rest).flatMap((some) => [some, [first, ...some]]);

test('of all that may be found together, nothing urgent, unknown, late or unseen is held back for good', () => {
  const all = choices(Object.keys(FINDINGS).filter(isFound));
  expect(all.length).toBe(8_192);
  for (const names of all)
    for (const more of [[], ['late'], ['old']]) {
      const found = [...names, ...more];
      const presence = presenceOf(found);
      for (const kind of KINDS)
        for (const only of WHEN) {
          const verdict = judge(found, kind, only);
          const { about } = { about: found.join(' ') };
          if (verdict.verdict === 'seen') {
            expect([about, presence.looking, kind]).toEqual([about, 'yes', 'agent.finished']);
            expect(presence.input, about).toBeGreaterThan(deliveryOf(found, kind, only).createdAt);
          }
          if (verdict.verdict === 'wait') {
            expect(more, about).not.toContain('late');
            expect(names, about).not.toContain('locked');
            expect(verdict.until - NOW, about).toBeLessThanOrEqual(30_000);
            expect([presence.looking === 'yes', presence.idle === 'no'], about).toContain(true);
            // Evidence that goes on: an input, or that it has only just happened.
            if (presence.input === null && presence.idle !== 'no') expect(more, about).not.toContain('old');
          }
        }
    }
});

test('one that waits is judged again sooner while it is new, and at the moment when its person counts as idle', () => {
  const delivery = deliveryOf([], 'agent.finished', 'away');
  const after = (age: number, presence: Partial<ReturnType<typeof presenceOf>>) => {
    const at = delivery.createdAt + age;
    const known = { ...FACTS, presence: { ...presenceOf(['looks']), ...presence } };
    const verdict = gate(gatedSend(delivery), known, at);
    return verdict.verdict === 'wait' ? verdict.until - at : verdict.verdict;
  };
  expect([0, 2_000, 10_000, 60_000, 175_000, 180_000].map((age) => after(age, {}))).toEqual([
    2_000,
    2_000,
    10_000,
    30_000,
    5_000,
    'go',
  ]);
  const input = delivery.createdAt - 100_000;
  expect([0, 60_000, 75_000].map((age) => after(age, { input }))).toEqual([2_000, 20_000, 5_000]);
});

test('of a message about several events looking at one session shows nothing of the others', () => {
  expect(judge(['typed', 'desk'], 'agent.finished', 'away', 2)).toMatchObject({ verdict: 'go' });
  expect(judge(['typed', 'desk'], 'agent.finished', 'idle', 2)).toMatchObject({ verdict: 'wait' });
});
