// Random days of outages and storms, which are rare in the others: channels that fail for long, many events at a time, mutes and quiet hours meanwhile.
import fc from 'fast-check';
import { type Action, type Day, does, of, settings, within } from './day.ts';

const action: fc.Arbitrary<Action> = fc.oneof(
  of('ask', 8),
  of('used', 5),
  of('finish', 6),
  of('prompt', 4),
  of('notice', 4),
  of('fail', 2),
  of('storm', 9),
  does(8, ['down', 'desk'], ['down', 'phone']),
  does(5, ['up', 'desk'], ['up', 'phone']),
  does(4, ['ack', 'latest'], ['pressed', 'ack'], ['pressed', 'allow']),
  does(4, ['mute', '600'], ['mute', '7200'], ['mute', 'desk'], ['unmute'], ['digest']),
  does(3, ['restart'], ['reload'], ['test'], ['send', 'urgent'], ['send', 'normal']),
);

const after = fc.oneof(within(4, 0, 2_000), within(4, 5_000, 120_000), within(4, 120_000, 1_800_000));

const anyDay: fc.Arbitrary<Day> = fc.record({
  settings,
  later: settings,
  start: fc.constantFrom(Date.UTC(2026, 5, 1, 12), Date.UTC(2026, 5, 5, 21, 30)),
  moments: fc.array(fc.record({ after, action }), { minLength: 10, maxLength: 30 }),
});

/** Day `number`, from 0: always the same one. */
export const outageDayOf = (number: number): Day => fc.sample(anyDay, { numRuns: 1, seed: 70_000 + number })[0] as Day;
