// The daemon dies or is not there: nothing that was accepted or spooled is lost, and a session keeps its order.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith, spool, stop, verified, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';

test('SIGKILL between events: the next start delivers what was accepted, once for each id', async () => {
  const audit = await startReceiver();
  let refused = 0;
  // Three are accepted and wait in the outbox when the daemon is killed.
  audit.answer = () => (refused++ < 1 ? { status: 429, headers: { 'retry-after': '3' } } : 200);
  const home = homeWith(webhookTo(audit.url));
  const first = await startDaemon(home);
  for (const n of [1, 2, 3]) expect((await hook(home, JSON.stringify(stop(`kill-${n}`)))).code).toBe(0);
  await first.stop('SIGKILL');
  for (const n of [4, 5]) await hook(home, JSON.stringify(stop(`kill-${n}`)));
  expect(readdirSync(join(home, 'spool')).filter((name) => name.endsWith('.event'))).toHaveLength(2);
  const second = await startDaemon(home);
  const notified = () => {
    const requests = audit.requests.slice(1);
    return requests.map((request) => ({
      id: request.headers['webhook-id'],
      session: String(verified(request).data.event['session_id']),
    }));
  };
  // What was in flight at the kill comes again, with the same id.
  const once = () => [...new Map(notified().map((request) => [request.id, request])).values()];
  await until(() => once().length >= 5, 'all five to be notified');
  const all = once();
  expect(all.map(({ session }) => session).sort()).toEqual(['kill-1', 'kill-2', 'kill-3', 'kill-4', 'kill-5']);
  expect(all.map(({ id }) => id)).toContain(audit.requests[0]?.headers['webhook-id']);
  await second.stop();
  expect(second.process.exitCode).toBe(0);
});

test('a thousand events of a time with the daemon down are delivered afterwards, in order within each session', async () => {
  const audit = await startReceiver();
  const home = homeWith(webhookTo(audit.url));
  const began = Date.now() - 3_600_000;
  for (let i = 0; i < 990; i++) spool(home, stop(`down-${i % 10}`, `turn ${Math.floor(i / 10)}`), began + i * 2_000);
  for (let i = 0; i < 10; i++) expect((await hook(home, JSON.stringify(stop(`down-${i}`, 'turn 99')))).code).toBe(0);
  const daemon = await startDaemon(home);
  const notified = (await audit.waitFor(1_000, 120_000)).map((request) => verified(request).data);
  for (let n = 0; n < 10; n++) {
    const turns = notified
      .filter(({ event }) => event['session_id'] === `down-${n}`)
      .map(({ notification }) => notification.body);
    expect(turns.map((body) => /turn \d+/.exec(body)?.[0])).toEqual(Array.from({ length: 100 }, (_, i) => `turn ${i}`));
  }
  expect(readdirSync(join(home, 'spool'))).toEqual([]);
  await daemon.stop();
  const down = await asked<{ id: string }[]>(home, ['events', '--limit', '2000']);
  expect(down).toHaveLength(1_000);
});

test('one daemon a home: a second start says so, a stop by command is clean', async () => {
  const home = homeWith('');
  const daemon = await startDaemon(home);
  const second = await belfry(home, ['daemon']);
  expect([second.code, second.stderr]).toEqual([
    1,
    `belfry daemon: a daemon already runs (pid ${daemon.pid}): \`belfry status\` shows it\n`,
  ]);
  expect((await belfry(home, ['start'])).stdout).toBe(`already running (pid ${daemon.pid})\n`);
  expect((await belfry(home, ['stop'])).stdout).toBe(`stopped (pid ${daemon.pid})\n`);
  await until(() => daemon.process.exitCode !== null, 'the end of its process to be heard of here');
  expect(daemon.process.exitCode).toBe(0);
  expect((await belfry(home, ['status'])).code).toBe(7);
  expect((await belfry(home, ['stop'])).stdout).toBe('no daemon was running\n');
});

test.runIf(process.platform === 'linux')('where no folder can be made, each command says so and ends', async () => {
  const home = temporaryFolder();
  for (const args of [['daemon'], ['start'], ['install', 'claude']]) {
    const ran = await belfry(home, args, { env: { BELFRY_HOME: '/proc/x' } });
    expect([args, ran.code === 0, ran.stderr]).toEqual([args, false, expect.stringContaining('/proc/x')]);
  }
});
