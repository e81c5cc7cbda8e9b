// Whether a program can be found, for checks that run nothing.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ChannelTools } from '../../model/channel.ts';

/** The first of these names that is on the PATH; null: none. */
export function firstOnPath(names: readonly string[], { env, platform }: Pick<ChannelTools, 'env' | 'platform'>) {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const ending = platform === 'win32' ? '.exe' : '';
  return names.find((name) => folders.some((folder) => existsSync(join(folder, name + ending)))) ?? null;
}
