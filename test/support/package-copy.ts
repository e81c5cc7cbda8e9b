// The built package in a folder of its own, to be replaced as a package manager does while programs run from it.
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './home.ts';

const root = new URL('../../', import.meta.url).pathname;
const { version: BUILT } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

export interface PackageCopy {
  readonly belfry: string;
  readonly hook: string;
  readonly daemon: string;
  readonly folder: string;
  /** Puts that version in place at once, by a rename. */
  readonly install: (version: string) => void;
  /** As npm does, one file after the other; `between` runs while only half is there. */
  readonly installSlowly: (version: string, between: () => Promise<void>) => Promise<void>;
  readonly remove: () => void;
}

/** Installs `version` into a temporary folder; `builtAt` (Unix ms): as another build of it. */
export function packageCopy(version: string, builtAt?: number): PackageCopy {
  const folder = join(temporaryFolder('belfry-package-'), 'belfry');
  const dist = join(folder, 'dist');
  const make = (at: string, of: string): void => {
    mkdirSync(at, { recursive: true });
    cpSync(join(root, 'dist'), join(at, 'dist'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(at, 'node_modules'));
    cpSync(join(root, 'package.json'), join(at, 'package.json'));
    const scripts = readdirSync(join(at, 'dist'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /js$/.test(name),
    );
    for (const name of scripts) writeFileSync(join(at, 'dist', name), stamped(join(at, 'dist', name), of));
    appendFileSync(join(at, 'dist', 'daemon.js'), `// ${of}\n`); // a build names its parts by what is in them
    if (builtAt !== undefined) stampBuild(at, builtAt);
  };
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  make(folder, version);
  return {
    belfry: join(dist, 'belfry.js'),
    hook: join(dist, 'belfry-hook.cjs'),
    daemon: join(dist, 'daemon.js'),
    folder,
    install: (next) => {
      make(`${folder}.new`, next);
      renameSync(folder, `${folder}.old`);
      renameSync(`${folder}.new`, folder);
      rmSync(`${folder}.old`, { recursive: true });
    },
    installSlowly: async (next, between) => {
      make(`${folder}.new`, next);
      renameSync(folder, `${folder}.old`);
      mkdirSync(dist, { recursive: true });
      const from = join(`${folder}.new`, 'dist');
      const take = (name: string): void => renameSync(join(from, name), join(dist, name));
      for (const name of ['daemon.js', 'belfry-hook.cjs', 'belfry-hook.sh']) take(name);
      await between();
      for (const name of readdirSync(from)) take(name);
      for (const name of ['node_modules', 'package.json']) renameSync(join(`${folder}.new`, name), join(folder, name));
      for (const left of [`${folder}.new`, `${folder}.old`]) rmSync(left, { recursive: true });
    },
    remove,
  };
}

/** Makes what lies there a build of its own. */
export function stampBuild(folder: string, at: number): void {
  writeFileSync(join(folder, 'dist', 'build.json'), JSON.stringify({ id: `build-${at}`, at }));
}

function stamped(path: string, version: string): string {
  return readFileSync(path, 'utf8').replaceAll(`"${BUILT}"`, `"${version}"`);
}
