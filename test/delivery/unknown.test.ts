// A request that was written and whose answer was lost: repeated freely where the receiver drops repeats, else once at most.
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { slack } from '../../src/channels/slack.ts';
import { webhook } from '../../src/channels/webhook.ts';
import type { Outcome } from '../../src/model/delivery/delivery.ts';
import { deliver, messageOf } from '../contracts/channel.ts';
import { startReceiver } from '../support/receiver.ts';
import { fail, stage } from './worker-harness.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const lost: Outcome = { ok: false, reason: 'timeout', error: 'no answer', unknown: true };

test.each<[string, (nth: number) => Outcome, number, string]>([
  ['every answer lost', () => lost, 2, 'dead'],
  ['one lost, then accepted', (nth) => (nth === 1 ? lost : { ok: true }), 2, 'sent'],
  [
    'not reached, lost, not reached, accepted',
    (nth) => [fail('network'), lost, fail('network')][nth - 1] ?? { ok: true },
    4,
    'sent',
  ],
  ['lost, refused for now, lost', (nth) => [lost, fail('rate-limited', SECOND)][nth - 1] ?? lost, 3, 'dead'],
])('a receiver that cannot drop repeats: %s', async (_name, answer, times, state) => {
  const s = await stage({ idempotent: false });
  s.answer('team', (_p, nth) => answer(nth));
  await s.add('team', 'a');
  s.start();
  await s.clock.advance(3 * DAY);
  expect([s.seen['team']?.length, await s.states()]).toEqual([times, { a: state }]);
  if (state === 'dead') expect((await s.store.attempts('a')).at(-1)?.next).toMatch(/^dead: it may have arrived/);
});

test('one that drops repeats is tried as often as after any fault', async () => {
  const s = await stage({ idempotent: true });
  s.answer('team', (_p, nth) => (nth < 6 ? lost : { ok: true }));
  await s.add('team', 'a');
  s.start();
  await s.clock.advance(DAY);
  expect(await s.states()).toEqual({ a: 'sent' });
});

test('restarts in the middle of a send count: it is not sent once more at each start', async () => {
  const s = await stage({ idempotent: false });
  s.answer('team', () => new Promise(() => undefined));
  await s.add('team', 'a');
  for (let i = 0; i < 5; i++) {
    s.start();
    await s.clock.advance(MINUTE);
    await s.kill();
  }
  expect([s.seen['team']?.length, await s.states()]).toEqual([2, { a: 'dead' }]);
});

test('a dead letter whose fate is unknown goes out again when a person replays it', async () => {
  const s = await stage({ idempotent: false });
  s.answer('team', (_p, nth) => (nth < 3 ? lost : { ok: true }));
  await s.add('team', 'a');
  const deliveries = s.start();
  await s.clock.advance(HOUR);
  expect(await s.states()).toEqual({ a: 'dead' });
  await deliveries.replay(await s.store.deliveries({}));
  await s.clock.advance(0);
  expect(await s.states()).toEqual({ a: 'sent' });
});

test.each<[string, (response: ServerResponse) => void]>([
  ['breaks off', (response) => response.socket?.resetAndDestroy()],
  ['answers with what is not HTTP', (response) => void response.socket?.end('HTTP/9.9 fine\r\n\r\n')],
  [
    'breaks off within its answer',
    (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half', () => response.socket?.destroy());
    },
  ],
])('a receiver that took the request and %s: unknown', async (_how, answer) => {
  const receiver = await startReceiver();
  receiver.answer = () => (_request, response) => answer(response);
  for (const channel of [slack, webhook] as const) {
    const settings = { url: `${receiver.url}/x`, allow_private: true };
    const outcome = await deliver(channel as typeof webhook, settings, messageOf());
    expect(outcome).toMatchObject({ ok: false, unknown: true, error: expect.stringContaining('may have arrived') });
  }
});

test('a receiver that was never reached: not unknown', async () => {
  const receiver = await startReceiver({ owned: false });
  await receiver.close();
  const outcome = await deliver(slack, { url: `${receiver.url}/x`, allow_private: true }, messageOf());
  expect(outcome).toMatchObject({ ok: false, reason: 'network' });
  expect(outcome).not.toHaveProperty('unknown');
});
