// Project and branch of a working folder, read from git's own files: no process, bounded, with a deadline.
import { lstat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import { readStart } from '../lib/bounded-read.ts';
import { withDeadline } from './deadline.ts';

/** Null where not known. */
interface RepoInfo {
  readonly project: string | null;
  /** Branch, or worktree and branch, as shown to a person. */
  readonly branch: string | null;
}

/** Ms; a folder on a network that hangs must not hold anything up. */
const DEADLINE = 500;
const STEPS = 40;
const BYTES = 4_096;
/** A result is cached this long, ms. */
const FRESH = 5_000;
const KEPT = 500;

/** The last name of a path of any platform. */
function folderName(cwd: string): string | null {
  return cwd.split(/[\\/]+/).findLast((part) => part !== '' && !/^[A-Za-z]:$/.test(part)) ?? null;
}

function headText(head: string): string | null {
  const ref = /^ref: (?:refs\/heads\/)?(\S.*)$/m.exec(head)?.[1]?.trim();
  if (ref) return ref;
  const commit = /^[0-9a-f]{40,64}$/m.exec(head)?.[0];
  return commit ? `detached at ${commit.slice(0, 8)}` : null;
}

/** The folder that holds `.git`, and whether that is a folder itself. */
async function findGit(cwd: string, signal: AbortSignal): Promise<{ top: string; folder: boolean } | null> {
  let folder = cwd;
  for (let step = 0; step < STEPS && !signal.aborted; step++) {
    const found = await lstat(join(folder, '.git')).catch(() => null); // not here: further up
    if (found?.isDirectory() || found?.isFile()) return { top: folder, folder: found.isDirectory() };
    const up = dirname(folder);
    if (up === folder) return null;
    folder = up;
  }
  return null;
}

/** A worktree's or submodule's `.git` file names the folder of its own HEAD. */
async function linked(top: string): Promise<RepoInfo> {
  const pointer = await readStart(join(top, '.git'), BYTES);
  const target = /^gitdir: (.+)$/m.exec(pointer ?? '')?.[1]?.trim();
  if (!target) return { project: basename(top), branch: null };
  const own = resolve(top, target);
  const branch = headText((await readStart(join(own, 'HEAD'), BYTES)) ?? '');
  const common = (await readStart(join(own, 'commondir'), BYTES))?.trim();
  if (!common) return { project: basename(top), branch };
  const shared = resolve(own, common);
  const project = basename(shared) === '.git' ? basename(dirname(shared)) : basename(shared).replace(/\.git$/, '');
  return { project, branch: `${branch ?? 'unknown branch'} (worktree ${basename(top)})` };
}

async function findRepo(cwd: string, signal: AbortSignal): Promise<RepoInfo> {
  const plain: RepoInfo = { project: folderName(cwd), branch: null };
  // A path of another platform cannot be read; one of another machine (UNC) is not tried.
  if (!isAbsolute(cwd) || /^[\\/]{2}/.test(cwd)) return plain;
  const git = await findGit(cwd, signal);
  if (git === null) return plain;
  if (!git.folder) return linked(git.top);
  const head = await readStart(join(git.top, '.git', 'HEAD'), BYTES);
  if (head === null) return plain;
  return { project: basename(git.top) || plain.project, branch: headText(head) };
}

/** Project and branch of a folder; never throws. */
export function createRepoInfoReader(clock: Clock): (cwd: string) => Promise<RepoInfo> {
  const kept = new Map<string, { readonly at: number; readonly place: Promise<RepoInfo> }>();
  return (cwd) => {
    const known = kept.get(cwd);
    if (known && Math.abs(clock.now() - known.at) < FRESH) return known.place;
    const otherwise: RepoInfo = { project: folderName(cwd), branch: null };
    const place = withDeadline(clock, DEADLINE, otherwise, (signal) => findRepo(cwd, signal));
    kept.delete(cwd);
    kept.set(cwd, { at: clock.now(), place });
    const oldest = kept.keys().next().value;
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return place;
  };
}
