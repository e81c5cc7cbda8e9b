// What `belfry remote add` was given as a machine, and a conversation with one.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FarSession, type FarFacts } from '../../../../installers/far/far-session.ts';
import { packageFolder } from '../../../../installers/package-folder.ts';
import { readSettings } from '../channel/config-before.ts';
import { remoteNameFault } from '../../../config/schema.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { type RemoteConfig, SSH_HOST } from '../../../model/settings/remotes.ts';
import { didYouMean } from '../../../lib/text/did-you-mean.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { type Reach, reachCommand } from '../../../runtime/remote-command.ts';

/** How it is reached, as the settings have it, and what it is called unless somebody says so. */
export interface Target {
  readonly settings: { readonly ssh: string } | { readonly run: readonly string[] };
  readonly name: string;
}

const ENGINES: Readonly<Record<string, (name: string) => readonly string[]>> = {
  docker: (name) => ['docker', 'exec', '-i', name],
  podman: (name) => ['podman', 'exec', '-i', name],
  wsl: (name) => ['wsl.exe', '-d', name, '-e'],
};

/** `isCommand`: the words are a program's, and no host. UserError for a host that is none. */
export function targetOf(words: readonly string[], isCommand: boolean): Target {
  const [first = ''] = words;
  if (isCommand || words.length > 1) return { settings: { run: words }, name: plainName(words.at(-1) ?? '') };
  const [, engine = '', rest = ''] = /^([a-z]+):(.+)$/.exec(first) ?? [];
  const run = Object.hasOwn(ENGINES, engine) ? ENGINES[engine]?.(rest) : undefined;
  if (run !== undefined) {
    if (!/^[A-Za-z0-9][A-Za-z0-9_. -]{0,127}$/.test(rest))
      throw new UserError(`"${rest}" is not the name of one: see \`${engine} ps\``, EXIT.usage);
    return { settings: { run }, name: plainName(rest) };
  }
  if (!SSH_HOST.test(first))
    throw new UserError(`"${first}" is not a host: write a name of your ssh_config, or user@host`, EXIT.usage);
  return { settings: { ssh: first }, name: plainName(first.slice(first.indexOf('@') + 1)) };
}

const plainName = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 63);

/** UserError for a name that no machine elsewhere can have. */
export function assertName(name: string): void {
  const fault = remoteNameFault(name);
  if (fault !== null) throw new UserError(`"${name}" ${fault} (--name)`, EXIT.usage);
}

/** Its settings. UserError: there are none. */
export async function remoteNamed(paths: Paths, name: string): Promise<RemoteConfig> {
  const { config } = await readSettings(paths);
  const found = Object.hasOwn(config.remotes, name) ? config.remotes[name] : undefined;
  if (found) return found;
  const near = didYouMean(name, Object.keys(config.remotes));
  throw new UserError(`there is no remote "${name}"${near || '; `belfry remote list` shows them'}`, EXIT.notFound);
}

/** The command that adds it once more, with these options. */
export function addCommand(name: string, { ssh, run = [] }: RemoteConfig, options: readonly string[] = []): string {
  const isNamed = ssh === undefined || targetOf([ssh], false).name !== name;
  const named = [...(isNamed ? ['--name', name] : []), ...options];
  const words = ssh === undefined ? [...named, '--', ...run] : [ssh, ...named];
  return ['belfry remote add', ...words].join(' ');
}

/** A script of the package. */
export const scriptText = (file: string): Promise<string> => readFile(join(packageFolder(), 'dist', file), 'utf8');

/** Begins to look at it, and to change its files. `asks`: its person may be asked for a password. */
export async function openSession(
  reach: Reach,
  name: string,
  asks: boolean,
): Promise<{ readonly session: FarSession; readonly facts: FarFacts }> {
  const command = (bootstrap: string, words: readonly string[]): readonly string[] =>
    reachCommand(reach, bootstrap, words, asks);
  try {
    return await FarSession.open(command, await scriptText('setup-far.sh'), name);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { ssh, run = [] } = reach;
    const by = ssh === undefined ? [...run, 'true'].join(' ') : `ssh ${ssh}`;
    throw new UserError(`${error.message}; make \`${by}\` work, then try again (nothing was changed)`, error.exit);
  }
}
