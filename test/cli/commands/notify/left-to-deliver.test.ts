// What `belfry flush` waits for: every delivery that is to go out now, behind however many that are not.
import { expect, test } from 'vitest';
import { leftWords, readLeft } from '../../../../src/cli/commands/notify/left-to-deliver.ts';
import type { Delivery } from '../../../../src/model/delivery/delivery.ts';
import { openStore } from '../../../../src/store/open.ts';
import { pathsBelow, temporaryFolder } from '../../../support/home.ts';
import { madeDecision, madeDelivery, madeEntry, NOON } from '../../../support/made.ts';
import { commitOne } from '../../../support/store-writes.ts';

const NOTHING = { events: 0, waiting: {}, failed: {}, held: 0 };
/** More than are looked at. */
const MANY = 1_001;
const manyOf = (more: Partial<Delivery>): Partial<Delivery>[] => Array.from({ length: MANY }, () => more);

test.each<[string, readonly Partial<Delivery>[], object]>([
  ['nothing', [], {}],
  [
    'what is due, delayed, being sent or about to be one group',
    [{}, { scheduled: true }, { state: 'leased' }, { heldBy: 'group:x' }, { heldBy: 'storm:x' }],
    { waiting: { team: 5 } },
  ],
  ['what is held', [{ heldBy: 'quiet' }, { heldBy: 'mute:1' }], { held: 2 }],
  [
    'one behind many that are held',
    [...manyOf({ heldBy: 'quiet' }), { channel: 'desk' }],
    { waiting: { desk: 1 }, held: 1_000 },
  ],
  ['one behind many steps', [...manyOf({ step: 1, scheduled: true }), { channel: 'desk' }], { waiting: { desk: 1 } }],
  ['a step that is due', [{ step: 1 }, { step: 1, scheduled: true }], { waiting: { team: 1 } }],
  [
    'what was given up before, and what is now',
    [{ state: 'dead', updatedAt: NOON - 1 }, { state: 'dead' }],
    { failed: { team: 1 } },
  ],
  [
    'one paused before many that were given up',
    [{ state: 'paused' }, ...manyOf({ state: 'dead', updatedAt: NOON - 1 })],
    { failed: { team: 1 } },
  ],
  [
    'one given up now before many that came later and were given up before',
    [{ state: 'dead' }, ...manyOf({ state: 'dead', updatedAt: NOON - 1 })],
    { failed: { team: 1 } },
  ],
  [
    'a change of a message',
    [{ operation: 'update' }, { operation: 'retract', state: 'dead' }, { operation: 'update', state: 'paused' }],
    {},
  ],
])('%s', async (_what, deliveries, expected) => {
  const store = await openStore(pathsBelow(temporaryFolder()).database);
  try {
    const rows = deliveries.map((more, i) => {
      const own = { id: `dlv_${i}`, notificationId: `ntf_${i}`, threadKey: `thread-${i}` };
      const shown = madeDelivery({ ...own, id: `shown_${i}`, state: 'sent' });
      const row = madeDelivery({ ...own, ...more });
      return row.operation === 'send' ? [row] : [shown, row]; // only what is shown can be changed
    });
    await commitOne(store, madeDecision({ deliveries: rows.flat() }));
    expect(await readLeft(store, 0, NOON)).toEqual({ ...NOTHING, ...expected });
  } finally {
    await store.close();
  }
});

test('events count until they are decided: in the spool, in the journal', async () => {
  const store = await openStore(pathsBelow(temporaryFolder()).database);
  await store.append(madeEntry({ id: 'new' }));
  expect(await readLeft(store, 2, NOON)).toEqual({ ...NOTHING, events: 3 });
  await store.close();
});

test.each([
  [{ events: 1 }, 'not delivered within 60 s: 1 event to be processed'],
  [{ events: 2, waiting: { team: 1 } }, 'not delivered within 60 s: 2 events to be processed, 1 for team'],
  [{ failed: { team: 3 } }, 'failed: 3 for team'],
])('%j: %s', (left, words) => {
  expect(leftWords({ ...NOTHING, ...left }, 60_000)).toBe(words);
});
