// From the text of config.toml, and of the machine-wide file below it, to the one normal form, with line and column for every error.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { sleep } from '../lib/clock.ts';
import type { Config } from '../model/settings/config.ts';
import { configWarnings } from './checks/semantic-checks.ts';
import { type Diagnostic, type Issue, keyOf } from './diagnostic.ts';
import {
  type ConfigFiles,
  type MachineConfig,
  type MachineState,
  readMachineConfig,
} from './machine/machine-config.ts';
import { isSound, remainsOf } from './machine/left-out.ts';
import { ignoredIssues, mergeConfig, type MergedConfig } from './machine/merge-config.ts';
import { type Registries, registries as registered } from './registries.ts';
import { validate } from './schema.ts';
import { locate } from './toml/key-positions.ts';
import { parseToml, withoutMark } from './toml/parse-toml.ts';

/** Valid settings, or all that is wrong with them. */
export type Loaded =
  | {
      readonly ok: true;
      readonly config: Config;
      readonly warnings: readonly Diagnostic[];
      readonly text: string | null;
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[]; readonly text: string | null };

/** Largest settings file, bytes. */
export const LARGEST_FILE = 1024 * 1024;
/** Ms until an empty file is read once more. */
const SECOND_LOOK = 200;

/** Reads and checks the settings of this user and of the machine; files that do not exist give the defaults. */
export async function readConfig(
  files: ConfigFiles,
  registries: Registries = registered,
): Promise<Loaded & { readonly machine: MachineState }> {
  const machine = await readMachineConfig(files, registries);
  return { ...(await readOwn(files.config, registries, machine.config)), machine };
}

async function readOwn(path: string, registries: Registries, machine: MachineConfig | null): Promise<Loaded> {
  let bytes: Buffer;
  try {
    bytes = await readWhole(path);
    // An editor that writes in place empties the file first.
    if (bytes.byteLength === 0) bytes = await sleep(SECOND_LOOK).then(() => readWhole(path));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ENOENT') return loadConfig(null, registries, machine);
    return wrong(`cannot be read (${code}); check its permissions`);
  }
  if (bytes.byteLength > LARGEST_FILE) return wrong(`is larger than ${LARGEST_FILE} bytes`);
  return loadConfig(bytes.toString('utf8'), registries, machine);
}

/** Up to its end, wherever that is by then: `readFile` keeps to the size that it found first, and cuts a text that somebody writes meanwhile. */
const readToEnd = (path: string): Promise<Buffer> => buffer(createReadStream(path, { end: LARGEST_FILE }));

/** Times that a file is read which somebody writes again and again. */
const MOST_READS = 5;

/** As one writer left it: what is written between two parts of a read makes a text that nobody wrote. */
async function readWhole(path: string): Promise<Buffer> {
  for (let reads = 1, before = await stat(path); ; reads++) {
    const bytes = await readToEnd(path);
    const after = await stat(path);
    if ((after.mtimeMs === before.mtimeMs && after.size === before.size) || reads === MOST_READS) return bytes;
    before = after;
  }
}

/** Checks the text of a settings file, over the machine's where there is one; null stands for no file. */
export async function loadConfig(
  text: string | null,
  registries: Registries = registered,
  machine: MachineConfig | null = null,
): Promise<Loaded> {
  const clean = withoutMark(text ?? '');
  const parsed = parseToml(clean);
  if ('error' in parsed) return { ok: false, diagnostics: [parsed.error], text };
  const merged = mergeConfig(parsed.input, machine);
  const { keepsDefaults } = merged;
  const { config, found } = validate(merged.input, registries, { keepsDefaults, machineFile: machine?.file });
  if (config === null) return { ok: false, diagnostics: await located(found, merged, clean, machine), text };
  const doubts = configWarnings(config, registries, !keepsDefaults).filter(
    // Those of the machine's file are for whoever administers it, who checks it apart.
    ({ path }) => !merged.placeOf(path).isMachine,
  );
  return {
    ok: true,
    config: marked(config, merged),
    warnings: [
      ...(await located(doubts, merged, clean, machine)),
      ...(await locate(clean, ignoredIssues(merged, machine))),
    ],
    text,
  };
}

/** Whether the text of a valid settings file has channels or routes of its own, instead of the defaults. */
export function definesChannels(text: string): boolean {
  const parsed = parseToml(withoutMark(text));
  return 'input' in parsed && ('channels' in parsed.input || 'routes' in parsed.input);
}

/** What was valid once, and what of it is not in force any more. */
export interface Kept {
  readonly config: Config;
  readonly text: string | null;
  /** One line each: the key, and why. */
  readonly leftOut: readonly string[];
}

/** Of a text that was valid once what still goes with the machine's file, which always counts. Null: not even that is valid. */
export async function loadKept(
  text: string | null,
  registries: Registries = registered,
  machine: MachineConfig | null = null,
): Promise<Kept | null> {
  const parsed = parseToml(withoutMark(text ?? ''));
  // No TOML in the eyes of this version.
  if ('error' in parsed) return loadKept(null, registries, machine);
  const remains = remainsOf(parsed.input, machine, registries);
  if (remains === null) return null;
  const { config, merged, leftOut } = remains;
  return {
    config: marked(config, merged),
    text,
    leftOut: leftOut.map(({ path, message }) => `${keyOf(path)}: ${message}`),
  };
}

/** Whether nothing is wrong with a text in itself: it may name channels of another file. */
export function isSoundText(text: string, registries: Registries = registered): boolean {
  const parsed = parseToml(withoutMark(text));
  return 'input' in parsed && isSound(parsed.input, registries);
}

/** With the routes of the machine's file known as such. */
function marked(config: Config, { placeOf }: MergedConfig): Config {
  const ofMachine = (index: number): { readonly machine?: true } =>
    placeOf(['routes', index]).isMachine ? { machine: true } : {};
  return { ...config, routes: config.routes.map((route, i) => ({ ...route, ...ofMachine(i) })) };
}

/** Issues of settings that are valid, each with the file, line and column where it is written. */
export async function locatedIn(
  found: readonly Issue[],
  own: string | null,
  machine: MachineConfig | null,
): Promise<readonly Diagnostic[]> {
  const clean = withoutMark(own ?? '');
  const parsed = parseToml(clean);
  return 'error' in parsed ? [] : located(found, mergeConfig(parsed.input, machine), clean, machine);
}

/** Each where it is written. */
async function located(
  found: readonly Issue[],
  { placeOf }: MergedConfig,
  own: string,
  machine: MachineConfig | null,
): Promise<readonly Diagnostic[]> {
  const placed = found.map((issue) => ({ ...issue, ...placeOf(issue.path) }));
  const mine = await locate(
    own,
    placed.filter(({ isMachine }) => !isMachine),
  );
  if (machine === null) return mine;
  const theirs = await locate(
    machine.text,
    placed.filter(({ isMachine }) => isMachine),
  );
  return [...mine, ...theirs.map((one) => ({ ...one, file: machine.file }))];
}

function wrong(message: string): Loaded {
  return { ok: false, diagnostics: [{ line: 1, column: 1, key: '', message }], text: null };
}
