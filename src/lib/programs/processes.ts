// The processes of this machine where there is no /proc: macOS by ps, Windows by CIM. Reading is pure and apart.
import { execFile } from 'node:child_process';
import { asObject, parseJson } from '../json/json.ts';

/** One process. `start`: the system's own form of its start time, compared as text only. */
export interface ListedProcess {
  readonly pid: number;
  readonly ppid: number;
  readonly start: string;
  readonly name: string;
}

/** By pid. */
export type ProcessTable = ReadonlyMap<number, ListedProcess>;

/** Reads `ps -axo pid=,ppid=,lstart=,comm=`. */
export function parsePs(text: string): ProcessTable {
  const table = new Map<number, ListedProcess>();
  for (const line of text.split('\n')) {
    const m = /^\s*(\d+)\s+(\d+)\s+(\w{3}\s+\w{3}\s+\d+\s+\d+:\d+:\d+\s+\d{4})\s+(\S.*)$/.exec(line.trimEnd());
    if (!m) continue;
    const [, pid = '', ppid = '', start = '', command = ''] = m;
    const name = command.split('/').at(-1) ?? command;
    table.set(Number(pid), { pid: Number(pid), ppid: Number(ppid), start: start.replaceAll(/\s+/g, ' '), name });
  }
  return table;
}

/** Reads `Get-CimInstance Win32_Process | Select ProcessId,ParentProcessId,CreationDate,Name | ConvertTo-Json`. */
export function parseCim(text: string): ProcessTable {
  const table = new Map<number, ListedProcess>();
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch {
    return table; // PowerShell printed something else: no process is known
  }
  for (const row of Array.isArray(rows) ? rows : [rows]) {
    if (typeof row !== 'object' || row === null) continue;
    const { ProcessId: pid, ParentProcessId: ppid, CreationDate: date, Name: name } = row as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof ppid !== 'number' || typeof name !== 'string') continue;
    const start = typeof date === 'string' ? date : JSON.stringify(date ?? null);
    table.set(pid, { pid, ppid, start, name: name.replace(/\.exe$/i, '') });
  }
  return table;
}

/** Reads `ps -o pid=,args= -p PIDS`: the words of each command line, which a space within a path parts as well. */
export function parsePsArguments(text: string): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  for (const line of text.split('\n')) {
    const [, pid, words] = /^\s*(\d+)\s+(\S.*)$/.exec(line.trimEnd()) ?? [];
    if (pid !== undefined && words !== undefined) found.set(Number(pid), words.split(/\s+/));
  }
  return found;
}

/** Reads `Get-CimInstance Win32_Process | Select ProcessId,CommandLine | ConvertTo-Json`; one that may not be read is not there. */
export function parseCimArguments(text: string): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  for (const row of [parseJson(text)].flat()) {
    const { ProcessId: pid, CommandLine: line } = asObject(row);
    if (typeof pid !== 'number' || typeof line !== 'string') continue;
    const words = Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare]) => quoted ?? bare ?? '');
    found.set(pid, words);
  }
  return found;
}

/** Reads `ps -E -o pid=,command=` by what `ps -o pid=,args=` prints of the same processes: what is more is their environment. */
export function parsePsEnvironments(text: string, plain: string): ReadonlyMap<number, readonly string[]> {
  const commands = parsePsArguments(plain);
  const found = new Map<number, readonly string[]>();
  for (const [pid, words] of parsePsArguments(text)) {
    const command = commands.get(pid);
    if (command !== undefined) found.set(pid, words.slice(command.length));
  }
  return found;
}

const LIMITS = { timeout: 5_000, maxBuffer: 16 * 1024 * 1024, windowsHide: true } as const;
const CIM =
  'Get-CimInstance Win32_Process | Select-Object ProcessId,ParentProcessId,CreationDate,Name | ConvertTo-Json -Compress';

/** What a program of the system prints, in English; rejects when it cannot be run, fails or takes longer than five seconds. */
export function outputOf(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    execFile(command, [...args], { ...LIMITS, env, encoding: 'utf8' }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
}

/** All processes now; rejects when the system's tool cannot be run. */
export async function listProcesses(platform: NodeJS.Platform): Promise<ProcessTable> {
  if (platform === 'win32')
    return parseCim(await outputOf('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', CIM]));
  return parsePs(await outputOf('/bin/ps', ['-axo', 'pid=,ppid=,lstart=,comm=']));
}

/** The command lines of these processes, as far as they may be read; rejects when the system's tool cannot be run. */
export async function commandLines(
  platform: NodeJS.Platform,
  pids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (pids.length === 0) return new Map();
  if (platform !== 'win32')
    return parsePsArguments(await outputOf('/bin/ps', ['-ww', '-o', 'pid=,args=', '-p', pids.join(',')]));
  const filter = pids.map((pid) => `ProcessId=${pid}`).join(' OR ');
  const script = `Get-CimInstance Win32_Process -Filter '${filter}' | Select-Object ProcessId,CommandLine | ConvertTo-Json -Compress`;
  return parseCimArguments(await outputOf('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]));
}

/** The environments of these processes, each `NAME=VALUE` parted at spaces, as far as they may be read: on macOS only. */
export async function environments(
  platform: NodeJS.Platform,
  pids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (pids.length === 0 || platform !== 'darwin') return new Map();
  const of = ['-ww', '-p', pids.join(',')];
  const [plain, more] = await Promise.all([
    outputOf('/bin/ps', [...of, '-o', 'pid=,args=']),
    outputOf('/bin/ps', [...of, '-E', '-o', 'pid=,command=']),
  ]);
  return parsePsEnvironments(more, plain);
}
