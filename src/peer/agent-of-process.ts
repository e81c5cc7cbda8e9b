// Which agent runs a process: by the names of those around it, or the script that an interpreter runs, or by a variable that only agents set. An interpreter's own name says nothing.
import type { Agent } from '../model/agent/agent.ts';
import { INTERPRETER, lastNamedPart } from '../runtime/process-table.ts';

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
  /** Its environment as it was started, each `NAME=VALUE`; null: it cannot be read. */
  readonly variables: readonly string[] | null;
}

/** What an agent is known by. */
export type KnownAgent = Pick<Agent, 'name' | 'processNames' | 'commandsRunBy' | 'commandVariables'>;

/** An agent that was found. */
export interface FoundAgent {
  readonly name: string;
  /** The variable that shows it, where no process does. */
  readonly variable: string | null;
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

/** Whether this process is the agent's own. What an interpreter runs and cannot be seen counts as the agent whose interpreter it may be. */
function isOf({ processNames, commandsRunBy = processNames }: KnownAgent, judged: JudgedProcess): boolean {
  const own = new Set(commandsRunBy.filter((name) => !INTERPRETER.test(name)).map(plain));
  const names = judged.names.map(plain);
  if (names.some((name) => own.has(name))) return true;
  if (!names.some((name) => INTERPRETER.test(name))) return false;
  const scripts = scriptNames(judged);
  if (scripts === null) return names.some((name) => commandsRunBy.includes(name));
  return scripts.some((name) => own.has(plain(name)));
}

/** The one of its variables that this environment has; one that is empty counts as not set. */
function variableOf({ commandVariables }: KnownAgent, { variables }: JudgedProcess): string | null {
  const isSet = (name: string): boolean =>
    variables?.some((pair) => pair.length > name.length + 1 && pair.startsWith(`${name}=`)) === true;
  return commandVariables.find(isSet) ?? null;
}

/** The first of these agents that runs one of the processes; null: none does. */
export function agentAmong(agents: readonly KnownAgent[], processes: readonly JudgedProcess[]): FoundAgent | null {
  const agent = agents.find((one) => processes.some((judged) => isOf(one, judged)));
  if (agent) return { name: agent.name, variable: null };
  for (const one of agents)
    for (const judged of processes) {
      const variable = variableOf(one, judged);
      if (variable !== null) return { name: one.name, variable };
    }
  return null;
}
