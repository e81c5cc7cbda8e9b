// An event that comes while the daemon stops is nobody's unless somebody sees to it: a hook's new daemon waits for the old one's end.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runningDaemon } from '../../src/runtime/daemon-file.ts';
import { daemonLock } from '../../src/runtime/autostart.ts';
import { readLock } from '../../src/runtime/lock.ts';
import { isAlive } from '../../src/runtime/process-table.ts';
import { pathsBelow } from '../support/home.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { homeWith, stop, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const ALLOWED = { env: { BELFRY_NO_AUTOSTART: undefined, BELFRY_DEBUG: '1' } };

test('an event during a long stop is delivered by the daemon that its hook starts', async () => {
  const receiver = await startReceiver();
  const home = homeWith(webhookTo(receiver.url));
  const paths = pathsBelow(home);
  onTestFinished(() => {
    const left = runningDaemon(paths);
    if (left) process.kill(left.pid, 'SIGKILL');
  });
  const daemon = await startDaemon(home);
  receiver.answer = () => () => undefined; // never answers: the stop waits for this delivery
  await hook(home, JSON.stringify(stop('before')));
  await receiver.waitFor(1);
  const ended = daemon.stop('SIGTERM');
  await until(() => !existsSync(paths.daemonFile), 'the stop to begin');
  receiver.answer = () => 200;
  expect((await hook(home, JSON.stringify(stop('during')), [], ALLOWED)).code).toBe(0);
  expect(isAlive(daemon.pid, null)).toBe(true);
  expect(readLock(daemonLock(paths))).toMatchObject({ pid: daemon.pid, leaving: true });
  expect(readFileSync(join(home, 'state', 'hook.log'), 'utf8')).toMatch(/daemon: started/);
  await ended;
  await until(() => receiver.requests.some(({ body }) => body.includes('"during"')), 'the event');
  await until(() => runningDaemon(paths), 'the next daemon');
});
