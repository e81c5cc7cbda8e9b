// A real sshd of the test's own: on a free loopback port, with keys of its own, for whoever runs the test.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './home.ts';
import { bareEnv, run } from './programs.ts';
import { until } from './wait.ts';

export interface SshServer {
  readonly port: number;
  /** Paths of the key that it lets in, and of the file of its own key. */
  readonly key: string;
  readonly known: string;
  /** Words of an ssh that signs in here. */
  readonly client: readonly string[];
  /** Forwards as `ssh -R FROM:TO` or `ssh -L FROM:TO` does, for as long as the test runs; resolves when `FROM` is there. */
  forward(way: '-R' | '-L', from: string, to: string): Promise<void>;
}

/** Where Debian has it; not on an ordinary PATH. */
const SSHD = '/usr/sbin/sshd';
/** What its service makes before it starts; root cannot run it without. */
const PRIVILEGE_SEPARATION = '/run/sshd';

/** Null where there is none. `login`: a program that every session becomes. Ended when the running test has finished. */
export async function startSshServer(login?: string): Promise<SshServer | null> {
  if (!existsSync(SSHD)) return null;
  if (process.getuid?.() === 0) mkdirSync(PRIVILEGE_SEPARATION, { recursive: true, mode: 0o755 });
  const folder = temporaryFolder();
  const file = (name: string): string => join(folder, name);
  for (const name of ['host', 'own'])
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)], bareEnv(folder));
  copyFileSync(file('own.pub'), file('authorized'));
  const port = await freePort();
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${file('authorized')}`,
    'StrictModes no', // its folder lies below /tmp, where everybody may write
    'UsePAM no',
    'PidFile none',
    'PasswordAuthentication no',
    'PermitRootLogin yes',
    'StreamLocalBindUnlink yes',
    ...(login === undefined ? [] : [`ForceCommand ${login}`]),
  ];
  writeFileSync(file('config'), `${settings.join('\n')}\n`);
  const server = spawn(SSHD, ['-D', '-e', '-f', file('config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void server.kill('SIGTERM'));
  let said = '';
  server.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  await until(() => said.includes('listening') || server.exitCode !== null, 'sshd to listen');
  if (server.exitCode !== null) throw new Error(`sshd does not start: ${said}`);
  const CLIENT = ['-o', 'StrictHostKeyChecking=no', '-o', `UserKnownHostsFile=${file('known')}`, '-o', 'BatchMode=yes'];
  const signsIn = ['-F', 'none', '-i', file('own'), '-p', String(port), ...CLIENT];
  return {
    port,
    client: [...signsIn, `${userInfo().username}@127.0.0.1`],
    key: file('own'),
    known: file('known'),
    forward: async (way, from, to) => {
      const where = [...signsIn, '-o', 'ExitOnForwardFailure=yes'];
      const client = spawn('ssh', [...where, '-N', way, `${from}:${to}`, `${userInfo().username}@127.0.0.1`], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      onTestFinished(() => void client.kill('SIGTERM'));
      let words = '';
      client.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        words += chunk;
      });
      await until(() => existsSync(from) || client.exitCode !== null, 'the forwarded socket').catch((error: Error) => {
        throw new Error(`${error.message}: ${words}${said}`);
      });
      if (client.exitCode !== null) throw new Error(`ssh ended: ${words}${said}`);
    },
  };
}
