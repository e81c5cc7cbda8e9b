// What this process's environment says about where belfry's files are.
import { homelessFolder, type Paths, resolvePaths, type Environment } from './paths.ts';
import { makePrivateFolder } from './private-folder.ts';

/** The running process as `resolvePaths` wants it. node:os is loaded only where it is asked: it costs the hook time. */
export function currentEnvironment(): Environment {
  const { env, platform } = process;
  return {
    platform,
    env,
    home: (platform !== 'win32' && env['HOME']) || homeFolder(),
    get tmp() {
      return process.getBuiltinModule('node:os').tmpdir();
    },
    uid: process.getuid?.(),
  };
}

/** Belfry's paths for the running process. */
export function resolveOwnPaths(): Paths {
  return resolvePaths(currentEnvironment());
}

/**
 * What is wrong with the folder that stands for a missing home; null: nothing, or there is a home. It lies where every user
 * may write, so it is made first and nothing in it is used when it is another's.
 */
export function homelessTrouble(): string | null {
  const here = currentEnvironment();
  return here.env['BELFRY_HOME'] || here.home ? null : makePrivateFolder(homelessFolder(here));
}

function homeFolder(): string | undefined {
  try {
    return process.getBuiltinModule('node:os').homedir() || undefined;
  } catch {
    return undefined; // neither HOME nor an entry in the password file
  }
}
