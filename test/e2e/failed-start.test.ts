// Starts beside broken settings, starts that fail, and what follows them: said where people look, and nothing is left behind.
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runningDaemon } from '../../src/runtime/daemon-file.ts';
import { readLock, type LockHolder } from '../../src/runtime/lock.ts';
import { isAlive } from '../../src/runtime/process-table.ts';
import { pathsBelow } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith, spool, stop, verified, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const AUTOSTART = { env: { BELFRY_NO_AUTOSTART: undefined } };
const logOf = (home: string): string => readFileSync(join(home, 'state', 'daemon.log'), 'utf8');

/** Ends the daemon that a hook or `belfry start` began in this home. */
function stopAfterwards(home: string): void {
  onTestFinished(() => {
    const info = runningDaemon(pathsBelow(home));
    if (info) process.kill(info.pid, 'SIGKILL');
  });
}

const gone = (holder: LockHolder | null): boolean => holder === null || !isAlive(holder.pid, holder.start);

test('a hook starts the daemon beside broken settings with the last good ones, and people are notified once', async () => {
  const audit = await startReceiver();
  const home = homeWith(webhookTo(audit.url));
  const first = await startDaemon(home);
  await first.stop();
  appendFileSync(join(home, 'config.toml'), 'x = \n');
  stopAfterwards(home);
  expect((await hook(home, JSON.stringify(stop('broken')), [], AUTOSTART)).code).toBe(0);
  const notified = (await audit.waitFor(2)).map((request) => verified(request));
  expect(notified.map(({ type }) => type).sort()).toEqual(['agent.finished', 'settings.broken']);
  expect(notified.find(({ type }) => type === 'settings.broken')?.data.notification.body).toMatch(
    /config\.toml:\d+:\d+.*\nThe last valid settings are used until you fix it\./,
  );
  await hook(home, JSON.stringify(stop('later')), [], AUTOSTART);
  expect((await audit.waitFor(3)).map((request) => verified(request).type)[2]).toBe('agent.finished');
  expect(await asked(home, ['status'])).toMatchObject({
    running: true,
    settings: { origin: 'last good', broken: expect.stringMatching(/config\.toml:\d+:\d+/) },
  });
  expect(logOf(home)).toMatch(/"at":"[^"]*config\.toml:\d+:\d+.*the settings file is broken/);
  await belfry(home, ['stop']);
});

test('a start that fails ends the process, says why, and stands in no later start’s way', async () => {
  const home = homeWith('');
  mkdirSync(join(home, 'run', 'belfry.sock'), { recursive: true, mode: 0o700 }); // the last step of a start fails
  stopAfterwards(home);
  const foreground = await belfry(home, ['daemon']);
  expect([foreground.code, foreground.stderr]).toEqual([1, expect.stringMatching(/^belfry daemon: .*is no socket/)]);
  await hook(home, JSON.stringify(stop('early')), [], AUTOSTART);
  const holder = await until(() => readLock(join(home, 'run', 'start.lock')), 'the hook to begin a start');
  await until(() => gone(holder), 'the failed daemon to end');
  const failed = await belfry(home, ['start']);
  expect(failed.code).toBe(7);
  expect(failed.stderr).toMatch(/^belfry start: the daemon did not start: .*is no socket.*\n$/);
  rmSync(join(home, 'run', 'belfry.sock'), { recursive: true });
  expect((await belfry(home, ['start'])).stdout).toMatch(/^started/);
  expect(await asked(home, ['events', '--kind', 'agent.finished'])).toHaveLength(1);
  await belfry(home, ['stop']);
});

test('`belfry start` beside a start that fails begins its own', async () => {
  const home = homeWith('');
  const socket = join(home, 'run', 'belfry.sock');
  mkdirSync(socket, { recursive: true, mode: 0o700 });
  stopAfterwards(home);
  const began = Date.now();
  for (let i = 0; i < 300; i++) spool(home, stop(`s${i}`), began - 1_000); // holds the failing start up
  await hook(home, '{}', [], AUTOSTART);
  const failing = await until(() => readLock(join(home, 'run', 'start.lock')), 'the hook to begin a start');
  const starting = belfry(home, ['start']);
  await until(() => gone(failing), 'the failing one to end');
  rmSync(socket, { recursive: true, force: true });
  const { stdout, stderr } = await starting;
  // Its own start may have met the obstacle as well; then it says so instead of waiting for nobody.
  if (stdout === '') expect(stderr).toContain('is no socket');
  else expect(stdout).toMatch(/^started/);
  expect((await belfry(home, ['start'])).code).toBe(0);
  await belfry(home, ['stop']);
});

test('a stop by signal while it starts ends it cleanly', async () => {
  const home = homeWith('');
  for (let i = 0; i < 1_500; i++) spool(home, stop(`s${i % 9}`), Date.now() - 60_000 + i);
  stopAfterwards(home);
  const starting = belfry(home, ['start']);
  const young = await until(() => readLock(join(home, 'run', 'daemon.lock')), 'the daemon to claim its home');
  process.kill(young.pid, 'SIGTERM');
  await until(() => gone(young), 'the daemon to end');
  const { code, stderr } = await starting;
  if (code !== 0) expect(stderr).toMatch(/^belfry start: the daemon did not start; see /); // unless it was ready first
});
