// A client that `belfry run` has started: its folder with the two files, written by the wrapper and the client, read by the daemon.
import { randomBytes } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { joinPath } from '../runtime/join-path.ts';
import type { Paths } from '../runtime/paths.ts';
import { readPlainFile } from '../runtime/plain-file.ts';
import { makePrivateFolder } from '../runtime/private-folder.ts';
import { isAlive, startTime } from '../runtime/process-table.ts';

/** Name of the command that tells the daemon of one. */
export const WRAPPED = 'wrapped';
/** Clients that may run so at once. */
const MAX_CLIENTS = 50;
const NAME = /^[\w-]{12}$/;
/** A folder that does not say who made it is no new one after this long, ms. */
const BEGINS_WITHIN = 60_000;

/** A process, known again by its start. */
interface KnownProcess {
  readonly pid: number;
  /** Null: the platform does not say. */
  readonly start: string | null;
}

/** One of them. */
export interface WrappedClient {
  /** Name of its folder. */
  readonly id: string;
  readonly agent: string;
  readonly wrapper: KnownProcess;
  readonly client: KnownProcess;
  readonly folder: string;
  /** What the client writes. */
  readonly events: string;
  /** What it reads. */
  readonly answers: string;
}

type Files = Pick<WrappedClient, 'id' | 'folder' | 'events' | 'answers'>;

const foldersOf = (paths: Pick<Paths, 'state'>): string => joinPath(paths.state, 'wrapped');

function filesOf(paths: Pick<Paths, 'state'>, id: string): Files {
  const folder = joinPath(foldersOf(paths), id);
  return { id, folder, events: joinPath(folder, 'events.jsonl'), answers: joinPath(folder, 'answers.jsonl') };
}

/** A new pair of files that only this user can read; a text says why there is none. */
export function makeWrappedFiles(paths: Pick<Paths, 'state'>): Files | string {
  const files = filesOf(paths, randomBytes(9).toString('base64url'));
  const trouble = makePrivateFolder(files.folder);
  if (trouble !== null) return trouble;
  try {
    writeAbout(files, { v: 1, wrapper: known(process.pid) });
    for (const path of [files.events, files.answers]) writeFileSync(path, '', { mode: 0o600, flag: 'wx' });
    return files;
  } catch (error) {
    removeWrapped(files);
    return (error as Error).message;
  }
}

/** From now on the daemon finds it. `client`: pid of the client's process. */
export function announceWrapped(files: Files, agent: string, client: number): void {
  writeAbout(files, { v: 1, agent, wrapper: known(process.pid), client: known(client) });
}

const known = (pid: number): KnownProcess => ({ pid, start: startTime(pid) });

/** Whole at any moment. */
function writeAbout({ folder }: Files, about: object): void {
  const path = joinPath(folder, 'about.json');
  writeFileSync(`${path}.new`, JSON.stringify(about), { mode: 0o600, flag: 'wx' });
  renameSync(`${path}.new`, path);
}

/** Takes its folder away. */
export function removeWrapped({ folder }: Pick<Files, 'folder'>): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Null: there is no such one, or its client is not started yet. */
export function readWrapped(paths: Pick<Paths, 'state'>, id: string): WrappedClient | null {
  if (!NAME.test(id)) return null;
  const files = filesOf(paths, id);
  const { agent, wrapper, client } = readAbout(files);
  if (typeof agent !== 'string' || !isProcess(wrapper) || !isProcess(client)) return null;
  return { ...files, agent, wrapper, client };
}

/** Nothing in it: it is not written yet, gone, or damaged. */
function readAbout({ folder }: Pick<Files, 'folder'>): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(readPlainFile(joinPath(folder, 'about.json'), 4_096))) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Whoever made the folder has left it without starting a client. */
function isAbandoned(files: Files): boolean {
  const { wrapper } = readAbout(files);
  if (isProcess(wrapper)) return !isAlive(wrapper.pid, wrapper.start);
  const found = statSync(files.folder, { throwIfNoEntry: false });
  return found !== undefined && found.mtimeMs < Date.now() - BEGINS_WITHIN;
}

/** Those whose client runs; what others have left behind is removed. */
export function runningWrapped(paths: Pick<Paths, 'state'>): readonly WrappedClient[] {
  let names: readonly string[] = [];
  try {
    names = readdirSync(foldersOf(paths)).filter((name) => NAME.test(name));
  } catch {
    return []; // none was ever started
  }
  return names
    .flatMap((id) => {
      const found = readWrapped(paths, id);
      if (found !== null && isAlive(found.client.pid, found.client.start)) return [found];
      if (isAbandoned(filesOf(paths, id))) removeWrapped(filesOf(paths, id));
      return [];
    })
    .slice(0, MAX_CLIENTS);
}

function isProcess(value: unknown): value is KnownProcess {
  const { pid, start } = (value ?? {}) as Record<string, unknown>;
  return typeof pid === 'number' && (typeof start === 'string' || start === null);
}
