// A disk of 3 MB: a tmpfs where this process may mount one; else a limit on the size of the daemon's files, which is said.
import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './home.ts';

const BYTES = 3 * 1024 * 1024;

export interface SmallDisk {
  readonly home: string;
  readonly kind: 'tmpfs of 3 MB' | 'file size limit of 3 MB (no right to mount here)';
  /** Puts the limit on a daemon just started; nothing to do on a real small disk. */
  readonly limit: (pid: number) => void;
  /** Leaves the daemon no space at all. */
  readonly fill: (pid: number) => void;
  /** Takes the limit off and makes the disk larger: what a test wrote until it was full may need most of it. */
  readonly free: (pid: number) => void;
  /** What the daemon has to be started with. */
  readonly env: Record<string, string>;
}

const prlimit = (pid: number, value: string): void =>
  void execFileSync('prlimit', ['--pid', String(pid), `--fsize=${value}`]);

export function smallDisk(): SmallDisk {
  const home = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${BYTES},mode=0700`, 'belfry-torture', home], { stdio: 'pipe' });
    onTestFinished(() => void execFileSync('umount', ['--lazy', home], { stdio: 'pipe' }));
    const filler = join(home, 'filler-to-the-brim');
    return {
      home,
      kind: 'tmpfs of 3 MB',
      limit: () => undefined,
      fill: () => fillUp(filler),
      free: () => {
        rmSync(filler, { force: true });
        execFileSync('mount', ['-o', `remount,size=${10 * BYTES}`, home], { stdio: 'pipe' });
      },
      env: {},
    };
  } catch {
    // A write beyond the limit is also a signal, which would end the process before the write could fail.
    const mute = join(home, 'mute.mjs');
    writeFileSync(mute, "process.on('SIGXFSZ', () => undefined);\n");
    return {
      home,
      kind: 'file size limit of 3 MB (no right to mount here)',
      limit: (pid) => prlimit(pid, `${BYTES}:unlimited`),
      fill: (pid) => prlimit(pid, '1:unlimited'),
      free: (pid) => prlimit(pid, 'unlimited:unlimited'),
      env: { NODE_OPTIONS: `--import=${mute}` },
    };
  }
}

function fillUp(file: string): void {
  for (let size = 65_536; size >= 4_096; ) {
    try {
      appendFileSync(file, Buffer.alloc(size));
    } catch {
      size /= 2; // the end is near
    }
  }
}
