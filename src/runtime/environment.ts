// What this process's environment says about where belfry's files are.
import { type Paths, resolvePaths, type Environment } from './paths.ts';

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

function homeFolder(): string | undefined {
  try {
    return process.getBuiltinModule('node:os').homedir() || undefined;
  } catch {
    return undefined; // neither HOME nor an entry in the password file
  }
}
