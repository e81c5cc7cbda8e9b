// The only channel fails: that is shown on the desktop, which the settings do not name.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { startBus } from '../support/notification-server.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

const WAITS = JSON.stringify({ hook_event_name: 'Notification', session_id: 's', message: 'Allow it?' });

/** A home whose only channel is refused by its receiver. */
async function homeOf(): Promise<string> {
  const receiver = createServer((request, response) => request.resume().on('end', () => response.writeHead(401).end()));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void receiver.close().closeAllConnections());
  const { port } = receiver.address() as AddressInfo; // of a TCP server
  const home = temporaryFolder();
  const channel = `[channels.only]\ntype = "webhook"\nurl = "http://127.0.0.1:${port}/"\nallow_private = true\n`;
  writeFileSync(join(home, 'config.toml'), `${channel}[[routes]]\nto = ["only"]\n`, { mode: 0o600 });
  return home;
}

const failing = async (home: string): Promise<unknown[]> =>
  JSON.parse((await belfry(home, ['events', '--kind', 'channel.failing', '--json'])).stdout || '[]') as unknown[];

test('it is shown, once, and the fallback is not among the channels', async () => {
  const bus = await startBus();
  onTestFinished(() => bus.close());
  const server = await bus.serve();
  const home = await homeOf();
  await startDaemon(home, { env: { DBUS_SESSION_BUS_ADDRESS: bus.address } });
  await hook(home, WAITS);
  await until(() => server.calls.length > 0, 'the notification');
  expect(server.calls).toMatchObject([{ summary: expect.stringContaining('only is failing') }]);
  expect((await belfry(home, ['status'])).stdout).not.toContain('belfry:desktop');
});

test('without a desktop: the log says that nobody was notified, and nothing else happens', async () => {
  const home = await homeOf();
  const { process: daemon } = await startDaemon(home);
  await hook(home, WAITS);
  await until(async () => (await failing(home)).length > 0, 'the event');
  expect(daemon.exitCode).toBeNull();
  const deliveries = (await belfry(home, ['deliveries', '--json'])).stdout;
  expect(deliveries).not.toContain('belfry:desktop is failing');
});
