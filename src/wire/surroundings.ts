// What this process's environment says about where belfry's files are.
import { homedir, tmpdir } from 'node:os';
import { resolvePaths, type Paths, type Surroundings } from './paths.ts';

/** The running process as `resolvePaths` wants it. */
export function surroundings(): Surroundings {
  return {
    platform: process.platform,
    env: process.env,
    home: homeFolder(),
    tmp: tmpdir(),
    uid: process.getuid?.(),
  };
}

/** Belfry's paths for the running process. */
export function ownPaths(): Paths {
  return resolvePaths(surroundings());
}

function homeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined; // neither HOME nor an entry in the password file
  }
}
