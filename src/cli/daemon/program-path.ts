// Where the daemon's program lies.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../model/errors.ts';

/** dist/daemon.js, beside the command line or, for its chunks, one folder up. */
export function daemonProgram(): string {
  const found = ['./daemon.js', '../daemon.js']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path));
  if (found) return found;
  throw new UserError('daemon.js is missing: reinstall belfry');
}
