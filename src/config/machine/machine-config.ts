// The machine-wide settings: what `/etc/belfry/config.toml` says, checked apart from anybody's own file, and which of its keys are locked.
import * as z from 'zod';
import { sleep } from '../../lib/clock.ts';
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { routeSchema } from '../../model/settings/config.ts';
import { machineConfigPath, type MachineFile, readMachineFile } from '../../runtime/machine-file.ts';
import { currentEnvironment } from '../../runtime/own-paths.ts';
import { schemaAt } from '../checks/schema-issues.ts';
import { configWarnings, unheardPrompts } from '../checks/semantic-checks.ts';
import { type Diagnostic, type Issue, keyOf } from '../diagnostic.ts';
import { lastGoodMachine } from '../live/last-good.ts';
import type { Registries } from '../registries.ts';
import { fileSchema, validate } from '../schema.ts';
import { parseSettingPath } from '../toml/edit-setting.ts';
import { locate } from '../toml/key-positions.ts';
import { parseToml, withoutMark } from '../toml/parse-toml.ts';

/** What a machine-wide file may say besides. */
export const machineFileSchema = fileSchema.extend({
  routes: z
    .array(
      routeSchema.extend({
        first: z.boolean().default(false).describe('Comes before the routes of the person, not after them.'),
      }),
    )
    .optional(),
  locked: z
    .strictObject({
      keys: z
        .array(z.string())
        .max(1000)
        .default([])
        .describe('Settings such as "redaction.level" that nobody’s own file can change.'),
    })
    .prefault({}),
});

/** A setting that nobody's own file changes: the value of the machine's file counts, or the default. */
export interface Lock {
  readonly path: readonly string[];
  /** As it is written. */
  readonly key: string;
  /** Where it is locked: in `[locked]` of the machine's file. */
  readonly line: number;
}

/** A valid machine-wide file. */
export interface MachineConfig {
  readonly file: string;
  readonly text: string;
  /** What it says, without `[locked]` and without `first`. */
  readonly input: JsonObject;
  /** For each of its routes whether it comes before those of the person. */
  readonly first: readonly boolean[];
  readonly locks: readonly Lock[];
}

/** Whether it takes the place of the built-in routes: those that come first only add to them. */
export const routesEvents = (machine: MachineConfig | null): boolean =>
  machine !== null && !machine.first.every(Boolean);

/** What there is of it on this machine. */
export interface MachineState {
  readonly file: string;
  /** In force; null: there is none, or none that can be used. */
  readonly config: MachineConfig | null;
  /** It is a copy of an earlier one, for the file is faulty now. */
  readonly isLastGood: boolean;
  /** Why the file as it is now is not used; empty: it is, or there is none. */
  readonly faults: readonly Diagnostic[];
}

/** Where settings are. */
export interface ConfigFiles {
  readonly config: string;
  /** In place of the system's own. */
  readonly machineConfig?: string;
  /** Holds copies of the last good ones. */
  readonly state: string;
  /** Whose machine-wide file is used besides root's. */
  readonly machineOwner?: number;
}

/** What becomes of a faulty one, for somebody who cannot correct it. */
export const faultAdvice = ({ isLastGood }: MachineState): string =>
  `ask whoever administers this machine to correct it; until then ${isLastGood ? 'the last good one is in force' : 'nothing of it is in force'}`;

/** The machine-wide file, whether it is there or not. */
export const machineFileOf = ({ machineConfig }: ConfigFiles): string =>
  machineConfig ?? machineConfigPath(currentEnvironment());

/** Ms until an empty file is read once more: whoever writes in place empties it first. */
const SECOND_LOOK = 200;

/** Reads and checks it. A faulty one is replaced by the last good one, so that no lock is lost by a slip. */
export async function readMachineConfig(files: ConfigFiles, registries: Registries): Promise<MachineState> {
  const file = machineFileOf(files);
  const read = await readTwice(file, files.machineOwner);
  if ('text' in read && read.text === null) return { file, config: null, isLastGood: false, faults: [] };
  const checked = await checkRead(read, file, registries);
  if (checked.ok) return { file, config: checked.config, isLastGood: false, faults: [] };
  const faults = checked.diagnostics.map((one) => ({ ...one, file }));
  const kept = await lastGoodMachine(files.state);
  const last = kept === null ? null : await checkMachineConfig(kept, file, registries);
  const config = last?.ok === true ? last.config : null;
  return { file, config, isLastGood: config !== null, faults };
}

async function readTwice(file: string, owner: number | undefined): Promise<MachineFile> {
  const read = readMachineFile(file, owner);
  if ('fault' in read || read.text !== '') return read;
  await sleep(SECOND_LOOK);
  return readMachineFile(file, owner);
}

async function checkRead(read: MachineFile, file: string, registries: Registries): Promise<CheckedMachine> {
  if ('text' in read) return checkMachineConfig(read.text ?? '', file, registries);
  return { ok: false, diagnostics: [{ line: 1, column: 1, key: '', message: read.fault }] };
}

/** A valid file with what may not have been meant, or all that is wrong with it. */
export type CheckedMachine =
  | { readonly ok: true; readonly config: MachineConfig; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Checks the text of one; `file` is its name in messages. */
export async function checkMachineConfig(text: string, file: string, registries: Registries): Promise<CheckedMachine> {
  const clean = withoutMark(text);
  const parsed = parseToml(clean);
  if ('error' in parsed) return { ok: false, diagnostics: [parsed.error] };
  const { config, found } = validate(parsed.input, registries, { schema: machineFileSchema });
  if (config === null) return { ok: false, diagnostics: await locate(clean, found) };
  const { locked, ...rest } = parsed.input;
  const input = withoutAutostart(rest);
  const { locks, faults } = locksOf(locked, input);
  const lines = await locate(
    clean,
    locks.map(({ index, key }) => ({ ...placeOf(index), message: key })),
  );
  // Routes and channels of persons come in: what this file alone would do says nothing.
  const doubts = configWarnings(config, registries, true).filter(({ path }) => !isAboutRouting(path));
  const relative = relativeSecrets(input, []);
  const first = routesOf(input).map((route) => asObject(route)['first'] === true);
  const unheard = first.every(Boolean) ? [] : unheardPrompts(config, registries);
  return {
    ok: true,
    config: {
      file,
      text: clean,
      input: { ...input, ...('routes' in input && { routes: routesOf(input).map(withoutFirst) }) },
      first,
      locks: locks.map(({ path, key }, i) => ({ path, key, line: lines[i]?.line ?? 1 })),
    },
    warnings: await locate(clean, [
      ...faults,
      ...doubts,
      ...unheard,
      ...relative,
      ...(input === rest ? [] : [AUTOSTART]),
    ]),
  };
}

/** The hook, which has to be small, reads one's own file only. */
const AUTOSTART: Issue = {
  path: ['daemon', 'autostart'],
  point: 'key',
  message:
    'has no effect here, for hooks read only each user’s own file: set it there, or BELFRY_NO_AUTOSTART=1 in the environment of agents',
};

function withoutAutostart(input: JsonObject): JsonObject {
  const { autostart, ...daemon } = asObject(input['daemon']);
  return autostart === undefined ? input : { ...input, daemon };
}

const routesOf = (input: JsonObject): readonly unknown[] => (Array.isArray(input['routes']) ? input['routes'] : []);

function withoutFirst(route: unknown): JsonObject {
  const { first: _, ...rest } = asObject(route);
  return rest;
}

const isAboutRouting = (path: readonly PropertyKey[]): boolean =>
  (path.length === 1 && (path[0] === 'routes' || path[0] === 'channels')) ||
  (path.length === 2 && path[0] === 'channels');

const placeOf = (index: number): Pick<Issue, 'path' | 'point'> => ({
  path: ['locked', 'keys', index],
  point: 'value',
});

type Locks = readonly { readonly index: number; readonly path: readonly string[]; readonly key: string }[];

/** The keys that lock something; a warning for each that does not, so that one misspelt leaves the others in force. */
function locksOf(locked: unknown, input: JsonObject): { readonly locks: Locks; readonly faults: readonly Issue[] } {
  const keys = asObject(locked)['keys'];
  const faults: Issue[] = [];
  const locks = (Array.isArray(keys) ? keys : []).flatMap((key: unknown, index) => {
    const path = parseSettingPath(String(key));
    const fault = path === null ? 'is not the name of a setting' : lockFault(path, input);
    if (fault !== null) faults.push({ ...placeOf(index), message: `locks nothing: ${String(key)} ${fault}` });
    return path === null || fault !== null ? [] : [{ index, path: path.map(String), key: String(key) }];
  });
  return { locks, faults };
}

function lockFault(path: readonly (string | number)[], input: JsonObject): string | null {
  const [section, name] = path;
  if (section === 'daemon' && name === 'autostart') return 'is read by hooks, which know only each user’s own file';
  if (path.some((part) => typeof part === 'number')) return 'is one of a list: lock the whole list';
  if (section === 'channels') {
    const own = Object.keys(asObject(input['channels']));
    if (name === undefined) return 'would take away what routes name: lock channels one by one, as "channels.NAME"';
    if (path.length > 2) return `is a setting of a channel: lock the whole channel, as "channels.${name}"`;
    return own.includes(String(name)) ? null : `is no channel of this file${didYouMean(String(name), own)}`;
  }
  for (const [i, part] of path.entries()) {
    // A watch has a schema of its own, by which its settings are checked where they are.
    if (section === 'watches' && i >= 1) return null;
    const at = schemaAt(fileSchema, path.slice(0, i));
    if (at instanceof z.ZodRecord) continue; // named as one likes
    const known = at instanceof z.ZodObject ? Object.keys(at.shape) : [];
    if (!known.includes(String(part))) {
      const whole = (name: string): string => keyOf([...path.slice(0, i), name]);
      return `is no setting${didYouMean(String(part), known, whole)}`;
    }
  }
  return null;
}

const RELATIVE = /^file:(?!~\/|\/|[A-Za-z]:[\\/]|\\\\)/;

/** A path is looked up from wherever the daemon runs, which is not the folder of this file. */
function relativeSecrets(value: unknown, path: readonly PropertyKey[]): readonly Issue[] {
  if (typeof value === 'string' && RELATIVE.test(value))
    return [
      {
        path,
        point: 'value',
        message:
          'is a relative path, which would be looked up where the daemon runs; write a whole path, or "file:~/..."',
      },
    ];
  if (Array.isArray(value)) return value.flatMap((one, i) => relativeSecrets(one, [...path, i]));
  return Object.entries(asObject(value)).flatMap(([key, one]) => relativeSecrets(one, [...path, key]));
}
