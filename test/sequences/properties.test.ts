// Sequences with inputs late, twice and out of order, and the daemon away for a while: the same seeds each time.
import { expect, test } from 'vitest';
import { seeded } from '../torture/size.ts';
import { MADE_ENDINGS } from '../support/made-endings.ts';
import { MADE_SEQUENCES } from '../support/made-sequences.ts';
import { breaches, changed } from '../support/sequence-changes.ts';
import { play } from '../support/sequence-player.ts';
import { recordedSequences, type Step, whatOf } from '../support/sequence.ts';

/** What the daemon sees while a hook runs nothing tells where it was away. */
const isSeen = (step: Step): boolean => 'input' in step && step.from !== undefined;

const SEEDS = Number(process.env['BELFRY_SEQUENCE_SEEDS'] ?? 15);

test(`${SEEDS} changed sequences: no false finish, no death untold, nothing twice`, async () => {
  const sequences = [
    ...recordedSequences().filter(({ limit }) => limit === undefined),
    ...MADE_SEQUENCES,
    ...MADE_ENDINGS.filter(({ steps }) => !steps.some(isSeen)),
  ];
  const found: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = seeded(seed);
    const sequence = sequences[Math.floor(random() * sequences.length)];
    if (sequence === undefined) continue;
    const played = changed(sequence, random);
    const arrivals = await play(played);
    found.push(
      ...breaches(sequence, played.steps, arrivals).map((breach) => `seed ${seed}, ${sequence.name}: ${breach}`),
    );
  }
  expect(found).toEqual([]);
});

test('a client killed while it asks reports a finish besides its end, which may come first: the end is told all the same', async () => {
  const sequence = recordedSequences().find(({ name }) => name.includes('droid-kill9-perm'));
  if (sequence === undefined) throw new Error('the sequence is gone');
  // Orders in which the finish overtakes the end.
  for (const seed of [1, 6, 21, 28, 58]) {
    const arrivals = await play(changed(sequence, seeded(seed)));
    const after = arrivals.map(whatOf).slice(1);
    expect.soft(after, `seed ${seed}`).toEqual(['finished', 'abnormal']);
  }
});
