// The package replaced again and again, up and down, under a daemon that eight sessions go on sending to: nothing is lost or comes under a second id.
import { expect, onTestFinished, test } from 'vitest';
import { runningDaemon } from '../../src/runtime/daemon-file.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { packageCopy } from '../support/package-copy.ts';
import { bareEnv, run } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';
import { kept, sendAll, settleIn } from './senders.ts';
import { figures, size } from './size.ts';

const SESSIONS = Array.from({ length: 8 }, (_, i) => `upgraded-${i}`);
const EACH = size(400, 60);
const TIMES = size(20, 4);

test(`${TIMES} other versions over ${EACH * SESSIONS.length} events from ${SESSIONS.length} senders`, async () => {
  const home = temporaryFolder();
  const paths = pathsBelow(home);
  const receiver = await startReceiver();
  settleIn(home, `${receiver.url}/audit`);
  const installed = packageCopy('0.0.0');
  const belfry = (...args: string[]) => run(process.execPath, [installed.belfry, ...args], bareEnv(home));
  onTestFinished(() => {
    const left = runningDaemon(paths);
    if (left) process.kill(left.pid, 'SIGKILL');
  });
  await belfry('start');
  const total = EACH * SESSIONS.length;
  let sent = 0;
  const sending = sendAll(home, SESSIONS, EACH, () => sent++);
  let longest = 0;
  for (let n = 1; n <= TIMES; n++) {
    await until(
      () => sent >= Math.min(Math.floor((n / (TIMES + 1)) * total), total - SESSIONS.length),
      'the senders to go on',
      600_000,
    );
    const version = `0.0.${n % 3}`;
    const began = Date.now();
    if (n % 2 === 0) installed.install(version);
    else await installed.installSlowly(version, async () => void (await until(() => sent > 0, 'half an installation')));
    await until(async () => {
      if (runningDaemon(paths)?.version === version) return true;
      await belfry('status'); // the senders may have done
      return false;
    }, `a daemon of ${version}`);
    longest = Math.max(longest, Date.now() - began);
  }
  await sending;
  await until(() => kept(receiver.requests, SESSIONS, EACH).missing.length === 0, 'every event', 300_000).catch(
    () => undefined,
  );
  await belfry('stop');
  const end = kept(receiver.requests, SESSIONS, EACH);
  figures('replaced', {
    versions: TIMES,
    events: total,
    lost: end.missing.length,
    'repeats dropped by id': end.requests - end.ids,
    'notified twice': end.twice.length,
    'sessions out of order': end.disordered.length,
    'longest until the other version is ready, ms': longest,
  });
  expect(end.missing).toEqual([]);
  expect(end.twice).toEqual([]);
  expect(end.disordered).toEqual([]);
});
