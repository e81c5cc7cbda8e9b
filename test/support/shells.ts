// Every sh that is in use and installed here, to run what a client would have its own run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Full path of a program; null when it is not installed. */
function find(program: string): string | null {
  return spawnSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim() || null;
}

/** zsh behaves as sh when it is called so. */
function asSh(path: string): string {
  const link = join(mkdtempSync(join(tmpdir(), 'belfry-sh-')), 'sh');
  symlinkSync(path, link);
  return link;
}

/** Program and arguments of each, without `-c`. */
export const SHELLS: readonly { readonly name: string; readonly shell: readonly string[] }[] = [
  { name: 'dash', path: find('dash'), args: [] },
  { name: 'bash', path: find('bash'), args: [] },
  { name: 'bash --posix', path: find('bash'), args: ['--posix'] },
  { name: 'busybox sh', path: find('busybox'), args: ['sh'] },
  { name: 'zsh', path: find('zsh'), args: [] },
  { name: 'zsh as sh', path: find('zsh') && asSh(find('zsh') ?? ''), args: [] },
  { name: 'ksh', path: find('ksh'), args: [] },
].flatMap(({ name, path, args }) => (path ? [{ name, shell: [path, ...args] }] : []));
