// Notices that the daemon's program was replaced on disk, by a newer or an older version, and that the new one runs.
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../shared/log.ts';
import { nodeProgram } from '../../runtime/stable-path.ts';
import { sha256 } from '../../lib/hash.ts';
import { BUILD_FILE, buildOf } from '../../runtime/build-id.ts';

/** Checking the file costs a system call; one a second is enough, ms. */
const LOOKS_APART = 1_000;
/** Wait before a program that does not run is tried again: it may be half installed. Doubled up to the longest, ms. */
const AGAIN = 2_000;
const LONGEST = 300_000;
/** Longest time in which the new program must show that it can be loaded, ms. */
const PROBE = 60_000;

/** What a program that is asked whether it runs is called with. */
export const PROBE_ARGUMENT = '--probe';

export interface Upgrade {
  /** To be called with every event and command; returns at once. */
  look(): void;
  stop(): void;
}

/** `replaced` is called once: another program lies at `program`, and it runs. A program that is gone is no other one. */
export function watchProgram(
  program: string,
  { clock, log, replaced }: { readonly clock: Clock; readonly log: Log; readonly replaced: () => void },
): Upgrade {
  const ours = digestOf(program);
  let seen = marksOf(program);
  let last = 0;
  let wait = AGAIN;
  let busy = false;
  let cancel = (): void => undefined;
  const look = (): void => {
    if (busy) return;
    const now = clock.now();
    const early = LOOKS_APART - Math.abs(now - last);
    if (early > 0) {
      cancel(); // what came too early is made up for, since nothing else may come for long
      cancel = clock.setTimer(early, look);
      return;
    }
    last = now;
    const marks = marksOf(program);
    if (marks === null || marks === seen || ours === null) return;
    const digest = digestOf(program);
    if (digest === null) return;
    if (digest === ours) {
      seen = marks; // touched, or the same version installed again
      return;
    }
    busy = true;
    void probe(program).then((runs) => {
      if (runs && digestOf(program) === digest) return replaced();
      log('the program was replaced, but the new one does not run yet', { program });
      cancel = clock.setTimer(wait, () => {
        busy = false;
        last = 0;
        look();
      });
      wait = Math.min(LONGEST, wait * 2);
    });
  };
  return {
    look,
    stop: () => {
      busy = true;
      cancel();
    },
  };
}

/** What changes when the program or what says of which build it is are replaced; null when there is no program. */
function marksOf(path: string): string | null {
  const [found, build] = [path, join(dirname(path), BUILD_FILE)].map((file) =>
    statSync(file, { throwIfNoEntry: false }),
  );
  return found ? [found, build].map((stat) => stat && [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs]).join() : null;
}

/** Names of parts in it hold digests of those, so this is one of the whole daemon; the build's is one of the whole package. */
function digestOf(path: string): string | null {
  try {
    return sha256(`${sha256(readFileSync(path))} ${buildOf(path)?.id}`);
  } catch {
    return null; // being replaced
  }
}

/** Whether the program and all it is made of can be loaded by this Node. */
function probe(program: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(nodeProgram(), [program, PROBE_ARGUMENT], { cwd: '/', stdio: 'ignore', timeout: PROBE });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}
