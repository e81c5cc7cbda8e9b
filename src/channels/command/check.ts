// Finds out why a program cannot be run, without running it.
import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, resolve } from 'node:path';
import type { CheckResult } from '../../model/channel/channel.ts';

/** As the system would find it: a name alone on the PATH, a path from `cwd`. */
export function checkCommand(program: string, cwd: string, path: string): CheckResult {
  if (kindOf(cwd) !== 'folder')
    return { level: 'fail', text: 'its folder does not exist', fix: 'correct `cwd`, or create the folder' };
  const isName = !/[\\/]/.test(program);
  const places = isName ? path.split(delimiter).filter((folder) => folder !== '') : [cwd];
  const found = places.flatMap((folder) => namesOf(program).map((name) => resolve(folder, name)));
  const files = found.filter((file) => kindOf(file) === 'file');
  const name = basename(program);
  if (files.some(isExecutable)) return { level: 'ok', text: `${name} can be run (not tried)` };
  if (files.length > 0) return { level: 'fail', text: `${name} is not executable`, fix: 'make it so with `chmod +x`' };
  if (!isName) return { level: 'fail', text: `${name} does not exist there`, fix: 'correct the path in `run`' };
  const fix = 'install it, or write its full path in `run`: the daemon may have another PATH than your shell';
  return { level: 'fail', text: `${name} is not on the daemon's PATH`, fix };
}

/** Windows finds programs without their endings. */
function namesOf(program: string): string[] {
  return process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'].map((ending) => program + ending) : [program];
}

function kindOf(path: string): 'file' | 'folder' | null {
  try {
    const found = statSync(path);
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : null;
  } catch {
    return null; // not there, or not for us to see
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
