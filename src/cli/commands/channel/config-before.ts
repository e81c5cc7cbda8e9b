// What config.toml says before a channel is added or removed.
import { parse } from 'smol-toml';
import { formatDiagnostic } from '../../../config/diagnostic.ts';
import { definesChannels, readConfig } from '../../../config/load.ts';
import { asObject, type JsonObject } from '../../../lib/json/json.ts';
import type { MachineConfig } from '../../../config/machine/machine-config.ts';
import type { SetupAnswers } from '../../../model/channel/setup.ts';
import type { Config } from '../../../model/settings/config.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { refuseLocked } from '../config/settings-file.ts';

/** What config.toml says before. */
export interface ConfigBefore {
  readonly text: string | null;
  readonly config: Config;
  /** It has channels or routes of its own. */
  readonly defined: boolean;
  /** The channel's table as written, without its type; null: there is none of this name. */
  readonly channel: SetupAnswers | null;
  /** The machine-wide settings that it is laid over. */
  readonly machine: MachineConfig | null;
}

/** The settings in force, and one's own file with the tables of its channels as written. UserError where they are invalid. */
export async function readSettings(paths: Paths): Promise<{
  readonly text: string | null;
  readonly config: Config;
  readonly tables: JsonObject;
  readonly machine: MachineConfig | null;
}> {
  const { config: file } = paths;
  const loaded = await readConfig(paths);
  if (!loaded.ok) {
    const [first] = loaded.diagnostics;
    const where = first ? formatDiagnostic(file, first) : file;
    throw new UserError(`${where}; correct it first (nothing was changed)`, EXIT.usage);
  }
  const { text, config } = loaded;
  const machine = loaded.machine.config;
  const tables = asObject(text === null ? {} : asObject(parse(text.replace(/^\uFEFF/, '')))['channels']);
  return { text, config, tables, machine };
}

/** Reads it; UserError where it is invalid, the channel is locked for this machine, or the name belongs to a channel of another type. */
export async function configBefore(paths: Paths, name: string, type: string): Promise<ConfigBefore> {
  const { text, config, tables, machine } = await readSettings(paths);
  refuseLocked(['channels', name], machine);
  if (!Object.hasOwn(tables, name))
    return { text, config, machine, defined: text !== null && definesChannels(text), channel: null };
  const { type: there, ...channel } = asObject(tables[name]);
  if (there !== type)
    throw new UserError(
      `[channels.${name}] is of type "${String(there)}": choose another name with --name`,
      EXIT.usage,
    );
  return { text, config, machine, defined: true, channel };
}
