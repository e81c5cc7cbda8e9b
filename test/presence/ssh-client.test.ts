// The terminal here through which a session elsewhere is seen, by a real sshd: the one ssh that has the connection, and no other.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { quotedWord } from '../../src/lib/text/quoted-word.ts';
import { sshBehind } from '../../src/presence/index.ts';
import { temporaryFolder } from '../support/home.ts';
import { startSshServer, type SshServer } from '../support/ssh-server.ts';
import { until } from '../support/wait.ts';

/** An ssh that stays, and its SSH_CONNECTION there. `env`: of its terminal. */
async function session({ client }: SshServer, options: readonly string[] = [], { env = {}, terminal = true } = {}) {
  const words = ['ssh', ...options, ...client, 'echo "is $SSH_CONNECTION."; exec cat >/dev/null']
    .map(quotedWord)
    .join(' ');
  const [program, ...args] = terminal
    ? ['script', '-qfec', `exec ${words}`, '/dev/null']
    : ['sh', '-c', `exec ${words}`];
  const child = spawn(program ?? '', args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true, // where the tests run in a terminal, that is none of its own
    env: { PATH: process.env['PATH'], SHELL: '/bin/sh', ...env },
  });
  const { pid = 0 } = child;
  const end = (): void => {
    child.stdin.destroy();
    for (const one of [...childrenOf(pid), pid]) process.kill(one, 'SIGKILL');
  };
  onTestFinished(() => {
    try {
      end();
    } catch {
      // it has ended
    }
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const connection = await until(() => /is (.*)\./.exec(said)?.[1], 'the session');
  return { pid: terminal ? (childrenOf(pid)[0] ?? 0) : pid, connection, end };
}

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** Skips the test where there is no sshd. */
async function sshd(skip: (why: string) => never): Promise<SshServer> {
  return (await startSshServer()) ?? skip('sshd is needed (openssh-server)');
}

test.runIf(process.platform === 'linux')('the ssh that has the connection, with its terminal', async ({ skip }) => {
  const server = await sshd(skip);
  const other = await session(server);
  const one = await session(server, [], { env: { TERM_PROGRAM: 'WezTerm', WEZTERM_PANE: '7', DISPLAY: ':9' } });
  expect(await sshBehind(one.connection)).toMatchObject({
    pid: one.pid,
    place: { terminal: 'WezTerm', paneId: '7', display: ':9', ssh: null },
  });
  expect(await sshBehind(other.connection)).toMatchObject({ pid: other.pid });
  const [address, from, host, to] = one.connection.split(' ');
  for (const connection of [
    `${address} ${from} ${host} ${Number(to) + 1}`,
    `${address} ${from} ${host}`,
    `${one.connection}; id`,
    `$(id) ${from} ${host} ${to}`,
    ` ${one.connection}`,
  ])
    expect([connection, await sshBehind(connection)]).toEqual([connection, null]);
  one.end();
  await until(async () => (await sshBehind(one.connection)) === null, 'nothing to be seen through');
});

test.runIf(process.platform === 'linux')(
  'one without a terminal shows nothing of what runs there',
  async ({ skip }) => {
    const { connection } = await session(await sshd(skip), [], { terminal: false });
    expect(await sshBehind(connection)).toBeNull();
  },
);

test.runIf(process.platform === 'linux')(
  'nobody looks through a connection that several sessions share',
  async ({ skip }) => {
    const server = await sshd(skip);
    const socket = join(temporaryFolder(), 'master');
    const master = await session(server, ['-M', '-S', socket]);
    const slave = await session(server, ['-S', socket]);
    expect(slave.connection).toBe(master.connection);
    expect(await sshBehind(slave.connection)).toBeNull();
  },
);

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
  ])
    expect([connection, await sshBehind(connection)]).toEqual([connection, null]);
});
