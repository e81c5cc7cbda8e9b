// Receivers that hang, drip, reset and lie, beside one that works: it gets everything at once, and they get everything in the end.
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';
import { kept, sendAll } from './senders.ts';
import { figures, size } from './size.ts';

const SESSIONS = Array.from({ length: 6 }, (_, i) => `odd-${i}`);
const EACH = size(100, 4);
/** How many requests each receiver treats badly before it recovers. */
const BAD = size(40, 3);

type Misdeed = (request: Received, response: ServerResponse) => void;

const MISDEEDS: Readonly<Record<string, Misdeed>> = {
  hung: () => undefined,
  slow: (_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('.'), 400);
    response.on('close', () => clearInterval(drip));
  },
  resetting: (_request, response) => void response.socket?.resetAndDestroy(),
  halfway: (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half of it', () => response.socket?.destroy());
  },
  lying: (_request, response) => {
    // Not HTTP at all.
    response.socket?.end('HTTP/9.9 twohundred fine\r\n\u0000\u0000\r\n');
  },
};

test('misbehaving receivers hold up nobody and get everything when they have recovered', async () => {
  const home = temporaryFolder();
  const good = await startReceiver();
  const odd = await Promise.all(Object.keys(MISDEEDS).map(async (name) => ({ name, receiver: await startReceiver() })));
  for (const { name, receiver } of odd)
    receiver.answer = (_request, index) => (index < BAD ? (MISDEEDS[name] ?? 200) : 200);
  const all = [{ name: 'good', receiver: good }, ...odd];
  const channels = all.map(
    ({ name, receiver }) => `[channels.${name}]\ntype = "webhook"\nurl = "${receiver.url}/x"\nallow_private = true\n`,
  );
  const to = all.map(({ name }) => `"${name}"`).join(', ');
  writeFileSync(
    join(home, 'config.toml'),
    `${channels.join('\n')}\n[[routes]]\nmatch = { kind = "agent.waiting" }\nto = [${to}]\n`,
  );
  const daemon = await startDaemon(home);
  await sendAll(home, SESSIONS, EACH);
  const left = (requests: Received[]): number => kept(only(requests), SESSIONS, EACH).missing.length;
  await until(() => left(good.requests) === 0, 'the good one to be notified all', 120_000);
  // The others recover as their bad requests are used up; `belfry test` finds out at once what a probe would find out later.
  for (const { name, receiver } of odd)
    await until(
      async () => {
        if (left(receiver.requests) === 0) return true;
        await belfry(home, ['test', name]);
        return left(receiver.requests) === 0;
      },
      `${name} to be notified all`,
      900_000,
    );
  await daemon.stop();
  for (const { name, receiver } of all) {
    const end = kept(only(receiver.requests), SESSIONS, EACH);
    figures(`receivers, ${name}`, {
      events: EACH * SESSIONS.length,
      requests: end.requests,
      lost: end.missing.length,
      'notified twice': end.twice.length,
    });
    expect([name, end.missing, end.twice]).toEqual([name, [], []]);
  }
});

/** Without the tries of `belfry test` and the word about failing channels. */
function only(requests: readonly Received[]): Received[] {
  return requests.filter(({ body }) => body.startsWith('{"type":"agent.waiting"'));
}
