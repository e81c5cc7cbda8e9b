// What `belfry deliveries`, `events`, `pending` and `sessions` list, by their own code in this process: tests look again and again,
// and starting the program each time took from what they wait for. The programs themselves are run by test/cli.
import { Command } from 'commander';
import { COMMANDS } from '../../src/cli/commands.ts';
import { processIo } from '../../src/cli/io.ts';

/** The commands that only read the store. */
export const LISTS: ReadonlySet<string> = new Set(['deliveries', 'events', 'pending', 'sessions']);

/** One after the other: where the store is stands in the environment. */
let before: Promise<unknown> = Promise.resolve();

/** `belfry ARGS --json` of one of {@link LISTS} in this home, parsed. */
export function listed<T>(home: string, args: readonly string[]): Promise<T> {
  const next = before.then(() => read(home, args)) as Promise<T>;
  before = next.catch(() => undefined);
  return next;
}

async function read(home: string, [name = '', ...args]: readonly string[]): Promise<unknown> {
  const entry = COMMANDS.find((one) => one.name === name);
  if (entry === undefined || !LISTS.has(name)) throw new Error(`no list is called ${name}`);
  const { define } = await entry.load();
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  const found: unknown[] = [];
  const io = { ...processIo(true), tty: false, data: (value: unknown) => void found.push(value) };
  define(command, { ...io, line: () => undefined, note: () => undefined }, COMMANDS);
  const { BELFRY_HOME: usual } = process.env;
  process.env['BELFRY_HOME'] = home;
  try {
    await command.parseAsync([...args], { from: 'user' });
  } finally {
    if (usual === undefined) delete process.env['BELFRY_HOME'];
    else process.env['BELFRY_HOME'] = usual;
  }
  // As a program that parses what the command prints has it.
  return JSON.parse(JSON.stringify(found[0]));
}
