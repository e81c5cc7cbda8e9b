// Recorded sequences with inputs late, twice and out of order, and restarts between: the same seeds each time.
import { expect, test } from 'vitest';
import { seeded } from '../torture/size.ts';
import { breaches, changed } from '../support/sequence-changes.ts';
import { play } from '../support/sequence-player.ts';
import { recordedSequences } from '../support/sequence.ts';

const SEEDS = Number(process.env['BELFRY_SEQUENCE_SEEDS'] ?? 15);

test(`${SEEDS} changed sequences: no false finish, no death untold, nothing twice`, async () => {
  const sequences = recordedSequences().filter(({ limit }) => limit === undefined);
  const found: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = seeded(seed);
    const sequence = sequences[Math.floor(random() * sequences.length)];
    if (sequence === undefined) continue;
    const arrivals = await play(changed(sequence, random));
    found.push(...breaches(sequence, arrivals).map((breach) => `seed ${seed}, ${sequence.name}: ${breach}`));
  }
  expect(found).toEqual([]);
});
