#!/usr/bin/env node
// The command line's entry: finds the command in the table and loads its code, nothing else.
import { hint } from '../lib/nearest.ts';
import { VERSION } from '../lib/version.ts';
import { EXIT, type ExitCode } from '../model/errors.ts';
import { TABLE } from './table.ts';

// A reader that has seen enough (head, less) is no error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    throw error;
  });

function overview(): string {
  const shown = TABLE.filter((entry) => entry.hidden !== true);
  const width = Math.max(...shown.map((entry) => entry.name.length));
  const lines = shown.map((entry) => `  ${entry.name.padEnd(width)}  ${entry.summary}`);
  return [
    'The pager for coding agents: tells you when an agent waits, has finished or has died.',
    '',
    'Usage: belfry COMMAND [ARGUMENTS]',
    '',
    ...lines,
    '',
    'belfry COMMAND --help says more. Every command takes --json.',
    '',
  ].join('\n');
}

async function main(args: readonly string[]): Promise<ExitCode> {
  const [first, ...rest] = args;
  if (first === undefined || first === '--help' || first === '-h' || (first === 'help' && rest.length === 0)) {
    process.stdout.write(overview());
    return first === undefined ? EXIT.usage : EXIT.ok;
  }
  if (first === '--version' || first === '-V') {
    process.stdout.write(`belfry ${VERSION}\n`);
    return EXIT.ok;
  }
  const name = first === 'help' ? (rest[0] ?? '') : first;
  const entry = TABLE.find((candidate) => candidate.name === name);
  if (!entry) {
    const what = name.startsWith('-') ? `unknown option ${name}` : `unknown command "${name}"`;
    const names = TABLE.map((candidate) => candidate.name);
    const near = hint(name, names);
    process.stderr.write(`belfry: ${what}${near.startsWith('; did') ? near : '; see `belfry --help`'}\n`);
    return EXIT.usage;
  }
  const { runEntry } = await import('./run.ts');
  return runEntry(entry, first === 'help' ? ['--help'] : rest);
}

process.exitCode = await main(process.argv.slice(2));
