// What real clients sent, in virtual time: exactly what a person who walked away has to know, and when.
import { expect, test } from 'vitest';
import { play } from '../support/sequence-player.ts';
import { differences, recordedSequences } from '../support/sequence.ts';

test.each(recordedSequences())('$name', async (sequence) => {
  const { limit } = sequence;
  const wanted = limit === undefined ? sequence : { ...sequence, expected: limit.arrives };
  expect(differences(wanted, await play(wanted))).toEqual([]);
});
