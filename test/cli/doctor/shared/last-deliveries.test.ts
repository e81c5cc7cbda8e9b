// What the last deliveries of a channel say of it: a delivery that ends late, or is tried again, counts as what it is.
import { expect, test } from 'vitest';
import { channelRecords } from '../../../../src/cli/doctor/shared/last-deliveries.ts';
import { openStore } from '../../../../src/store/open.ts';
import { pathsBelow, temporaryFolder } from '../../../support/home.ts';
import { madeDecision, madeDelivery, NOON } from '../../../support/made.ts';
import { commitOne, settleOne } from '../../../support/store-writes.ts';

type State = 'sent' | 'dead' | 'pending';

/** In the order in which they were planned: how each stands, and when its last attempt was, seconds after noon. */
test.each<[string, readonly (readonly [State, number])[], unknown]>([
  [
    'the last one arrived',
    [
      ['dead', 1],
      ['sent', 2],
    ],
    null,
  ],
  [
    'all were given up',
    [
      ['dead', 1],
      ['dead', 2],
    ],
    { givenUp: 2, all: true },
  ],
  [
    'one was given up, the next is tried again',
    [
      ['dead', 1],
      ['pending', 5],
    ],
    { givenUp: 0, all: false },
  ],
  [
    'one is tried again, the next was given up',
    [
      ['pending', 1],
      ['dead', 5],
    ],
    { givenUp: 1, all: true },
  ],
  [
    'the first was given up after the next arrived',
    [
      ['dead', 5],
      ['sent', 2],
    ],
    { givenUp: 1, all: false },
  ],
  [
    'the first arrived after the next was given up',
    [
      ['sent', 5],
      ['dead', 2],
    ],
    null,
  ],
])('%s', async (_what, planned, expected) => {
  const paths = pathsBelow(temporaryFolder());
  const store = await openStore(paths.database);
  const deliveries = planned.map((_row, i) => madeDelivery({ id: `dlv_${i}`, threadKey: `thread-${i}` }));
  await commitOne(store, madeDecision({ deliveries }));
  const claimed = await store.claim('team', { now: NOON, leaseMs: 60_000, limit: planned.length });
  for (const [i, [state, seconds]] of planned.entries()) {
    const leased = claimed.find(({ id }) => id === `dlv_${i}`);
    if (!leased) throw new Error(`dlv_${i} was not claimed`);
    const ok = state === 'sent';
    const error = ok ? null : 'answered 400';
    const attempt = {
      deliveryId: leased.id,
      number: 1,
      at: NOON + seconds * 1_000,
      ms: 1,
      ok,
      error,
      next: state,
      reason: ok ? null : ('client' as const),
      answer: null,
      status: null,
    };
    const counters = { failures: ok ? 0 : 1, deferrals: 0, unknowns: 0 };
    const after = { state, due: NOON + 3_600_000, lastReason: attempt.reason, lastError: error, counters };
    expect(await settleOne(store, leased.id, leased.token, { attempt, ...after })).toBe(true);
  }
  await store.close();
  const { missed } = (await channelRecords(paths, ['team'])).get('team') ?? {};
  if (expected === null) return expect(missed).toBeNull();
  const at = NOON + Math.max(...planned.map(([, seconds]) => seconds)) * 1_000;
  expect(missed).toEqual({ error: 'answered 400', at, ...Object(expected) });
});
