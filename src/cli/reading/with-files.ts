// Looks at files that others name, for one command.
import { dirname } from 'node:path';
import { type Files, filesOfThisMachine } from '../../files/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { daemonProgram } from '../daemon/program-path.ts';

/** Ends what was begun for it afterwards. */
export async function withFiles<T>(work: (files: Files) => Promise<T>): Promise<T> {
  const files = filesOfThisMachine(dirname(daemonProgram()), { clock: systemClock, log: () => undefined });
  try {
    return await work(files);
  } finally {
    files.stop();
  }
}
