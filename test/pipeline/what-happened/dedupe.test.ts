// What is a repeat and what is not; the same occurrence is sent once whatever order it is reported in.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ParsedHook } from '../../../src/model/agent/agent.ts';
import type { Incoming } from '../../../src/model/event/incoming.ts';
import { channelsOf, ASKS, madeHook, madeOwn, player } from '../../support/decide.ts';

const notified = (inputs: readonly Incoming[]): number => {
  const { play } = player();
  return inputs.filter((incoming) => channelsOf(play(incoming)).length > 0).length;
};
const finish = (at: number, more: Partial<ParsedHook> = {}, agent = 'generic') => madeHook(at, more, { agent });

describe('dedupe', () => {
  test.each<[name: string, notified: number, inputs: readonly Incoming[]]>([
    ['five identical at once', 1, [0, 1, 3, 9, 40].map((at) => finish(at))],
    ['identical 1.5 s apart', 1, [finish(0), finish(1_500)]],
    ['identical 1.6 s apart', 2, [finish(0), finish(1_600)]],
    ['three prompts two seconds apart', 3, [0, 2_000, 4_000].map((at) => madeHook(at, ASKS))],
    [
      'a row of identical ones a second apart: measured from the one notified',
      3,
      [0, 1_000, 2_000, 3_000, 4_000].map((at) => madeHook(at, ASKS)),
    ],
    ['twenty sessions at once', 20, Array.from({ length: 20 }, (_, i) => finish(i, { sessionId: `s${i}` }))],
    ['another text', 2, [finish(0, { lastAssistantMessage: 'a' }), finish(5, { lastAssistantMessage: 'b' })]],
    [
      'the same occurrence an hour apart',
      1,
      [finish(0, { occurrence: 'm1' }), finish(3_600_000, { occurrence: 'm1' })],
    ],
    ['two occurrences, all else equal', 2, [finish(0, { occurrence: 'm1' }), finish(9, { occurrence: 'm2' })]],
    [
      'one occurrence id under two event names',
      2,
      [finish(0, { occurrence: 'm' }), madeHook(9, { ...ASKS, occurrence: 'm' })],
    ],
    ["one event from two clients' settings", 1, [finish(0, {}, 'cursor'), finish(20, {}, 'generic')]],
    [
      'one event in two forms of two clients',
      1,
      [finish(0, { hookEvent: 'agentStop', lastAssistantMessage: 'x' }, 'copilot'), finish(20, {}, 'generic')],
    ],
    ['two clients a minute apart', 2, [finish(0, {}, 'copilot'), finish(60_000, {}, 'generic')]],
    ['no session, identical', 1, [finish(0, { sessionId: null }), finish(9, { sessionId: null })]],
    ['own events without an occurrence', 2, [madeOwn(0, { kind: 'test' }), madeOwn(0, { kind: 'test' })]],
    [
      'own events of one occurrence',
      1,
      [madeOwn(0, { kind: 'usage.daily' }, 'day'), madeOwn(9e6, { kind: 'usage.daily' }, 'day')],
    ],
    ['a clock set back between two reports', 1, [finish(1_000), finish(400)]],
  ])('%s: %i notified', (_name, expected, inputs) => {
    expect(notified(inputs)).toBe(expected);
  });

  test('the entry decided again after a crash is no repeat of itself', () => {
    const { play } = player();
    const incoming = finish(0);
    play(incoming);
    expect(channelsOf(play(incoming))).toEqual(['team']);
  });

  test('any number of reports of any occurrences, in any order: each occurrence once', () => {
    const report = fc.record({
      occurrence: fc.integer({ min: 0, max: 8 }),
      at: fc.integer({ min: 0, max: 100_000_000 }),
    });
    fc.assert(
      fc.property(fc.array(report, { maxLength: 40 }), (reports) => {
        const inputs = reports.map(({ occurrence, at }) => finish(at, { ...ASKS, occurrence: `o${occurrence}` }));
        expect(notified(inputs)).toBe(new Set(reports.map((r) => r.occurrence)).size);
      }),
    );
  });

  test('without an id: bursts of repeats further apart than the window are one each', () => {
    const burst = fc.array(fc.integer({ min: 0, max: 1_500 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(burst, { maxLength: 8 }), (bursts) => {
        const inputs = bursts.flatMap((times, i) => {
          const sorted = [...times].sort((a, b) => a - b);
          const first = sorted[0] ?? 0;
          return sorted.map((at) => madeHook(i * 10_000 + at - first, ASKS));
        });
        expect(notified(inputs)).toBe(bursts.length);
      }),
    );
  });
});
