// `belfry config get PATH`: the value in force, whether the file has it or not.
import { keyOf } from '../../../config/diagnostic.ts';
import type { ConfigFiles, MachineState } from '../../../config/machine/machine-config.ts';
import { lockOf, mergeConfig } from '../../../config/machine/merge-config.ts';
import { parseToml, withoutMark } from '../../../config/toml/parse-toml.ts';
import { tomlNodes } from '../../../config/toml/toml-nodes.ts';
import { inlineToml } from '../../../config/toml/inline-toml.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Io } from '../../io.ts';
import { settingPath } from './settings-file.ts';
import { settingsInForce } from './show.ts';

/** Text is printed as it is, for scripts; everything else as TOML. */
export async function get(io: Io, files: ConfigFiles, name: string): Promise<void> {
  const path = settingPath(name);
  const key = keyOf(path);
  const { settings, text, machine } = await settingsInForce(files);
  const value = valueAt(settings, path);
  if (value === undefined)
    throw new UserError(
      `${key} is not set, and has no default: \`belfry config show\` lists what is in force`,
      EXIT.notFound,
    );
  if (io.json) return io.data({ file: files.config, key, value, from: await fromOf(path, text, machine) });
  io.line(await written(value, String(path.findLast((part) => typeof part === 'string'))));
}

/** Undefined: there is none. */
export function valueAt(settings: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, part) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, part) ? Reflect.get(at, part) : undefined,
    settings,
  );
}

/** Which file has it, by the words of `config show --json`; `path`: among the settings in force. */
export async function fromOf(
  path: readonly (string | number)[],
  own: string | null,
  { config }: MachineState,
): Promise<'own' | 'machine' | 'default'> {
  const parsed = parseToml(withoutMark(own ?? ''));
  const isLocked = lockOf(path, config) !== null;
  const place = mergeConfig('input' in parsed ? parsed.input : {}, config).placeOf(path);
  const nodes = await tomlNodes(withoutMark((place.isMachine ? config?.text : own) ?? ''));
  if (!nodes.some((node) => place.path.every((part, i) => node.path[i] === part))) return 'default';
  if (place.isMachine) return 'machine';
  return isLocked ? 'default' : 'own';
}

/** Tables as sections, what is in a list under the list's name. */
async function written(value: unknown, name: string): Promise<string> {
  if (typeof value === 'string') return value;
  const tables = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object');
  if (!tables && (typeof value !== 'object' || Array.isArray(value))) return inlineToml(value);
  const { stringify } = await import('smol-toml');
  return stringify(tables ? { [name]: value } : value).trimEnd();
}
