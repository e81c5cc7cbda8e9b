// What real clients sent, in virtual time: exactly what a person who walked away has to know, and when.
import { expect, test } from 'vitest';
import { play } from '../support/sequence-player.ts';
import { delays, differences, recordedSequences } from '../support/sequence.ts';

test.each(recordedSequences())('$name', async (sequence) => {
  const { limit } = sequence;
  const wanted = limit === undefined ? sequence : { ...sequence, expected: limit.arrives };
  const arrivals = await play(wanted);
  expect([...differences(wanted, arrivals), ...delays(wanted, arrivals)]).toEqual([]);
});
