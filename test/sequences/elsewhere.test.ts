// What real clients sent, on a machine elsewhere: the same notifications as at home, and hardly later.
import { expect, test } from 'vitest';
import { play } from '../support/sequence-player.ts';
import { type Arrival, recordedSequences, whatOf } from '../support/sequence.ts';

/** Seconds that a look at a transcript there may be old. */
const LATER = 5;

/** What only a file outside the home folder there says, and so nobody here: the end is told all the same, without its cause. */
const UNSEEN: Readonly<Record<string, readonly string[]>> = { 'gemini-headless-auth': ['people abnormal urgent'] };

const said = (arrivals: readonly Arrival[]): readonly string[] =>
  arrivals.map((arrival) => `${arrival.channel} ${whatOf(arrival)} ${arrival.urgency}`);

test.each(recordedSequences())('$name', async (sequence) => {
  const home = await play(sequence);
  const elsewhere = await play(sequence, 'box');
  expect(said(elsewhere)).toEqual(UNSEEN[sequence.name] ?? said(home));
  for (const [i, { at, title }] of elsewhere.entries()) {
    expect([title, at - (home[i]?.at ?? 0)]).toEqual([expect.stringContaining(' on box'), expect.any(Number)]);
    expect(at - (home[i]?.at ?? 0)).toBeLessThanOrEqual(LATER + 1);
  }
});
