// Sequences for a session's own client: whoever comes first waits for the other, for a while.
import { describe, expect, test } from 'vitest';
import { createClientTerminals } from '../../src/channels/terminal/client-terminals.ts';
import { virtualClock } from '../support/clock.ts';

const never = new AbortController().signal;

describe('an offer and a hook of the same session meet', () => {
  test.each([true, false])('the offer comes first: %s', async (offerFirst) => {
    const clock = virtualClock();
    const { offer, take } = createClientTerminals(clock);
    const offering = () => offer('here', 'bell', 1_000, never);
    const taking = () => take('here', 1_000, never);
    const first: Promise<unknown> = offerFirst ? offering() : taking();
    await clock.advance(999);
    const second = offerFirst ? taking() : offering();
    expect(await Promise.all([first, second])).toEqual(offerFirst ? [true, 'bell'] : ['bell', true]);
  });

  test('not those of two sessions, nor after the time is up', async () => {
    const clock = virtualClock();
    const { offer, take } = createClientTerminals(clock);
    const offered = offer('here', 'bell', 1_000, never);
    const taken = take('there', 1_000, never);
    await clock.advance(1_001);
    expect(await Promise.all([offered, taken])).toEqual([false, null]);
    const late = take('here', 1_000, never);
    await clock.advance(1_001);
    expect(await late).toBe(null);
  });
});

test('of two offers the later is taken, once', async () => {
  const clock = virtualClock();
  const { offer, take } = createClientTerminals(clock);
  const offers = [offer('here', 'first', 1_000, never), offer('here', 'second', 1_000, never)];
  expect(await take('here', 1_000, never)).toBe('second');
  expect(await Promise.all(offers)).toEqual([false, true]);
  const again = take('here', 1_000, never);
  await clock.advance(1_001);
  expect(await again).toBe(null);
});

test('whoever leaves is not waited for, and so are no more than a hundred', async () => {
  const clock = virtualClock();
  const { offer, take } = createClientTerminals(clock);
  const control = new AbortController();
  const leaving = take('here', 1_000, control.signal);
  control.abort();
  expect(await leaving).toBe(null);
  const offers = Array.from({ length: 101 }, (_one, index) =>
    offer(`session-${index}`, 'bell', 1_000, new AbortController().signal),
  );
  expect(await offers[100]).toBe(false);
  await clock.advance(1_001);
  expect(new Set(await Promise.all(offers))).toEqual(new Set([false]));
});
