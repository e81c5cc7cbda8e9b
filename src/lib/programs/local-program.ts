// A program to run is looked for, and its folder entered, while this whole process waits: on a file system that hangs, for ever.
import { lstatSync, readlinkSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { PathFollower } from '../mounts/follow-path.ts';
import { createPresentMounts } from '../mounts/present-mounts.ts';

/** What is to be run. */
export interface ProgramPlace {
  readonly program: string;
  readonly cwd?: string | undefined;
  /** The PATH that it is looked for in. */
  readonly path: string;
}

/** `program` as it is to be started; `isHere`: it and its folder are on local file systems, so this process may wait for them. */
export interface LocatedProgram {
  readonly program: string;
  readonly isHere: boolean;
}

/** Where a path leads: to a local file system, to nothing, or to what is not to be touched. */
type Lead = 'local' | 'nothing' | 'elsewhere';

const mounts = createPresentMounts(process.platform, Date.now);

/** A name is found in the local folders of PATH first; what is only elsewhere is not touched. */
export async function locateProgram({ program, cwd, path }: ProgramPlace): Promise<LocatedProgram> {
  if (process.platform === 'win32') return { program, isHere: true }; // what is local there takes a second to find out
  const isEntered = cwd === undefined || (await leadOf(cwd)) !== 'elsewhere';
  if (program.includes('/')) {
    const whole = isAbsolute(program) ? program : join(cwd ?? '/', program);
    return { program, isHere: isEntered && (await leadOf(whole)) !== 'elsewhere' };
  }
  let isFree = true;
  for (const folder of path.split(delimiter).filter((part) => isAbsolute(part))) {
    const lead = await leadOf(join(folder, program));
    if (lead === 'local') return { program: isFree ? program : join(folder, program), isHere: isEntered };
    if (lead === 'elsewhere') isFree = false;
  }
  return { program, isHere: isEntered && isFree };
}

async function leadOf(path: string): Promise<Lead> {
  let isElsewhere = false;
  const follower = new PathFollower(async (here) => {
    isElsewhere = !(await mounts(here)).isLocal;
    return isElsewhere ? null : lookAt(here);
  }, Date.now);
  const real = await follower.follow(path);
  return isElsewhere ? 'elsewhere' : real === null ? 'nothing' : 'local';
}

/** On a local file system: a look takes no time. */
function lookAt(path: string): { readonly target: string | null } | null {
  try {
    return { target: lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null };
  } catch {
    return null; // not there, or not ours to see
  }
}
