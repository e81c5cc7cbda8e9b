// Who looks where: what the findings say together, and what becomes of a notification. None swallows an urgent or an unknown one.
import { expect, test } from 'vitest';
import { dependsOnPresence, judgePresence } from '../../src/delivery/judge-presence.ts';
import type { Kind, Urgency } from '../../src/model/event.ts';
import { conclude } from '../../src/presence/conclude.ts';
import type { Finding } from '../../src/presence/detector.ts';
import { eventOf, notificationOf } from '../contracts/channel.ts';

const FINDINGS: Readonly<Record<string, Finding>> = {
  locked: { about: 'locked', answer: 'yes', evidence: 'locked' },
  looks: { about: 'looking', answer: 'yes', evidence: 'looks' },
  elsewhere: { about: 'looking', answer: 'no', evidence: 'elsewhere' },
  unsure: { about: 'looking', answer: 'unknown', evidence: 'unsure' },
  typing: { about: 'idle', answer: 'no', evidence: 'typing' },
  idle: { about: 'idle', answer: 'yes', evidence: 'idle' },
};

/** What was found, with the decision on a finish and on a question, by a route's `away` and `idle`; and the evidence. */
const SITUATIONS: readonly (readonly [found: string, away: string, idle: string, evidence: string])[] = [
  ['', 'send send', 'send send', 'nothing shows that you are there'],
  ['looks', 'seen wait', 'seen wait', 'looks'],
  ['elsewhere', 'send send', 'send send', 'elsewhere'],
  ['unsure', 'send send', 'send send', 'unsure'],
  ['typing', 'send send', 'wait wait', 'typing'],
  ['idle', 'send send', 'send send', 'idle'],
  ['looks typing', 'seen wait', 'seen wait', 'looks; typing'],
  ['looks idle', 'send send', 'send send', 'looks, but idle'],
  ['elsewhere typing', 'send send', 'wait wait', 'elsewhere; typing'],
  ['elsewhere idle', 'send send', 'send send', 'elsewhere; idle'],
  ['unsure typing', 'send send', 'wait wait', 'unsure; typing'],
  ['unsure looks', 'seen wait', 'seen wait', 'looks'],
  ['looks elsewhere', 'send send', 'send send', 'elsewhere'],
  ['looks elsewhere typing', 'send send', 'wait wait', 'elsewhere; typing'],
  ['looks typing idle', 'seen wait', 'seen wait', 'looks; typing'],
  ['locked', 'send send', 'send send', 'locked'],
  ['locked looks typing', 'send send', 'send send', 'locked'],
];
const KINDS: readonly Kind[] = ['agent.finished', 'agent.waiting'];

const findings = (names: string): Finding[] =>
  names.split(' ').flatMap((name) => (FINDINGS[name] ? [FINDINGS[name]] : []));

function decision(found: string, only: 'away' | 'idle', kind: Kind, urgency: Urgency): string {
  const content = notificationOf({ event: eventOf({ kind, urgency }), urgency });
  const delivery = { only, content, operation: 'send', attempts: 0 } as const;
  if (!dependsOnPresence(delivery as Parameters<typeof dependsOnPresence>[0])) return 'send';
  return judgePresence({ only, content }, conclude(findings(found))).verdict;
}

test.each(SITUATIONS)('%s', (found, away, idle, evidence) => {
  const of = (only: 'away' | 'idle'): string => KINDS.map((kind) => decision(found, only, kind, 'normal')).join(' ');
  expect([of('away'), of('idle'), conclude(findings(found)).evidence]).toEqual([away, idle, evidence]);
  // Whatever order they come in.
  expect(conclude(findings(found).reverse())).toMatchObject({ looking: conclude(findings(found)).looking });
});

test.each(SITUATIONS)('urgent: %s', (found) => {
  for (const only of ['away', 'idle'] as const)
    expect(KINDS.map((kind) => decision(found, only, kind, 'urgent'))).toEqual(['send', 'send']);
});
