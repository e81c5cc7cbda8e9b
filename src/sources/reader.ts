// Ends the program that reads a hook's stdin into an open file of the spool, when the client neither writes nor closes it.
import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** Only a child of `shell` that writes to this very file is ended; the shell then marks the end and leaves by itself. */
export function endReader(shell: number, file: string): void {
  if (process.platform === 'linux') endOnLinux(shell, file);
  else if (process.platform === 'darwin') endOnMac(shell);
}

function endOnLinux(shell: number, file: string): void {
  try {
    for (const child of readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').split(' ')) {
      const pid = Number(child);
      if (pid > 1 && readlinkSync(`/proc/${pid}/fd/1`) === file) process.kill(pid, 'SIGKILL');
    }
  } catch {
    // gone in between, or not ours
  }
}

/** There is no /proc: the shell's child must be the `cat` that the hook starts. */
function endOnMac(shell: number): void {
  execFile('/bin/ps', ['-axo', 'pid=,ppid=,comm='], { timeout: 2_000, maxBuffer: 4 * 1024 * 1024 }, (error, out) => {
    if (error) return;
    for (const line of out.split('\n')) {
      const [pid, parent, command = ''] = line.trim().split(/\s+/);
      if (Number(parent) !== shell || !/(?:^|\/)cat$/.test(command)) continue;
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // gone in between
      }
    }
  });
}
