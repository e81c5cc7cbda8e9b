// Sequences made by hand, in virtual time: what clients do that was not recorded, and what becomes of it.
import { expect, test } from 'vitest';
import { MADE_ENDINGS } from '../support/made-endings.ts';
import { MADE_SEQUENCES } from '../support/made-sequences.ts';
import { play } from '../support/sequence-player.ts';
import { differences } from '../support/sequence.ts';

test.each([...MADE_SEQUENCES, ...MADE_ENDINGS])('$name', async (sequence) => {
  expect(differences(sequence, await play(sequence))).toEqual([]);
});
