// Sequences, changed in many ways: inputs late, twice and out of order, the daemon away for a while at any point.
import { expect, test } from 'vitest';
import { MADE_SEQUENCES } from '../support/made-sequences.ts';
import { breaches, changed } from '../support/sequence-changes.ts';
import { play } from '../support/sequence-player.ts';
import { recordedSequences } from '../support/sequence.ts';
import { figures, seeded, size } from './size.ts';

const SEEDS = size(1_000, 40);

test(`${SEEDS} changed sequences: no false finish, no death untold, nothing twice`, {
  timeout: 3_600_000,
}, async () => {
  const sequences = [...recordedSequences().filter(({ limit }) => limit === undefined), ...MADE_SEQUENCES];
  const found: string[] = [];
  let arrived = 0;
  for (let seed = 1_001; seed <= 1_000 + SEEDS; seed++) {
    const random = seeded(seed);
    const sequence = sequences[Math.floor(random() * sequences.length)];
    if (sequence === undefined) continue;
    const played = changed(sequence, random);
    const arrivals = await play(played);
    arrived += arrivals.length;
    found.push(
      ...breaches(sequence, played.steps, arrivals).map((breach) => `seed ${seed}, ${sequence.name}: ${breach}`),
    );
  }
  figures('sequences', { played: SEEDS, arrived, breaches: found.length });
  expect(found).toEqual([]);
});
