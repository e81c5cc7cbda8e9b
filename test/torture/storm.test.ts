// A storm of 429 in both forms of Retry-After: nothing lost, and not one request inside the time asked for.
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';
import { kept, sendAll, settleIn } from './senders.ts';
import { figures, size } from './size.ts';

const SESSIONS = Array.from({ length: 8 }, (_, i) => `stormy-${i}`);
const EACH = size(40, 5);
const REFUSALS = size(60, 13);
/** What the webhook sends at once: all of these are on their way before the first answer. */
const AT_ONCE = 8;

test(`${REFUSALS} refusals over ${EACH * SESSIONS.length} events`, async () => {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  settleIn(home, `${receiver.url}/audit`);
  let refusals = 0;
  let quietUntil = 0;
  let inside = 0;
  let holding: ServerResponse[] = [];
  let first = true;
  const refuse = (response: ServerResponse): void => {
    refusals++;
    const seconds = 1 + (refusals % 2);
    const at = Date.now();
    // An HTTP date has whole seconds only.
    const date = Math.ceil(at / 1_000 + seconds) * 1_000;
    quietUntil = refusals % 3 === 0 ? date : at + seconds * 1_000;
    response
      .writeHead(429, { 'retry-after': refusals % 3 === 0 ? new Date(date).toUTCString() : String(seconds) })
      .end();
  };
  receiver.answer = ({ at }) => {
    if (at < quietUntil) inside++;
    if (refusals >= REFUSALS) return 200;
    return (_request, response) => {
      if (!first) return refuse(response);
      // The first refusal comes when all that may be under way is under way: what comes later disregards it.
      holding.push(response);
      if (holding.length < AT_ONCE) return;
      first = false;
      for (const held of holding) refuse(held);
      holding = [];
    };
  };
  await sendAll(home, SESSIONS, 1);
  const daemon = await startDaemon(home);
  await until(() => refusals >= AT_ONCE, 'the first refusals');
  await sendAll(
    home,
    SESSIONS.map((s) => `${s}x`),
    EACH - 1,
  );
  const all = [...SESSIONS, ...SESSIONS.map((s) => `${s}x`)];
  const lost = (): string[] => [
    ...kept(receiver.requests, SESSIONS, 1).missing,
    ...kept(receiver.requests, all.slice(SESSIONS.length), EACH - 1).missing,
  ];
  await until(
    () => lost().length === 0 && refusals >= REFUSALS && Date.now() > quietUntil,
    'the storm to pass',
    900_000,
  );
  await daemon.stop();
  const end = kept(receiver.requests, all, 0);
  figures('storm', {
    refusals,
    events: SESSIONS.length * EACH,
    received: end.requests,
    lost: lost().length,
    'inside Retry-After': inside,
    'notified twice': end.twice.length,
  });
  expect(inside).toBe(0);
  expect(end.twice).toEqual([]);
  expect(end.disordered).toEqual([]);
});
