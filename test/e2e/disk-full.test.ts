// A full disk is reported at once, counted, and reported as over when there is space again.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DaemonStatus } from '../../src/daemon/commands/status.ts';
import { newId } from '../../src/ipc/id.ts';
import { handOver } from '../support/submit.ts';
import { pathsBelow } from '../support/home.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { smallDisk } from '../support/small-disk.ts';
import { asked, verified, webhookTo, writeSettings } from '../support/thread.ts';
import { until } from '../support/wait.ts';

interface Doctor {
  readonly checks: readonly { name: string; results: readonly { level: string; text: string; fix?: string }[] }[];
}

test('the disk is full: one notice, the refused are counted; then it is over', async () => {
  const disk = smallDisk();
  const { home } = disk;
  const receiver = await startReceiver();
  writeSettings(home, webhookTo(receiver.url));
  const daemon = await startDaemon(home, { env: disk.env });
  const { socket } = pathsBelow(home);
  const notices = (): ReturnType<typeof verified>[] =>
    receiver.requests.map(verified).filter(({ type }) => type === 'journal.failing');
  const outage = async (): Promise<DaemonStatus['journal_outage']> =>
    (await asked<DaemonStatus>(home, ['status'])).journal_outage;
  let n = 0;
  const send = (): Promise<boolean> => handOver(socket, newId(Date.now()), n++);
  const journal = async (): Promise<Doctor['checks'][number]['results'][number] | undefined> => {
    const { checks } = await asked<Doctor>(home, ['doctor']);
    return checks.find(({ name }) => name === 'journal')?.results.find(({ level }) => level !== 'ok');
  };

  expect(await send()).toBe(true);
  await receiver.waitFor(1);
  expect(await outage()).toBeNull();

  disk.fill(daemon.pid);
  let refused = 0;
  while (refused < 5 && n < 1_000) if (!(await send())) refused++;
  expect(refused).toBe(5);
  await until(() => notices().length > 0, 'the notice, while nothing can be written');
  const full = disk.kind.startsWith('tmpfs');
  expect(notices()).toMatchObject([
    {
      data: {
        event: { urgency: 'urgent', abnormal: true },
        notification: { title: full ? 'belfry: the disk is full' : 'belfry: cannot write the event journal' },
      },
    },
  ]);
  const during = await outage();
  expect(during).toMatchObject({
    until: null,
    rejected: 5,
    recovered: 0,
    disk_full: full,
    folder: join(home, 'state'),
  });
  const human = await belfry(home, ['status']);
  expect(human.code).toBe(0);
  expect(human.stdout).toMatch(
    /^(DISK|JOURNAL) +Cannot write the event journal since [\d: -]+ \(.*\): 5 events rejected, 0 recovered; .*(free some space|make .* writable)/m,
  );
  expect(await journal()).toMatchObject({ level: 'fail', text: expect.stringContaining('5 events rejected') });
  // What is as small as a mute may still have room where an event has none.
  const mute = async () => {
    const { code, stderr } = await belfry(home, ['mute', '1h', '--session', 's']);
    return code === 0 ? null : stderr;
  };
  if (full) {
    const said = await until(mute, 'a mute that has no room');
    expect(said).toMatch(/^belfry mute: the disk of \S+ is full: free .*\n$/);
  }

  disk.free(daemon.pid);
  const before = receiver.requests.length;
  await until(send, 'events to be kept again');
  await until(() => receiver.requests.length > before, 'events to be notified again');
  expect(await outage()).toMatchObject({ since: during?.since, until: expect.any(String), rejected: during?.rejected });
  expect((await belfry(home, ['status'])).stdout).toMatch(
    /^journal +The event journal could not be written from .* to .*: 5 events rejected/m,
  );
  expect(await journal()).toMatchObject({ level: 'warn', text: expect.stringContaining('5 events rejected') });
  await daemon.stop();
  expect(notices()).toHaveLength(1);
});
