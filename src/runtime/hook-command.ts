// The command lines in an agent client's settings that run our hooks. They exit 0, silently, also when belfry or its
// Node has been moved or removed since.
import { posix, win32 } from 'node:path';

/** `fast`: the shell hook, which falls through to the Node one. `socket`: the Node hook by sh. `cmd`: the same by cmd.exe. */
export const HOOK_FORMS = ['fast', 'socket', 'cmd'] as const;
export type HookForm = (typeof HOOK_FORMS)[number];

/** As REPLY_STATUS of src/ipc/ask.ts: a test compares them. */
const REPLY_STATUS = 42;

/** The parts of a command line; paths are absolute. */
export interface HookCommand {
  readonly form: HookForm;
  readonly agent: string;
  /** For clients whose input names no event. */
  readonly event?: string | undefined;
  /** For clients that demand an answer on stdout. */
  readonly print?: string | undefined;
  /** The hook leaves at once unless the run folder holds a file of this name. */
  readonly marker?: string | undefined;
  /** The Node executable. */
  readonly node: string;
  /** Folder of the installed package. */
  readonly packageDir: string;
  /** Where a copy of belfry-fallback.sh is kept, for when the package is gone; below `home` it is found in a moved home too. */
  readonly fallback?: { readonly path: string; readonly home: string } | undefined;
}

/** The command line for a shell. */
export function hookCommand(options: HookCommand): string {
  if (options.form === 'cmd') return cmdCommand(options);
  const dist = posix.join(options.packageDir, 'dist');
  const set = ['set', '--', options.node, dist, ...hookArguments(options)].map(quote).join(' ');
  const copy = options.fallback ? ` ${inHome(options.fallback)}` : '';
  if (options.form === 'fast') return `${set}; ${sourceFirst(`"$2/belfry-hook.sh"${copy}`)}; exit 0`;
  const run = `_node=$1 _hook=$2/belfry-hook.cjs; shift 2; NODE_OPTIONS= "$_node" "$_hook" "$@" 2>/dev/null`;
  const fallback = sourceFirst(`"$2/belfry-fallback.sh"${copy}`);
  return `${set}; if [ -x "$1" ] && [ -f "$2/belfry-hook.cjs" ]; then ${run}; else ${fallback}; fi; exit 0`;
}

/** Runs the first of these files that is there, and no other, however it ends: it may have taken the arguments and the input. */
function sourceFirst(files: string): string {
  return `for _f in ${files}; do [ -f "$_f" ] && [ -r "$_f" ] && { . "$_f"; break; }; done`;
}

function inHome({ path, home }: { readonly path: string; readonly home: string }): string {
  return home !== '' && path.startsWith(`${home}/`) ? `"$HOME"${quote(path.slice(home.length))}` : quote(path);
}

/** The parts of an answering hook's command line; paths are absolute. */
export interface AskCommand extends Pick<HookCommand, 'agent' | 'node' | 'packageDir'> {
  /** Whether it may hand a reply to the client. */
  readonly reply: boolean;
  /** Whether the client's own dialog is usable while it waits. */
  readonly beside?: true | undefined;
}

/**
 * The command line of the answering hook, for a shell. A client that takes exit status 2 for a reply would start turn after turn if a
 * shell's own error, which may be 2 as well, ended it: so it ends with 2 only after our program's own status, and with 0 else.
 */
export function askCommand({ agent, node, packageDir, reply, beside }: AskCommand): string {
  const dist = posix.join(packageDir, 'dist');
  const how = [...(reply ? ['--reply'] : []), ...(beside ? ['--beside'] : [])];
  const set = ['set', '--', node, dist, '--agent', agent, ...how].map(quote).join(' ');
  const other = `[ -x "$_node" ] || _node=$(command -v node)`;
  const start = `${set}; _node=$1 _ask=$2/belfry-ask.cjs; shift 2; ${other}; [ -x "$_node" ] && [ -f "$_ask" ] &&`;
  const run = `NODE_OPTIONS= NODE_NO_WARNINGS=1 "$_node" "$_ask" "$@"`;
  if (!reply) return `${start} ${run} 2>/dev/null; exit 0`;
  return `${start} { ${run}; [ "$?" = ${REPLY_STATUS} ] && exit 2; }; exit 0`;
}

/** The same on a machine that another one looks after, where a script in sh waits. */
export function farAskCommand({ agent, packageDir, reply, beside }: Omit<AskCommand, 'node'>): string {
  const how = [...(reply ? ['--reply'] : []), ...(beside ? ['--beside'] : [])];
  const set = ['set', '--', posix.join(packageDir, 'dist'), '--agent', agent, ...how].map(quote).join(' ');
  const run = `[ -f "$1/belfry-ask.sh" ] && sh "$1/belfry-ask.sh" "$@"`;
  if (!reply) return `${set}; ${run} 2>/dev/null; exit 0`;
  return `${set}; ${run}; [ "$?" = ${REPLY_STATUS} ] && exit 2; exit 0`;
}

/** Program and arguments, for clients that run a command without a shell. */
export function hookArgv(options: HookCommand): string[] {
  const { join } = options.form === 'cmd' ? win32 : posix;
  return [options.node, join(options.packageDir, 'dist', 'belfry-hook.cjs'), ...hookArguments(options)];
}

/** Whether a command line in a client's settings runs one of our hooks, of this version or an older one. */
export function isHookCommand(command: string): boolean {
  return /(?:^|[\s"'/\\])belfry-(?:hook|ask)(?:\.(?:cjs|mjs|sh|cmd|exe))?(?=$|[\s"';&|)])/.test(command);
}

/** Whether it is the answering one. */
export function isAskCommand(command: string): boolean {
  return isHookCommand(command) && /[\s"'/\\]belfry-ask(?:\.(?:[cm]js|sh))?[\s"';&|)]/.test(`${command} `);
}

/** Whether it runs the one that notifies. */
export function isNotifyingCommand(command: string): boolean {
  return /[\s"'/\\]belfry-hook(?:\.(?:cjs|sh|cmd|exe))?[\s\\"';&|)]/.test(` ${command} `);
}

function hookArguments({ agent, event, print, marker }: HookCommand): string[] {
  const options = Object.entries({ agent, event, marker, print });
  return options.flatMap(([name, value]) => (value ? [`--${name}`, value] : []));
}

/** Quotes one argument for any POSIX shell. */
function quote(word: string): string {
  return /^[A-Za-z0-9_/.@:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A path cannot hold a double quote on Windows; a per cent sign in one cannot be escaped for cmd.exe and stays as it is. */
function cmdCommand(options: HookCommand): string {
  const [node = '', hook = '', ...args] = hookArgv(options);
  const words = args.map((word) => (/^[A-Za-z0-9_.-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`));
  const given = words.join(' ');
  // With Node gone, the one on PATH; with the package gone, another one's.
  const other = `if exist "${hook}" (node "${hook}" ${given} 2>nul) else (call belfry-hook ${given} 2>nul)`;
  return `if exist "${node}" (if exist "${hook}" ("${node}" "${hook}" ${given} 2>nul) else (call belfry-hook ${given} 2>nul)) else (${other}) & exit 0`;
}
