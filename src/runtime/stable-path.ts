// A path that outlives the version it has today: package and version managers keep a link to what they hold now.
import { existsSync, realpathSync } from 'node:fs';
import { posix } from 'node:path';

/** What is asked of the file system; tests bring their own. */
export interface LinkReader {
  /** Where a path leads to in the end; null: nowhere. */
  readonly real: (path: string) => string | null;
}

const SYSTEM: LinkReader = {
  real: (path) => {
    try {
      return realpathSync(path);
    } catch {
      return null; // no such link here
    }
  },
};

/** Where each keeps what it has now: the versioned part of a path, and the links that may stand for it, the best first. */
const MANAGERS: readonly (readonly [versioned: RegExp, links: readonly string[]])[] = [
  // Homebrew: what is linked, then the formula's own link, also of one that is not linked (node@22).
  [/^(.*)\/Cellar\/([^/]+)\/[^/]+\/(bin\/.*)$/, ['$1/$3', '$1/opt/$2/$3']],
  [/^(.*)\/Cellar\/([^/]+)\/[^/]+\/(.*)$/, ['$1/opt/$2/$3']],
  [/^(.*)\/versions\/node\/v[^/]+\/(.*)$/, ['$1/current/$2']], // nvm with NVM_SYMLINK_CURRENT
  [/^(.*)\/node-versions\/v[^/]+\/installation\/(.*)$/, ['$1/aliases/default/$2']], // fnm
  [
    /^(.*)\/installs\/([^/]+)\/(\d+)\.[^/]+\/(.*)$/,
    ['$1/installs/$2/latest/$4', '$1/installs/$2/lts/$4', '$1/installs/$2/$3/$4'],
  ], // mise
  [/^(.*)\/\.pnpm\/[^/]+\/node_modules\/(.*)$/, ['$1/node_modules/$2']],
  [/^(\/snap\/[^/]+)\/x?\d+\/(.*)$/, ['$1/current/$2']],
  [/^\/nix\/store\/[^/]+\/(.*)$/, ['/run/current-system/sw/$1', '/nix/var/nix/profiles/default/$1']],
];

/** The links that stand for such a path in the managers that are known, whether they are there or not. */
export function stableLinks(path: string): readonly string[] {
  return MANAGERS.flatMap(([versioned, links]) =>
    versioned.test(path) ? links.map((link) => path.replace(versioned, link)) : [],
  );
}

/** `path`, or a link that leads to it today and to its successor after an upgrade. An absolute path comes out. */
export function stablePath(path: string, { real }: LinkReader = SYSTEM): string {
  return stableLinks(path).find((link) => real(link) === real(path)) ?? path;
}

/** The Node to write down for later runs: a link that stays, or one of PATH that has no version in it, as long as it is this one. */
export function stableNode(
  execPath: string,
  env: Readonly<Record<string, string | undefined>>,
  reader: LinkReader = SYSTEM,
): string {
  const link = stablePath(execPath, reader);
  if (link !== execPath || !isVersioned(execPath)) return link;
  const own = reader.real(execPath);
  const found = foldersOf(env)
    .map((folder) => posix.join(folder, 'node'))
    .find((path) => !isVersioned(path) && !isTransient(path) && reader.real(path) === own);
  return found ?? execPath;
}

/** The Node to run a program with: this one, or another where it was taken away while this process ran. */
export function nodeProgram(
  execPath = process.execPath,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const others = [...stableLinks(execPath), ...foldersOf(env).map((folder) => posix.join(folder, 'node'))];
  return [execPath, ...others].find((path) => existsSync(path)) ?? execPath;
}

const foldersOf = (env: Readonly<Record<string, string | undefined>>): readonly string[] =>
  (env['PATH'] ?? '').split(':').filter((folder) => folder[0] === '/');

/** Gone with the version that it holds. */
const isVersioned = (path: string): boolean => /\d\.\d|\/nix\/store\//.test(path);

/** Gone with the shell, the build or the reboot it was made for. */
const isTransient = (path: string): boolean =>
  /\/fnm_multishells\/|^\/(?:run\/user|tmp|proc)\/|\/node_modules\//.test(path);
