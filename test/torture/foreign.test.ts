// Another user takes the place of the socket of a home too long for one, before the daemon and again while it runs: he gets nothing, and everything arrives.
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';
import { kept, sendAll, settleIn } from './senders.ts';
import { figures, size } from './size.ts';

const EACH = size(50, 10);
const FOREIGN = 12345;

test.skipIf(process.getuid?.() !== 0)('a foreign socket where ours would be', async () => {
  const home = join(temporaryFolder(), 'x'.repeat(110));
  mkdirSync(home, { mode: 0o700 });
  const place = dirname(pathsBelow(home).socket);
  let asked = 0;
  const servers = new Set<ReturnType<typeof createServer>>();
  const give = (): void => {
    for (const server of servers) server.close();
    rmSync(place, { recursive: true, force: true });
  };
  onTestFinished(give);
  const take = async (): Promise<void> => {
    give();
    mkdirSync(place);
    const server = createServer((socket) => {
      asked++;
      socket.on('error', () => undefined).end('{"ok":true,"id":"x"}\n');
    });
    servers.add(server);
    await new Promise<void>((resolve) => server.listen(join(place, 'belfry.sock'), resolve));
    chmodSync(join(place, 'belfry.sock'), 0o777);
    for (const path of [join(place, 'belfry.sock'), place]) chownSync(path, FOREIGN, FOREIGN);
  };
  const receiver = await startReceiver();
  settleIn(home, `${receiver.url}/audit`);
  const rounds = ['before', 'beside', 'free', 'while'];
  await take();
  await sendAll(home, ['before'], EACH); // no daemon: kept in the spool
  const beside = await startDaemon(home);
  await sendAll(home, ['beside'], EACH);
  await beside.stop('SIGKILL');
  give();
  const free = await startDaemon(home);
  await sendAll(home, ['free'], EACH);
  await take(); // only root could: /tmp keeps others from removing a folder that is ours
  await sendAll(home, ['while'], EACH);
  await until(() => kept(receiver.requests, rounds, EACH).missing.length === 0, 'every event', 120_000).catch(
    () => undefined,
  );
  await free.stop();
  const end = kept(receiver.requests, rounds, EACH);
  figures('foreign', { events: rounds.length * EACH, 'reached the other user': asked, lost: end.missing.length });
  expect(asked).toBe(0);
  expect(end.missing).toEqual([]);
});
