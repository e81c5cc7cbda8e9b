// Finds a client's program: on the PATH, else where its own installer or a version manager puts it (an alias is no file).
import { delimiter, join } from 'node:path';
import type { Agent } from '../src/model/agent/agent.ts';
import { localFacts } from './files/access.ts';
import type { Machine } from './settings-file.ts';

/** Below the home folder: package managers and installers. */
const FOLDERS = [
  ['.local', 'bin'],
  ['bin'],
  ['.npm-global', 'bin'],
  ['.npm-packages', 'bin'],
  ['.volta', 'bin'],
  ['.bun', 'bin'],
  ['.local', 'share', 'pnpm'],
  ['Library', 'pnpm'],
  ['.asdf', 'shims'],
  ['.local', 'share', 'mise', 'shims'],
  ['.nix-profile', 'bin'],
] as const;
/** Folders with one folder for each version of Node, whose programs are in the second. */
const NODE_VERSIONS = [
  [['.nvm', 'versions', 'node'], ['bin']],
  [
    ['.local', 'share', 'fnm', 'node-versions'],
    ['installation', 'bin'],
  ],
  [
    ['.fnm', 'node-versions'],
    ['installation', 'bin'],
  ],
] as const;

/** The full path of the agent's program; null when it is in none of these places. */
export function findProgram(agent: Agent, machine: Machine): string | null {
  const [program] = agent.version ?? [];
  if (program === undefined) return null;
  return firstIn(foldersOf(agent, machine), program, machine);
}

/** The full path of a program on the PATH; null when it is not there. */
export const onPath = (program: string, machine: Machine): string | null =>
  firstIn(pathFolders(machine), program, machine);

function firstIn(folders: Iterable<string>, program: string, machine: Machine): string | null {
  const { platform, facts = localFacts } = machine;
  const names = platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program];
  for (const folder of folders) {
    const found = names.map((name) => join(folder, name)).find(facts.isExecutable);
    if (found !== undefined) return found;
  }
  return null;
}

const pathFolders = ({ env }: Machine): readonly string[] =>
  (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');

function* foldersOf(agent: Agent, machine: Machine): Generator<string> {
  const { env, home, platform, facts = localFacts } = machine;
  yield* pathFolders(machine);
  for (const folder of agent.installFolders ?? []) yield join(home, ...folder);
  if (platform === 'win32') {
    const roaming = env['APPDATA'];
    if (roaming) yield join(roaming, 'npm');
    return;
  }
  for (const folder of FOLDERS) yield join(home, ...folder);
  for (const [versions, bin] of NODE_VERSIONS)
    for (const version of newestFirst(facts.list(join(home, ...versions))))
      yield join(home, ...versions, version, ...bin);
}

const newestFirst = (names: readonly string[]): string[] =>
  [...names].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
