// Which agent a process belongs to: by its name, or by the script that an interpreter runs. An interpreter's own name says nothing.
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { INTERPRETER, lastNamedPart, MOST_NAMED, upwardsFrom } from './process-table.ts';

/** A process as it is judged. */
export interface JudgedProcess {
  /** Of the process and of its program. */
  readonly names: readonly string[];
  /** Its command line, the program first; null: it cannot be read. */
  readonly words: readonly string[] | null;
  /** Its working directory, for a script that is named from there; null: not known. */
  readonly cwd: string | null;
  /** The words may have been parted at spaces within a path. */
  readonly isSplit?: boolean;
}

const plain = (name: string): string => name.toLowerCase().replace(/\.(?:exe|cmd|[cm]?[jt]s)$/, '');

/** What a script is called: by its path, and by the package that it is a file of. */
function namesOf(path: string): readonly string[] {
  const parts = path.split(/[/\\]/);
  const modules = parts.lastIndexOf('node_modules');
  const [first = '', second = ''] = modules === -1 ? [] : parts.slice(modules + 1);
  return [lastNamedPart(parts) ?? '', first.startsWith('@') ? second : first];
}

const isAbsolute = (path: string): boolean => /^(?:[/\\]|[a-z]:)/i.test(path);

/** Where the script may be: up to the first word that is no option, nor the value of the option before it. */
function scriptsIn({ words, isSplit }: JudgedProcess): readonly string[] {
  const [program = '', ...rest] = words ?? [];
  const found = [program];
  for (const [index, word] of rest.entries()) {
    if (word === '' || word.startsWith('-') || (index === 0 && word === 'run')) continue; // `bun run FILE`
    found.push(word);
    if (!isSplit && !rest[index - 1]?.startsWith('-')) break;
  }
  return found;
}

/** Null: what it runs cannot be seen. */
function scriptNames(judged: JudgedProcess): readonly string[] | null {
  if (judged.words === null) return null;
  const scripts = scriptsIn(judged).map((path) =>
    isAbsolute(path) || judged.cwd === null ? path : `${judged.cwd}/${path}`,
  );
  const names = scripts.map(namesOf);
  // `node cli.js` somewhere: in whose folder?
  const isNameless = (path: string, index: number): boolean =>
    index > 0 && !isAbsolute(path) && names[index]?.every((name) => name === '') === true;
  return scripts.some(isNameless) ? null : names.flat();
}

/** The first of these agents that one of the processes is; null: none. What an interpreter runs and cannot be seen counts as the agent whose interpreter it may be. */
export function agentAmong<A extends { readonly processNames: readonly string[] }>(
  agents: readonly A[],
  processes: readonly JudgedProcess[],
): A | null {
  const isOf =
    ({ processNames }: A) =>
    (judged: JudgedProcess): boolean => {
      const own = new Set(processNames.filter((name) => !INTERPRETER.test(name)).map(plain));
      const names = judged.names.map(plain);
      if (names.some((name) => own.has(name))) return true;
      if (!names.some((name) => INTERPRETER.test(name))) return false;
      const scripts = scriptNames(judged);
      if (scripts === null) return names.some((name) => processNames.includes(name));
      return scripts.some((name) => own.has(plain(name)));
    };
  return agents.find((agent) => processes.some(isOf(agent))) ?? null;
}

/** The process with this pid and those above it, the nearest first: by /proc, so on Linux only. */
export function judgedFrom(pid: number): readonly JudgedProcess[] {
  return upwardsFrom(pid, MOST_NAMED).map(({ pid: one, name }) => {
    const program = orNull(() => basename(readlinkSync(`/proc/${one}/exe`)));
    return {
      names: program === null ? [name] : [name, program],
      words: orNull(() => readFileSync(`/proc/${one}/cmdline`, 'utf8').split('\0').slice(0, -1)),
      cwd: orNull(() => readlinkSync(`/proc/${one}/cwd`)),
    };
  });
}

/** Null: the process is gone, or another user's. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
