// A file system of another program, by FUSE, that can stop answering in the middle: a server that is gone. Only root can mount it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** Why none can be mounted here; null: it can. */
export const CANNOT_MOUNT =
  process.platform !== 'linux' || !existsSync('/dev/fuse')
    ? 'there is no /dev/fuse'
    : process.getuid?.() === 0
      ? null
      : 'only root can mount';

export interface Mounted {
  /** Where it is seen. */
  readonly path: string;
  /** From now on nothing that touches it returns. */
  hang(): Promise<void>;
  /** It answers again, also what has waited. */
  answer(): Promise<void>;
  /** It is gone, and whatever waits for it fails. */
  unmount(): Promise<void>;
}

const PROGRAM = new URL('./mount.py', import.meta.url).pathname;

/** Mounts a view of `folder`, unmounted when the running test has finished, however it ends. `below`: the folder of its mount point. */
export async function mountFolder(folder: string, below = tmpdir(), type = 'fuse.sshfs'): Promise<Mounted> {
  const path = mkdtempSync(join(below, 'belfry-mount-'));
  // With this process's end its standard input ends as well, and so does the mount.
  const server = spawn('python3', [PROGRAM, folder, path, type], { stdio: ['pipe', 'pipe', 'inherit'] });
  const unmount = async (): Promise<void> => {
    if (!existsServer(server)) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGKILL'); // the kernel then ends what waits for it
    await ended;
    spawnSync('umount', ['-l', path]);
    rmdirSync(path);
  };
  onTestFinished(unmount);
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const say = async (command: string): Promise<void> => {
    server.stdin.write(`${command}\n`);
    await expectLine(lines, command);
  };
  await expectLine(lines, 'mounted');
  return { path, unmount, hang: () => say('hang'), answer: () => say('answer') };
}

const existsServer = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

async function expectLine(lines: AsyncIterator<string>, expected: string): Promise<void> {
  const { value } = await lines.next();
  if (value !== expected) throw new Error(`the server of the mount did not say "${expected}" but "${String(value)}"`);
}
