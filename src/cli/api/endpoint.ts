// A command made from an endpoint: options from its fields, one call (or all pages), the answer shown.
import type { Command } from 'commander';
import { checkInput } from '../../api/contract/check-input.ts';
import type { AnyMethod } from '../../api/client/client.ts';
import type { Entry } from '../../api/contract/contract.ts';
import type { Endpoint } from '../../api/contract/endpoint.ts';
import { systemClock } from '../../lib/clock.ts';
import { joinAnd } from '../../lib/text/text.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import type { Io } from '../io.ts';
import { allPages } from './all-pages.ts';
import { type Follows, follows } from './more-rows.ts';
import type { CustomCommand } from './custom-commands/custom-command.ts';
import { waitMs } from './custom-commands/wait.ts';
import { type CallFlags, callOptions, connect } from './connect.ts';
import { argumentsOf, type Flag, fieldValue, flagsOf, inFlags, wordsOf } from './flags.ts';
import { lastDays, type Recent, recentRows } from './last-days.ts';
import { show } from './output/show-answer.ts';
import { readFile } from 'node:fs/promises';

type Fields = Record<string, unknown>;

interface Options extends CallFlags, Fields {
  readonly all?: true;
  readonly last?: string;
  readonly csv?: true;
  readonly raw?: true;
}

/** Adds the arguments, options and action of an endpoint to its command. */
export function defineEndpoint(
  leaf: Command,
  io: Io,
  entry: Entry,
  { after, options: own = [] }: Pick<CustomCommand, 'after' | 'options'> = {},
): void {
  const { endpoint } = entry;
  const flags = flagsOf(endpoint);
  for (const { label } of argumentsOf(endpoint)) leaf.argument(`<${label}>`);
  for (const flag of flags) addOption(leaf, flag);
  for (const [flag, words] of own) leaf.option(flag, words);
  const dated = 'startDate' in endpoint.query.shape;
  if (dated) leaf.option('--last <RANGE>', 'the last days up to yesterday (UTC), such as 7d, instead of dates');
  else if (endpoint.time) leaf.option('--last <RANGE>', 'only rows of the last days (UTC), such as 7d, from all pages');
  if (endpoint.rows) {
    leaf.option('--all', 'fetch every page and print one document');
    leaf.option('--csv', 'print the rows as CSV');
    leaf.option('--raw', 'keep names that differ only in case apart, as the service does');
  }
  callOptions(leaf);
  leaf.action(async (...given: unknown[]) => {
    // commander passes the arguments, then the options, then the command itself.
    const options = given.at(-2) as Options;
    const input: Fields = {};
    for (const [i, { field }] of argumentsOf(endpoint).entries()) input[field] = given[i];
    for (const flag of flags) {
      const text = options[optionKey(flag.flag)];
      if (text === undefined) continue;
      input[flag.field] = flag.kind === 'json' ? await readJson(flag.flag, String(text)) : fieldValue(flag, text);
    }
    assertChange(entry, flags, input);
    const { last } = options;
    const now = systemClock.now();
    if (last !== undefined && dated) {
      const clipped = lastDays(last, input, now);
      if (clipped !== null) io.note(clipped);
    }
    assertGiven(endpoint, input);
    const recent = last !== undefined && endpoint.time ? recentRows(last, endpoint.time, now) : undefined;
    assertInput(entry, input);
    if (options['wait'] !== undefined) waitMs(options['wait']);
    const answer = await answerOf(entry, await connect(io, options, entry), input, { all: options.all, recent });
    const { part, note } = partOf(endpoint, input, answer, options.all === true || recent !== undefined);
    const how = { csv: options.csv === true, raw: options.raw === true, part };
    const shown = await after?.(answer, options, io).catch((error: unknown) => {
      // What was made is there, whatever came after.
      show(io, endpoint, answer, how);
      throw error;
    });
    show(io, endpoint, shown ?? answer, how);
    if (note !== null && !io.json) io.note(note);
  });
}

/** One page, or what `--all` and `--last` ask of all pages. */
async function answerOf(
  { endpoint }: Entry,
  call: AnyMethod,
  input: Readonly<Fields>,
  { all, recent }: { readonly all: true | undefined; readonly recent: Recent | undefined },
): Promise<Fields> {
  if (endpoint.pages && (all || recent)) return allPages(endpoint, call, input, recent);
  const answer = await call(input);
  const list = endpoint.rows === undefined ? undefined : answer[endpoint.rows];
  return recent && endpoint.rows && Array.isArray(list) ? { ...answer, [endpoint.rows]: recent.keep(list) } : answer;
}

/** After all pages a part is left where the list began in the middle, or ended before the service said so. */
function partOf(endpoint: Endpoint, input: Fields, answer: Fields, all: boolean): Follows {
  const one = follows(endpoint, input, answer);
  if (!all) return one;
  const { pages } = endpoint;
  return {
    part: pages !== undefined && (input[pages.parameter] !== undefined || pages.more(answer) === true),
    note: null,
  };
}

/** Refuses what the contract refuses, with the option's name. */
export function assertInput({ endpoint }: Entry, input: Readonly<Fields>): void {
  const checked = checkInput(endpoint, input, systemClock.now());
  if (!checked.ok)
    throw new UserError(
      `${inFlags(endpoint, checked.problem.field)}: ${checked.problem.message}; nothing was sent`,
      EXIT.usage,
    );
}

/** A change without anything to change is refused. */
function assertChange({ endpoint }: Entry, flags: readonly Flag[], input: Readonly<Fields>): void {
  if (endpoint.method !== 'PATCH' || flags.some(({ field }) => input[field] !== undefined)) return;
  const names = flags.map(({ flag }) => flag).join(' or ');
  throw new UserError(`nothing to change: give ${names}; nothing was sent`, EXIT.usage);
}

function addOption(leaf: Command, { flag, kind, schema }: Flag): void {
  const words = wordsOf(schema);
  if (kind === 'list')
    leaf.option(`${flag} <VALUE>`, `${words}; may be given several times`, (value: string, before: string[] = []) => [
      ...before,
      value,
    ]);
  else leaf.option(`${flag} <${kind === 'json' ? 'JSON|@FILE' : 'VALUE'}>`, words);
}

/** The name commander keeps an option under: `--start-date` -> `startDate`. */
const optionKey = (flag: string): string =>
  flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The object; anything else is refused with a line. */
async function readJson(flag: string, given: string): Promise<object> {
  const text = given.startsWith('@') ? await contents(flag, given.slice(1)) : given;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, together with what is JSON but no object.
  }
  throw new UserError(`${flag} must be a JSON object or @FILE with one; nothing was sent`, EXIT.usage);
}

async function contents(flag: string, path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`${flag}: cannot read ${path} (${error.code ?? 'unknown'}); nothing was sent`, EXIT.usage);
  });
}

/** Where a person finds the value of a field, or what may be given instead. */
const HINTS: Readonly<Record<string, string>> = {
  startDate: 'or --last 7d instead of both dates',
  endDate: 'or --last 7d instead of both dates',
  computerId: '`belfry api computers list` shows the ids',
};

/** Refuses an input that lacks required fields; empty ones are for the contract's own check. */
function assertGiven(endpoint: Endpoint, input: Readonly<Record<string, unknown>>): void {
  const missing = flagsOf(endpoint).filter(
    ({ field, schema }) => input[field] === undefined && schema._zod.optin !== 'optional',
  );
  if (missing.length === 0) return;
  const hints = [...new Set(missing.flatMap(({ field }) => HINTS[field] ?? []))];
  const flags = missing.map(({ flag }) => flag);
  const hint = hints.length > 0 ? ` (${hints.join('; ')})` : '';
  throw new UserError(`${joinAnd(flags)}: missing${hint}; nothing was sent`, EXIT.usage);
}
