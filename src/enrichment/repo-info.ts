// Project and branch of a working folder, read from git's own files: not by git, bounded, with a deadline.
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Files } from '../files/index.ts';
import type { Clock } from '../lib/clock.ts';
import { withDeadline } from '../lib/async/deadline.ts';

/** Null where not known. */
interface RepoInfo {
  readonly project: string | null;
  /** Branch, or worktree and branch, as shown to a person. */
  readonly branch: string | null;
}

/** Ms; what is known to hang takes none of it. */
const DEADLINE = 1_000;
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
async function findGit(
  cwd: string,
  files: Files,
  signal: AbortSignal,
): Promise<{ top: string; folder: boolean } | null> {
  let folder = cwd;
  for (let step = 0; step < STEPS && !signal.aborted; step++) {
    const kind = (await files.entry(join(folder, '.git')))?.kind;
    if (kind === 'folder' || kind === 'file') return { top: folder, folder: kind === 'folder' };
    const up = dirname(folder);
    if (up === folder) return null;
    folder = up;
  }
  return null;
}

/** A worktree's or submodule's `.git` file names the folder of its own HEAD. */
async function linked(top: string, files: Files): Promise<RepoInfo> {
  const pointer = await files.start(join(top, '.git'), BYTES);
  const target = /^gitdir: (.+)$/m.exec(pointer ?? '')?.[1]?.trim();
  if (!target) return { project: basename(top), branch: null };
  const own = resolve(top, target);
  const branch = headText((await files.start(join(own, 'HEAD'), BYTES)) ?? '');
  const common = (await files.start(join(own, 'commondir'), BYTES))?.trim();
  if (!common) return { project: basename(top), branch };
  const shared = resolve(own, common);
  const project = basename(shared) === '.git' ? basename(dirname(shared)) : basename(shared).replace(/\.git$/, '');
  return { project, branch: `${branch ?? 'unknown branch'} (worktree ${basename(top)})` };
}

async function findRepo(cwd: string, files: Files, signal: AbortSignal): Promise<RepoInfo> {
  const plain: RepoInfo = { project: folderName(cwd), branch: null };
  if (!isAbsolute(cwd)) return plain; // of another platform
  const git = await findGit(cwd, files, signal);
  if (git === null) return plain;
  if (!git.folder) return linked(git.top, files);
  const head = await files.start(join(git.top, '.git', 'HEAD'), BYTES);
  if (head === null) return plain;
  return { project: basename(git.top) || plain.project, branch: headText(head) };
}

/** Project and branch of a folder; never throws. One of another machine, which is not looked at, says its project only. */
export function createRepoInfoReader(
  clock: Clock,
  files: Files,
): (cwd: string, isElsewhere?: boolean) => Promise<RepoInfo> {
  const kept = new Map<string, { readonly at: number; readonly place: Promise<RepoInfo> }>();
  return async (cwd, isElsewhere = false) => {
    const otherwise: RepoInfo = { project: folderName(cwd), branch: null };
    if (isElsewhere) return otherwise;
    const known = kept.get(cwd);
    if (known && Math.abs(clock.now() - known.at) < FRESH) return known.place;
    const place = withDeadline(clock, DEADLINE, otherwise, (signal) => findRepo(cwd, files, signal));
    kept.delete(cwd);
    kept.set(cwd, { at: clock.now(), place });
    const oldest = kept.keys().next().value;
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return place;
  };
}
