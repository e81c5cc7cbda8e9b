// What `belfry remote add` was given as a machine, and a conversation with one.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { FarSession, type FarFacts } from '../../../../installers/far/far-session.ts';
import { packageFolder } from '../../../../installers/package-folder.ts';
import { readSettings } from '../channel/config-before.ts';
import { remoteNameFault } from '../../../config/schema.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { type RemoteConfig, SSH_HOST } from '../../../model/settings/remotes.ts';
import { quotedWord } from '../../../lib/text/quoted-word.ts';
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

/** Looks a container up by its label each time: its name changes as it is built again. */
const labelled = (engine: string, label: string): readonly string[] => [
  'sh',
  '-c',
  `it=$(${engine} ps -q --filter "label=$0") || exit; for it in $it; do break; done; [ -n "$it" ] || { echo "no container with the label $0 runs" >&2; exit 1; }; exec ${engine} exec -i "$it" "$@"`,
  label,
];
const LABEL = /^label=([A-Za-z0-9][A-Za-z0-9_.-]*=.+)$/;

/** Null: it is a name. */
const labelOf = (engine: string, rest: string): string | null =>
  engine === 'wsl' ? null : (LABEL.exec(rest)?.[1] ?? null);

/** The program that runs words in what is called so; null: there is no such engine. */
function commandOf(engine: string, rest: string): readonly string[] | null {
  if (!Object.hasOwn(ENGINES, engine)) return null;
  const label = labelOf(engine, rest);
  return label === null ? (ENGINES[engine]?.(rest) ?? null) : labelled(engine, label);
}

/** `isCommand`: the words are a program's, and no host. UserError for a host that is none. */
export function targetOf(words: readonly string[], isCommand: boolean): Target {
  const [first = ''] = words;
  if (isCommand || words.length > 1) return { settings: { run: words }, name: plainName(words.at(-1) ?? '') };
  const [, engine = '', rest = ''] = /^([a-z]+):(.+)$/.exec(first) ?? [];
  const run = commandOf(engine, rest);
  if (run !== null) {
    const label = labelOf(engine, rest);
    if (label === null && !/^[A-Za-z0-9][A-Za-z0-9_. -]{0,127}$/.test(rest))
      throw new UserError(`"${rest}" is not the name of one: see \`${engine} ps\``, EXIT.usage);
    // The label of a devcontainer is the path of its folder.
    return { settings: { run }, name: plainName(label?.split(/[=/\\]/).findLast((part) => part !== '') ?? rest) };
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

/** How `remote add` takes what is reached with this program; null: only as its words. */
function hostOf(run: readonly string[]): string | null {
  const last = run.at(-1) === '-e' ? run.at(-2) : run.at(-1);
  const hosts = Object.keys(ENGINES).flatMap((engine) => [`${engine}:${last}`, `${engine}:label=${last}`]);
  return (
    hosts.find((host) => {
      const [engine = '', rest = ''] = splitAt(host);
      return isDeepStrictEqual(commandOf(engine, rest), run);
    }) ?? null
  );
}

const splitAt = (host: string): readonly string[] => [
  host.slice(0, host.indexOf(':')),
  host.slice(host.indexOf(':') + 1),
];

/** The command that adds it once more, with these options. */
export function addCommand(
  name: string,
  { ssh, run = [] }: Pick<Reach, 'ssh' | 'run'>,
  options: readonly string[] = [],
): string {
  const host = ssh ?? hostOf(run);
  const isNamed = host === null || targetOf([host], false).name !== name;
  const named = [...(isNamed ? ['--name', name] : []), ...options];
  const words = host === null ? [...named, '--', ...run] : [host, ...named];
  return ['belfry remote add', ...words.map(quotedWord)].join(' ');
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
    const [, engine, label] = /^(\w+):label=(.*)$/s.exec(hostOf(run) ?? '') ?? [];
    const tried =
      ssh !== undefined
        ? ['ssh', ssh]
        : label === undefined
          ? [...run, 'true']
          : [engine ?? '', 'ps', '--filter', `label=${label}`];
    const by = tried.map(quotedWord).join(' ');
    throw new UserError(`${error.message}; make \`${by}\` work, then try again (nothing was changed)`, error.exit);
  }
}
