// How long at least one of several spans went on, against a count of every millisecond.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coveredMs, type Span } from '../../../src/model/time/covered-time.ts';

const span = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }));

test('what overlaps counts once, and what lies outside does not', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 8 }), span, (spans: readonly Span[], [from, to]) => {
      let counted = 0;
      for (let ms = from; ms < to; ms++) if (spans.some(([start, end]) => start <= ms && ms < end)) counted += 1;
      expect(coveredMs(spans, from, to)).toBe(counted);
    }),
  );
});
