// Gets a real client from npm into a folder of its own, or says why it cannot be had.
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HOOK } from '../support/programs.ts';

const execute = promisify(execFile);
const MINUTES = 60_000;

/** What npm has it under. */
export interface Packaged {
  readonly name: string;
  /** The package, for this platform where there is one for each. */
  readonly package: string;
  readonly version: string;
  /** The program below its package's folder. */
  readonly program: string;
}

/** A folder for PATH with the client and the hook in it, or why it cannot be had. */
export async function obtain(client: Packaged, folder: string): Promise<{ path: string } | { reason: string }> {
  const installed = join(folder, 'package');
  mkdirSync(installed);
  writeFileSync(join(installed, 'package.json'), '{"private":true}\n');
  const what = `${client.package}@${client.version}`;
  try {
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--prefer-offline', what];
    await execute('npm', args, { cwd: installed, timeout: 5 * MINUTES });
    const path = join(folder, 'bin');
    mkdirSync(path);
    const program = join(installed, 'node_modules', client.package, client.program);
    symlinkSync(program, join(path, client.name));
    symlinkSync(HOOK, join(path, 'belfry-hook'));
    await execute(program, ['--version'], { timeout: MINUTES, env: { PATH: process.env['PATH'], HOME: folder } });
    return { path };
  } catch (error) {
    const text =
      error instanceof Error ? error.message.split('\n').filter(Boolean).slice(0, 3).join(' ') : String(error);
    return { reason: `${what} cannot be had here: ${text}` };
  }
}
