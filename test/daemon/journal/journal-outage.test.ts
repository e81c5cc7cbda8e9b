// The count of what the journal rejected: since when, how many, reported when.
import { expect, test } from 'vitest';
import { journalFailing } from '../../../src/daemon/journal/reported-outages.ts';
import { createOutageTracker, type Outage } from '../../../src/daemon/journal/journal-outage.ts';
import type { JournalEntry } from '../../../src/store/contract.ts';

const FULL = 'database or disk is full';
const MINUTE = 60_000;

/** `at` minutes: an append of this id, and what comes of it. */
type Step = readonly [at: number, id: string, outcome: 'new' | 'known' | 'refused'];

async function play(steps: readonly Step[]): Promise<{ outage: Outage | null; notified: number[]; over: number }> {
  let now = 0;
  let outcome: Step[2] = 'new';
  const notified: number[] = [];
  let over = 0;
  const refusals = createOutageTracker({
    now: () => now,
    onOutage: (_outage, began) => void notified.push(began / MINUTE),
    onRecovery: () => void over++,
  });
  const append = refusals.instrument(async () => {
    if (outcome === 'refused') throw new Error(FULL);
    return outcome;
  });
  for (const [at, id, next] of steps) {
    now = at * MINUTE;
    outcome = next;
    const entry: JournalEntry = {
      id,
      source: 'socket',
      startedAt: now,
      receivedAt: now,
      header: '{}',
      raw: null,
      orderingKey: null,
    };
    if (next === 'refused') await expect(append(entry)).rejects.toThrow(FULL);
    else expect(await append(entry)).toBe(next);
  }
  return { outage: refusals.outage(), notified, over };
}

const outage = (since: number, until: number | null, last: number, refused: number, recovered = 0): Outage => ({
  since: since * MINUTE,
  until: until === null ? null : until * MINUTE,
  last: last * MINUTE,
  refused,
  recovered,
  error: FULL,
});

test.each<[name: string, steps: readonly Step[], outage: Outage | null, notified: number[], over: number]>([
  ['nothing refused', [[1, 'a', 'new']], null, [], 0],
  [
    'it goes on',
    [
      [1, 'a', 'refused'],
      [2, 'b', 'refused'],
    ],
    outage(1, null, 2, 2),
    [1],
    0,
  ],
  [
    'offered again counts once',
    [
      [1, 'a', 'refused'],
      [2, 'a', 'refused'],
    ],
    outage(1, null, 2, 1),
    [1],
    0,
  ],
  [
    'one that is kept ends it',
    [
      [1, 'a', 'refused'],
      [3, 'b', 'new'],
      [4, 'c', 'new'],
    ],
    outage(1, 3, 1, 1),
    [1],
    1,
  ],
  [
    'a known one proves nothing',
    [
      [1, 'a', 'refused'],
      [3, 'b', 'known'],
    ],
    outage(1, null, 1, 1),
    [1],
    0,
  ],
  [
    'one comes later',
    [
      [1, 'a', 'refused'],
      [2, 'b', 'refused'],
      [3, 'a', 'new'],
    ],
    outage(1, 3, 2, 2, 1),
    [1],
    1,
  ],
  [
    'the other comes after the end',
    [
      [1, 'a', 'refused'],
      [2, 'b', 'refused'],
      [3, 'a', 'new'],
      [20, 'b', 'new'],
    ],
    outage(1, 3, 2, 2, 2),
    [1],
    1,
  ],
  [
    'back within ten minutes is the same, notified no second time',
    [
      [1, 'a', 'refused'],
      [2, 'b', 'new'],
      [3, 'c', 'refused'],
      [4, 'd', 'new'],
    ],
    outage(1, 4, 3, 2),
    [1],
    2,
  ],
  [
    'back and lasting is notified when the ten minutes are over',
    [
      [1, 'a', 'refused'],
      [2, 'b', 'new'],
      [3, 'c', 'refused'],
      [11, 'd', 'refused'],
      [30, 'e', 'refused'],
    ],
    outage(1, null, 30, 4),
    [1, 3],
    1,
  ],
  [
    'much later is another',
    [
      [1, 'a', 'refused'],
      [2, 'b', 'new'],
      [12, 'c', 'refused'],
      [13, 'a', 'new'],
    ],
    outage(12, 13, 12, 1),
    [1, 12],
    2,
  ],
  [
    'a clock set back by a day',
    [
      [2_000, 'a', 'refused'],
      [2_001, 'b', 'new'],
      [1, 'c', 'refused'],
    ],
    outage(1, null, 1, 1),
    [2_000, 1],
    1,
  ],
])('%s', async (_name, steps, expected, notified, over) => {
  expect(await play(steps)).toEqual({ outage: expected, notified, over });
});

test.each<[error: string, title: string, body: RegExp]>([
  [FULL, 'belfry: the disk is full', /^Free some space on the disk of \/state\./],
  ['ENOSPC: no space left on device, write', 'belfry: the disk is full', /ENOSPC/],
  ['attempt to write a readonly database', 'belfry: cannot write the event journal', /^Make \/state writable\./],
  ['disk I/O error', 'belfry: cannot write the event journal', /disk I\/O error/],
])('the notice of "%s"', (error, title, body) => {
  const event = journalFailing({ ...outage(1, null, 1, 1), error }, MINUTE, '/state');
  expect(event).toMatchObject({
    id: `journal-failing-${MINUTE}`,
    kind: 'journal.failing',
    urgency: 'urgent',
    abnormal: true,
    presetText: { title, body: expect.stringMatching(body) },
  });
});
