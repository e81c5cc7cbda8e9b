// What every detector has to do, whatever it asks: a program that is missing, fails, hangs or prints anything else never makes a person present.
import { expect, test } from 'vitest';
import type { Detector, Subject } from '../../src/presence/shared/detector.ts';

const OUTPUTS: readonly (string | null)[] = [
  null,
  '',
  '\n',
  '{}',
  '[]',
  'null',
  '0',
  '-1',
  'b false',
  'x'.repeat(1_000),
];

/** `subject`: one that it applies to. */
export function testDetector(detector: Detector, subject: Subject): void {
  test(`${detector.name} applies there`, () => {
    expect(detector.applies(subject)).toBe(true);
  });

  test.each(OUTPUTS)(`${detector.name} concludes nothing from %j`, async (output) => {
    const found = await detector.detect(subject, async () => output);
    expect(found.filter(({ about, answer }) => about === 'looking' && answer === 'yes')).toEqual([]);
    for (const { about, evidence } of found) {
      expect(detector.about).toContain(about);
      expect(evidence).toMatch(/^\S.*[^.\s]$/);
    }
  });
}
