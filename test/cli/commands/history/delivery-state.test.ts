// How a delivery stands that was not sent, in words.
import { expect, test } from 'vitest';
import { stateWords } from '../../../../src/cli/commands/history/delivery-state.ts';
import { NOON } from '../../../support/made.ts';

test.each([
  ['quiet', 'held by quiet hours'],
  ['mute:m1', 'held by a mute'],
  ['outage:phone', 'held by an outage of the channel'],
  ['group:x', 'waits for its group'],
  ['storm:x', 'waits for more of its session'],
])('%s: %s', (heldBy, words) => {
  expect(stateWords({ state: 'pending', attempts: 0, due: NOON, heldBy }, NOON)).toBe(words);
});
