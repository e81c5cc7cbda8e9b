// Whether a process is gone, for tests.
import { readFileSync } from 'node:fs';

/** True also for a zombie: ended, and not waited for by whoever has inherited it. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform === 'linux' && / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
