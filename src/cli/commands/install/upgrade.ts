// `belfry upgrade`: says how this installation is upgraded, and what this machine knows of a newer one. It changes nothing, and asks nobody without --check.
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedBy, type Installer, upgradeCommand } from '../../../../installers/installed-by.ts';
import { type OwnPackage, packageAbove, packageFolder } from '../../../../installers/package-folder.ts';
import { mechanismFor } from '../../../../installers/service/index.ts';
import { ownServiceSpec } from '../../../../installers/service/spec.ts';
import { asObject, parseJson } from '../../../lib/json/json.ts';
import { oneLine } from '../../../lib/text/text.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { isNewer } from '../../../runtime/build-id.ts';
import { runningDaemon } from '../../../runtime/daemon-file.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { buildOfDaemon, ownBuild } from '../../daemon/wait-for-upgrade.ts';
import type { Define } from '../../command-entry.ts';
import type { Io } from '../../io.ts';
import { pathFor } from '../../output/path-for.ts';
import { wrap } from '../../output/wrap.ts';

/** Longest wait for the registry, ms. */
const PATIENCE = 30_000;

const BY: Readonly<Record<Installer, string>> = {
  npm: 'globally with npm',
  pnpm: 'globally with pnpm',
  yarn: 'globally with yarn',
  bun: 'globally with bun',
  volta: 'with volta',
  npx: "in npx's cache, which may be emptied at any time",
  project: 'among the packages of a project',
  source: 'from a clone',
  folder: 'from an unpacked package',
};

export const define: Define = (command, io) => {
  command
    .option('--check', "ask npm's registry for the latest version; nothing else is asked or sent")
    .action(async ({ check = false }: { readonly check?: boolean }) => {
      const own = ownPackage();
      const by = installedBy(realpathSync(own.folder));
      const newer = newerHere(io.env, own);
      const latest = check ? await latestPublished(own) : null;
      const line = upgradeCommand(by, own);
      const service = installedService();
      if (io.json)
        return io.data({
          version: own.version,
          folder: own.folder,
          installed_with: by,
          command: line,
          newer,
          latest,
          service,
        });
      const say = (text: string): void => {
        for (const part of wrap(text, io.tty ? io.columns : Infinity)) io.line(part);
      };
      say(`belfry ${own.version}, installed ${BY[by]}: ${pathFor(io, own.folder)}`);
      for (const one of newer) say(`Newer on this machine: ${one.version}, ${one.what} ${pathFor(io, one.folder)}`);
      if (latest !== null) say(latestWords(own.version, latest));
      else say(newer.length === 0 ? 'No newer version was found on this machine.' : 'That is another installation.');
      say('To upgrade:');
      io.line(`  ${line}`);
      if (line.includes('VERSION'))
        say('belfry-VERSION.tgz is what `npm ci && npm pack` makes in a clone of the newer version.');
      if (by === 'npx')
        say('To keep Belfry and its hooks, install it globally: run npm install -g with the same package.');
      say(
        service === null
          ? 'A running daemon is replaced automatically. Then run `belfry install --all` to update the hooks.'
          : `The service (${pathFor(io, service)}) switches to the new version automatically. Then run \`belfry install --all\` and \`belfry service install\` to update the hooks and the service.`,
      );
    });
};

function ownPackage(): OwnPackage {
  const found = packageAbove(fileURLToPath(import.meta.url));
  if (found === null) throw new UserError(`cannot read the package.json of ${packageFolder()}: install belfry again`);
  return found;
}

/** A newer one that is on this machine. */
interface Newer {
  readonly version: string;
  readonly folder: string;
  readonly what: 'the running daemon, of' | 'on PATH, in';
}

/** The running daemon, and others on PATH. */
function newerHere(env: Io['env'], own: OwnPackage): readonly Newer[] {
  const daemon = runningDaemon(resolveOwnPaths());
  const running: Newer[] =
    daemon !== null && isNewer(buildOfDaemon(daemon), ownBuild())
      ? [
          {
            version: daemon.version,
            folder: packageAbove(daemon.program ?? '')?.folder ?? daemon.program ?? 'elsewhere',
            what: 'the running daemon, of',
          },
        ]
      : [];
  const others = (env['PATH'] ?? '').split(delimiter).flatMap((folder): Newer[] => {
    const program = join(folder, 'belfry');
    const found = folder !== '' && existsSync(program) ? packageAbove(realpathSync(program)) : null;
    if (found === null || !isNewer({ version: found.version, build: null }, { version: own.version, build: null }))
      return [];
    return [{ version: found.version, folder: found.folder, what: 'on PATH, in' }];
  });
  const seen = new Set(running.map(({ folder }) => folder));
  return [...running, ...others.filter(({ folder }) => !seen.has(folder) && seen.add(folder))];
}

/** The service's file; null: none is installed. */
function installedService(): string | null {
  const file = mechanismFor(process.platform)?.file(ownServiceSpec(resolveOwnPaths()));
  return file !== undefined && existsSync(file) ? file : null;
}

/** As npm finds it, with its registry, proxy and login. Only of a package with the same home: another one may have the name. */
async function latestPublished({ repository }: OwnPackage): Promise<string> {
  if (repository === null)
    throw new UserError(
      'this package is not published (its package.json names no repository), so npm cannot be asked; `belfry upgrade` without --check says how to upgrade',
    );
  const { execa } = await import('execa');
  const ran = await execa('npm', ['view', 'belfry', 'version', 'repository.url', '--json'], {
    timeout: PATIENCE,
    stdin: 'ignore',
    reject: false,
    maxBuffer: 65_536,
  });
  if (ran.failed)
    throw new UserError(
      `npm cannot say which version is the latest: ${lastLine(ran.stderr) || 'is npm on PATH?'}`,
      EXIT.unreachable,
    );
  const said = published(ran.stdout);
  if (said === null || said.repository !== repository)
    throw new UserError(`the package "belfry" of npm's registry is not that of ${repository}`, EXIT.notFound);
  return said.version;
}

function published(text: string): { readonly version: string; readonly repository: string } | null {
  const { version, 'repository.url': repository } = asObject(parseJson(text));
  return typeof version === 'string' && typeof repository === 'string' ? { version, repository } : null;
}

const lastLine = (text: string): string => oneLine(text.trim().split('\n').at(-1) ?? '');

function latestWords(own: string, latest: string): string {
  const known = { build: null };
  if (isNewer({ version: latest, ...known }, { version: own, ...known })) return `The latest version is ${latest}.`;
  return own === latest ? 'This is the latest version.' : `This is newer than the latest published version, ${latest}.`;
}
