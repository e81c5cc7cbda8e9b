// The terminal here through which a session elsewhere is seen, by a real sshd: the one ssh that has the connection, and no other.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sshBehind } from '../../src/presence/index.ts';
import { temporaryFolder } from '../support/home.ts';
import { startSshServer, type SshServer } from '../support/ssh-server.ts';
import { until } from '../support/wait.ts';

/** An ssh that stays, and its SSH_CONNECTION there. `env`: of its terminal. */
async function session({ client }: SshServer, options: readonly string[] = [], env = {}) {
  const child = spawn('ssh', [...options, ...client, 'echo "$SSH_CONNECTION"; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], ...env },
  });
  onTestFinished(() => void child.kill());
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await until(() => said.includes('\n'), 'the session');
  return { pid: child.pid ?? 0, connection: said.trim(), end: () => child.kill() };
}

test.runIf(process.platform === 'linux')('the ssh that has the connection, with its terminal', async () => {
  const server = await startSshServer();
  if (server === null) return console.log('sshd is needed (openssh-server)');
  const other = await session(server);
  const one = await session(server, [], { TERM_PROGRAM: 'WezTerm', WEZTERM_PANE: '7', DISPLAY: ':9' });
  expect(await sshBehind(one.connection)).toMatchObject({
    pid: one.pid,
    place: { terminal: 'WezTerm', paneId: '7', display: ':9', ssh: null },
  });
  expect(await sshBehind(other.connection)).toMatchObject({ pid: other.pid });
  one.end();
  await until(async () => (await sshBehind(one.connection)) === null, 'nothing to be seen through');
});

test.runIf(process.platform === 'linux')('nobody looks through a connection that several sessions share', async () => {
  const server = await startSshServer();
  if (server === null) return console.log('sshd is needed (openssh-server)');
  const socket = join(temporaryFolder(), 'master');
  const master = await session(server, ['-M', '-S', socket]);
  const slave = await session(server, ['-S', socket]);
  expect(slave.connection).toBe(master.connection);
  expect(await sshBehind(slave.connection)).toBeNull();
});

test('what names no ssh of this user is nothing', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  for (const connection of [
    null,
    '',
    `127.0.0.1 ${socket.localPort} 127.0.0.1 ${port}`, // of another program
    '127.0.0.1 0 127.0.0.1 22',
    '127.0.0.1 99999 127.0.0.1 22',
    '127.0.0.1 22',
    `$(id) ${port} x 22`,
    `127.0.0.1 ${port} 127.0.0.1 22; id`,
  ])
    expect([connection, await sshBehind(connection)]).toEqual([connection, null]);
});
