#!/usr/bin/env node
// The command line's entry, built into one file: answers what needs no parser, and loads the code of any other command.
import { didYouMean } from '../lib/text/did-you-mean.ts';
import { VERSION } from '../lib/version.ts';
import { EXIT, type ExitCode } from '../model/errors.ts';
import { type Io, processIo } from './io.ts';
import { COMMANDS } from './commands.ts';
import { GROUPS } from './command-entry.ts';
import { reportError } from './report-error.ts';
import { commandMeant } from './words-of-others.ts';

// A reader that has seen enough (head, less) is no error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    throw error;
  });

function overview(): string {
  const shown = COMMANDS.filter((entry) => entry.hidden !== true);
  const width = Math.max(...shown.map((entry) => entry.name.length));
  const row = (name: string, text: string): string => `  ${name.padEnd(width)}  ${text}`;
  const lists = GROUPS.flatMap((group) => [
    `${group}:`,
    ...shown.filter((entry) => entry.group === group).map(({ name, summary }) => row(name, summary)),
    '',
  ]);
  return [
    'Belfry notifies you when a coding agent needs you, finishes or crashes.',
    '',
    'Usage: belfry COMMAND [ARGUMENTS]',
    '',
    ...lists,
    'Options:',
    row('--json', 'machine output, for every command'),
    row('-h, --help', 'show this help; with a command, its options and examples'),
    row('-V, --version', 'print the version'),
    '',
  ].join('\n');
}

/** Commands that also work after `daemon`, as in other programs. */
const DRIVES: ReadonlySet<string> = new Set(['start', 'stop', 'restart', 'status', 'service']);

/** `belfry --json COMMAND` and `belfry daemon --json status` are `belfry COMMAND --json`. */
function withJsonLast(args: readonly string[]): readonly string[] {
  const isJson = (arg: string): boolean => arg === '--json';
  const start = args.findIndex((arg) => !isJson(arg));
  const named = start < 0 ? args : args.slice(start);
  const json = start > 0 ? ['--json'] : [];
  const second = named.findIndex((arg, i) => i > 0 && !isJson(arg));
  if (named[0] !== 'daemon' || !DRIVES.has(named[second] ?? ''))
    return [...named.slice(0, 1), ...json, ...named.slice(1)];
  const between = second > 1 ? ['--json'] : json;
  return [...named.slice(second, second + 1), ...between, ...named.slice(second + 1)];
}

async function main(args: readonly string[]): Promise<ExitCode> {
  const [first, ...rest] = withJsonLast(args);
  if (first === undefined || first === '--help' || first === '-h' || (first === 'help' && rest.length === 0)) {
    process.stdout.write(overview());
    return first === undefined ? EXIT.usage : EXIT.ok;
  }
  if (first === '--version' || first === '-V' || first === '-v' || first === 'version') {
    process.stdout.write(`belfry ${VERSION}\n`);
    return EXIT.ok;
  }
  const name = first === 'help' ? (rest[0] ?? '') : first;
  const entry = COMMANDS.find((candidate) => candidate.name === name);
  if (!entry) {
    const what = name.startsWith('-') ? `unknown option ${name}` : `unknown command "${name}"`;
    const names = COMMANDS.map((candidate) => candidate.name);
    const near = commandMeant(name, names) || didYouMean(name, names);
    process.stderr.write(`belfry: ${what}${near.startsWith('; did') ? near : '; see `belfry --help`'}\n`);
    return EXIT.usage;
  }
  const { bare } = entry;
  if (bare && first === name && rest.every((arg) => arg === '--json')) return runBare(name, bare, rest.length > 0);
  const { runCommand } = await import('./run.ts');
  return runCommand(name, first === 'help' ? [...rest.slice(1), '--help'] : rest);
}

async function runBare(name: string, act: (io: Io) => Promise<void>, json: boolean): Promise<ExitCode> {
  const io = processIo(json, `belfry ${name}`);
  try {
    await act(io);
    return io.exit;
  } catch (error) {
    return reportError(error, io);
  }
}

process.exitCode = await main(process.argv.slice(2));
