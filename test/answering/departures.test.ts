// A client ends its waiting hook and reports its tool at the same moment: whichever comes first, the reason is the same.
import { expect, test } from 'vitest';
import { createDepartures } from '../../src/answering/sources/hook/departures.ts';
import type { Wait } from '../../src/answering/questions/wait.ts';
import { virtualClock } from '../support/clock.ts';

const wait = { id: 'q1' } as Wait; // only its identity counts here
const KNOWN = 'answered at the terminal';

function world() {
  const clock = virtualClock();
  const settled: [string, string][] = [];
  return { clock, settled, departures: createDepartures(clock, ({ id }, why) => void settled.push([id, why])) };
}

test.each([
  ['an input that comes within the time says why', 200, [KNOWN]],
  ['one that comes later does not', 400, ['the agent no longer waits']],
])('%s', async (_name, after, wanted) => {
  const { clock, settled, departures } = world();
  departures.add(wait);
  departures.name(() => null); // an input of another session
  await clock.advance(after);
  departures.name(() => KNOWN);
  await clock.advance(1_000);
  expect(settled).toEqual(wanted.map((why) => ['q1', why]));
});

test('at a stop nothing stays open', () => {
  const { settled, departures } = world();
  departures.add(wait);
  departures.settle();
  departures.settle();
  expect(settled).toEqual([['q1', 'the agent no longer waits']]);
});
