// A disk that fills up under the daemon: what it acknowledged is sent, the rest is refused, and it continues once there is space again.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newId } from '../../src/ipc/id.ts';
import { handOver } from '../support/submit.ts';
import { pathsBelow } from '../support/home.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { smallDisk } from '../support/small-disk.ts';
import { until } from '../support/wait.ts';
import { sendOne, settleIn } from './senders.ts';
import { figures, size } from './size.ts';

const MORE = size(100, 20);

test('a disk fills up and is freed again', async () => {
  const disk = smallDisk();
  const { home } = disk;
  const receiver = await startReceiver();
  settleIn(home, `${receiver.url}/audit`);
  const filler = join(home, 'filler');
  writeFileSync(filler, Buffer.alloc(1_300_000));
  const daemon = await startDaemon(home, { env: disk.env });
  disk.limit(daemon.pid);
  const { socket } = pathsBelow(home);
  const acknowledged: string[] = [];
  let refused = 0;
  let n = 0;
  const send = async (): Promise<boolean> => {
    const id = newId(Date.now());
    const taken = await handOver(socket, id, n++);
    if (taken) acknowledged.push(id);
    else refused++;
    return taken;
  };
  while (refused < 30 && n < 3_000) await send();
  expect(refused, 'the disk is full').toBe(30);
  const whileFull = acknowledged.length;
  // Hooks end well and silently all the same, and the daemon still answers.
  for (let i = 0; i < 5; i++) await sendOne(home, 'hooked', i);
  const status = await belfry(home, ['status']);
  expect([status.code, daemon.process.exitCode]).toEqual([0, null]);
  rmSync(filler);
  disk.free(daemon.pid);
  const room = n + 20 * MORE;
  for (let more = 0; more < MORE && n < room; ) if (await send()) more++;
  const notified = (): string[] =>
    receiver.requests.map(({ body }) => (JSON.parse(body) as { data: { event: { id: string } } }).data.event.id);
  const lost = (): string[] => {
    const ids = new Set(notified());
    return acknowledged.filter((id) => !ids.has(id));
  };
  await until(() => lost().length === 0, 'everything acknowledged to be notified', 120_000).catch(() => undefined);
  await daemon.stop();
  const byId = new Map(receiver.requests.map((r) => [r.headers['webhook-id'], r.body]));
  const twice = [...byId.values()].length - new Set(notified()).size;
  figures('disk', {
    disk: disk.kind,
    'acknowledged until full': whileFull,
    refused,
    acknowledged: acknowledged.length,
    lost: lost().length,
    'notified twice': twice,
  });
  expect(lost()).toEqual([]);
  expect(twice).toBe(0);
});
