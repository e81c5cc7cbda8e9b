// What real clients sent, on a machine elsewhere: the same notifications as at home, and hardly later.
import { expect, test } from 'vitest';
import { play } from '../support/sequence-player.ts';
import { differences, recordedSequences, type Sequence, whatOf } from '../support/sequence.ts';

/** Seconds by which a notification may be later: a look at the size of a transcript there is that old at most, and one more until the next. */
const LATER = 6;
/** What only a file outside the home folder there says, and so nobody here: the end is reported all the same, without its cause. */
const UNSEEN: Readonly<Record<string, string>> = { 'gemini-headless-auth': 'abnormal' };

const elsewhere = ({ name, expected, limit, ...sequence }: ReturnType<typeof recordedSequences>[number]): Sequence => ({
  ...sequence,
  name,
  expected: (limit === undefined ? expected : limit.arrives).map((one) => ({
    ...one,
    what: UNSEEN[name] ?? one.what,
    to: one.to + LATER,
  })),
});

test.each(recordedSequences())('$name', async (sequence) => {
  const arrivals = await play(sequence, 'box');
  expect(differences(elsewhere(sequence), arrivals)).toEqual([]);
  for (const arrival of arrivals)
    expect([whatOf(arrival), arrival.title]).toEqual([expect.any(String), expect.stringContaining(' on box')]);
});
