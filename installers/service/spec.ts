// What this process knows of how the daemon is to be run as a service.
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Paths } from '../../src/runtime/paths.ts';
import { packageFolder } from '../package-folder.ts';
import { stableNode, stablePath } from '../../src/runtime/stable-path.ts';
import type { ServiceSpec } from './mechanism.ts';

/** The variables that decide where belfry's files are. */
const PLACES = ['BELFRY_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'] as const;

/** For this user, this package and this Node. */
export function ownServiceSpec(paths: Paths): ServiceSpec {
  const { env, platform } = process;
  const home = homedir();
  const set = PLACES.flatMap((name) => {
    const value = env[name];
    return value ? [[name, name === 'BELFRY_HOME' ? resolve(value) : value] as const] : [];
  });
  const xdg = env['XDG_CONFIG_HOME'];
  const local = env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local');
  return {
    node: stableNode(process.execPath, env),
    program: join(stablePath(packageFolder()), 'dist', 'belfry.js'),
    home,
    env: Object.fromEntries(set),
    envFile: environmentFile(paths),
    uid: process.getuid?.() ?? 0,
    configHome: platform === 'win32' ? local : xdg && isAbsolute(xdg) ? xdg : join(home, '.config'),
  };
}

/** Variables for the daemon as a service, which does not see those of your shell. */
export function environmentFile(paths: Paths): string {
  return join(dirname(paths.config), 'service.env');
}
