// `belfry config get PATH`: the value in force, whether the file has it or not.
import { keyOf } from '../../../config/diagnostic.ts';
import type { ConfigFiles, MachineConfig, MachineState } from '../../../config/machine/machine-config.ts';
import { settingOrigins } from '../../../config/machine/setting-origins.ts';
import { lockOf, mergeConfig, type Place, routesBefore } from '../../../config/machine/merge-config.ts';
import { asObject, type JsonObject } from '../../../lib/json/json.ts';
import { nearest } from '../../../lib/text/did-you-mean.ts';
import { parseToml, withoutMark } from '../../../config/toml/parse-toml.ts';
import { tomlNodes } from '../../../config/toml/toml-nodes.ts';
import { inlineToml } from '../../../config/toml/inline-toml.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Io } from '../../io.ts';
import { settingPath } from './settings-file.ts';
import { settingsInForce } from './show.ts';

type Path = readonly (string | number)[];

/** Text is printed as it is, for scripts; everything else as TOML. */
export async function get(io: Io, files: ConfigFiles, name: string): Promise<void> {
  const path = settingPath(name);
  const key = keyOf(path);
  const { settings, text, machine } = await settingsInForce(files);
  const at = pathInForce(path, text, machine.config);
  const value = at === null ? undefined : valueAt(settings, at);
  if (at === null || value === undefined) {
    const why = at === null ? `is not set, for ${files.config} has fewer routes` : 'is not set, and has no default';
    const near =
      at === null ? null : nearest(String(at.at(-1)), Object.keys(asObject(valueAt(settings, at.slice(0, -1)))));
    const meant = near === null || at === null ? '' : `; did you mean "${keyOf([...at.slice(0, -1), near])}"?`;
    throw new UserError(`${key} ${why}${meant || ': `belfry config show` lists what is in force'}`, EXIT.notFound);
  }
  if (io.json) {
    const below = await originsBelow(keyOf(at), text, machine);
    const from = below.size > 1 ? 'mixed' : await fromOf(at, text, machine);
    return io.data({ file: files.config, key, value, from });
  }
  io.line(await written(value, String(path.findLast((part) => typeof part === 'string'))));
}

/** Undefined: there is none. */
export function valueAt(settings: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, part) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, part) ? Reflect.get(at, part) : undefined,
    settings,
  );
}

/**
 * Where a setting of one's own file is among those in force: routes of the machine may come before its own. `routes[0]` of a file without routes
 * that count is the first one in force. Null: the file has routes, but not this one.
 */
export function pathInForce(path: Path, own: string | null, machine: MachineConfig | null): Path | null {
  const [section, index, ...below] = path;
  const count = ownRoutes(own, machine);
  if (machine === null || section !== 'routes' || typeof index !== 'number' || count === 0) return path;
  return index < count ? [section, index + routesBefore(machine), ...below] : null;
}

/** How many routes one's own file has that count. */
function ownRoutes(own: string | null, machine: MachineConfig | null): number {
  const routes = lockOf(['routes'], machine) === null ? inputOf(own)['routes'] : [];
  return Array.isArray(routes) ? routes.length : 0;
}

function inputOf(own: string | null): JsonObject {
  const parsed = parseToml(withoutMark(own ?? ''));
  return 'input' in parsed ? parsed.input : {};
}

/** Where it is written; `path`: among the settings in force. */
export const placeInForce = (path: Path, own: string | null, machine: MachineConfig | null): Place =>
  mergeConfig(inputOf(own), machine).placeOf(path);

/** Which file has it, by the words of `config show --json`; `path`: among the settings in force. */
export async function fromOf(
  path: Path,
  own: string | null,
  { config }: MachineState,
): Promise<'own' | 'machine' | 'default'> {
  const isLocked = lockOf(path, config) !== null;
  const place = placeInForce(path, own, config);
  const nodes = await tomlNodes(withoutMark((place.isMachine ? config?.text : own) ?? ''));
  if (!nodes.some((node) => place.path.every((part, i) => node.path[i] === part))) return 'default';
  if (place.isMachine) return 'machine';
  return isLocked ? 'default' : 'own';
}

/** Which files the settings of a section are from, those that are no plain default; empty for a single setting. */
async function originsBelow(key: string, own: string | null, { config }: MachineState): Promise<ReadonlySet<string>> {
  const all = await settingOrigins(own, config);
  return new Set(
    [...all].flatMap(([one, { from }]) => (one.startsWith(`${key}.`) || one.startsWith(`${key}[`) ? [from] : [])),
  );
}

/** Tables as sections, what is in a list under the list's name. */
async function written(value: unknown, name: string): Promise<string> {
  if (typeof value === 'string') return value;
  const tables = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object');
  if (!tables && (typeof value !== 'object' || Array.isArray(value))) return inlineToml(value);
  const { stringify } = await import('smol-toml');
  return stringify(tables ? { [name]: value } : value).trimEnd();
}
