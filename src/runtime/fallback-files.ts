// What a hook whose Node or package is gone goes by: in the run folder, where it is as long as the home is.
import { copyFileSync, existsSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { joinPath } from './join-path.ts';
import type { Paths } from './paths.ts';
import { makePrivateFolder } from './private-folder.ts';
import { stableNode, stablePath } from './stable-path.ts';

const NAME = 'belfry-fallback.sh';

/** Where the copy of hooks/fallback.sh lies. */
export function fallbackCopy(paths: Pick<Paths, 'run'>): string {
  return joinPath(paths.run, NAME);
}

/** File of two lines: the Node and the dist/ that the last daemon or installation ran with. */
export function programFile(paths: Pick<Paths, 'run'>): string {
  return joinPath(paths.run, 'program');
}

/** Says which Node and which package work, `program` being a file of its dist/, and takes back what a hook said on the desktop. Never throws. */
export function leaveFallback(paths: Pick<Paths, 'run'>, program: string): void {
  const dist = stablePath(dirname(program));
  const source = joinPath(dist, NAME);
  if (process.platform === 'win32' || !existsSync(source) || makePrivateFolder(paths.run)) return;
  try {
    const file = programFile(paths);
    const part = (path: string): string => `${path}.${process.pid}.part`;
    writeFileSync(part(file), `${stableNode(process.execPath, process.env)}\n${dist}\n`, { mode: 0o600 });
    renameSync(part(file), file);
    const copy = fallbackCopy(paths);
    copyFileSync(source, part(copy));
    renameSync(part(copy), copy);
    unlinkSync(joinPath(paths.run, 'no-node'));
  } catch {
    // a full disk: the hooks have what `install` wrote; or nothing was said
  }
}
