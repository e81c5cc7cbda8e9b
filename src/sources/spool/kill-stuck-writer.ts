// Ends the program that reads a hook's stdin into an open file of the spool, when the client neither writes nor closes it.
import { readFileSync, readlinkSync } from 'node:fs';
import { listProcesses, type ProcessTable } from '../../lib/programs/processes.ts';

/** Only a child of `shell` that writes to this very file is ended; the shell then marks the end and exits. `since`: Unix ms when the file was made. */
export function killStuckWriter(shell: number, file: string, since: number): void {
  if (process.platform === 'linux') endOnLinux(shell, file);
  else if (process.platform === 'darwin')
    void listProcesses('darwin').then(
      (table) => end(readersOf(table, shell, since)),
      () => undefined, // no list: it is left alone
    );
}

function endOnLinux(shell: number, file: string): void {
  try {
    for (const child of readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').split(' ')) {
      const pid = Number(child);
      if (pid > 1 && readlinkSync(`/proc/${pid}/fd/1`) === file) end([pid]);
    }
  } catch {
    // gone in between, or not ours
  }
}

/**
 * Where there is no /proc: every `cat` that the hook's shell started. The shell made the file, so it is as old; one that began
 * later has only got its pid. Times of a process list are whole seconds, cut off.
 */
export function readersOf(table: ProcessTable, shell: number, since: number): readonly number[] {
  const began = Date.parse(`${table.get(shell)?.start ?? ''} UTC`);
  if (!(began <= since)) return []; // also when not known
  return [...table.values()]
    .filter(({ ppid, name, pid }) => ppid === shell && name === 'cat' && pid > 1)
    .map((p) => p.pid);
}

function end(pids: readonly number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // gone in between
    }
}
