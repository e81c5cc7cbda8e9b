// How a group ends: as the last of its events did.
import { expect, test } from 'vitest';
import { endOf } from '../../../src/decisions/batch/open-batches.ts';
import type { Notification } from '../../../src/model/notification/notification.ts';
import { madeNotification, NOON } from '../../support/made.ts';

const seen = (at: number): Partial<Notification> => ({
  state: 'acknowledged',
  acknowledged: { at, by: 'Ada', via: 'desk' },
});
const over = (at: number): Partial<Notification> => ({ state: 'resolved', resolved: { at, why: 'you went on' } });

test.each([
  ['somebody saw the last one', [over(NOON + 1), seen(NOON + 2)], { at: NOON + 2, acknowledged: { by: 'Ada' } }],
  [
    'somebody saw one before',
    [seen(NOON + 1), over(NOON + 2)],
    { at: NOON + 2, why: 'all 2 are over', acknowledged: null },
  ],
  [
    'one was seen, and over later, before the last one',
    [{ ...seen(NOON + 1), ...over(NOON + 2) }, over(NOON + 3)],
    { at: NOON + 3, why: 'all 2 are over', acknowledged: null },
  ],
  [
    'the last one was seen, and over later',
    [over(NOON + 1), { ...over(NOON + 9), ...seen(NOON + 2) }],
    { at: NOON + 2, acknowledged: { by: 'Ada' } },
  ],
  ['one alone', [over(NOON + 1)], { at: NOON + 1, why: 'you went on', acknowledged: null }],
] as const)('%s', (_what, ends, expected) => {
  const own = ends.map((end) => madeNotification(end));
  expect(endOf({ own, members: own }, NOON + 100)).toMatchObject(expected);
});
