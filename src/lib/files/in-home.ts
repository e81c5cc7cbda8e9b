// A path of the settings, with `~/` at its beginning expanded.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Nothing else in it is expanded. */
export function inHome(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
}
