// config.toml as `setup` finds it, and as it leaves it.
import { channelOf, channels } from '../../../channels/index.ts';
import { formatDiagnostic } from '../../../config/diagnostic.ts';
import { definesChannels, readConfig } from '../../../config/load.ts';
import { type MachineConfig, routesEvents } from '../../../config/machine/machine-config.ts';
import { canCarryAnswers } from '../../../model/channel/capabilities.ts';
import type { Config } from '../../../model/settings/config.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { answersSwitchedOff } from '../answer/switched-off.ts';
import type { ChannelHere } from './channels-here.ts';
import type { Configured } from './choose-what.ts';
import type { Carriers, SetupResult } from './setup-summary.ts';
import { storeSecrets, writeConfig } from './write-config.ts';

/** What config.toml says already. */
export interface SettingsBefore {
  readonly text: string | null;
  /** It has channels or routes of its own, or those of the machine take their place. */
  readonly defined: boolean;
  /** Its channels, and their types. */
  readonly names: readonly string[];
  readonly types: readonly string[];
  /** Names of channels that the machine's settings lock: one of one's own would not count. */
  readonly locked: readonly string[];
  /** Variables it refers to. */
  readonly variables: readonly string[];
  readonly network: Config['network'];
  readonly carriers: Carriers;
  /** Channels that keep records, and notify nobody. */
  readonly records: readonly string[];
}

/** Reads it; UserError where it is invalid. */
export async function settingsBefore(paths: Paths): Promise<SettingsBefore> {
  const loaded = await readConfig(paths);
  if (!loaded.ok) {
    const [first] = loaded.diagnostics;
    const where = first ? formatDiagnostic(paths.config, first) : paths.config;
    throw new UserError(`${where}; correct it, then run \`belfry setup\` again (nothing was changed)`, EXIT.usage);
  }
  const { text, config } = loaded;
  const values = [
    config.api.key,
    config.network.proxy,
    ...config.channels.flatMap(({ settings }) => Object.values(settings)),
  ];
  const variables = values.flatMap((value) => (typeof value === 'string' ? (/^env:(.+)$/.exec(value)?.[1] ?? []) : []));
  return {
    text,
    defined: (text !== null && definesChannels(text)) || routesEvents(loaded.machine.config),
    names: config.channels.map(({ name }) => name),
    types: config.channels.map(({ type }) => type),
    locked: channelsLocked(loaded.machine.config),
    variables: [...new Set(variables)],
    network: config.network,
    records: config.channels.flatMap(({ name, type }) => (channelOf(type)?.audience === 'records' ? [name] : [])),
    carriers: { ...carriersOf(config), off: answersSwitchedOff(config, loaded.machine.config) },
  };
}

const channelsLocked = (machine: MachineConfig | null): readonly string[] =>
  (machine?.locks ?? []).flatMap(({ path: [section, name] }) => {
    if (section !== 'channels') return [];
    return name === undefined ? channels.map(({ type }) => type) : [name]; // all of them, or one
  });

function carriersOf({ answer, channels: all }: Config): Omit<Carriers, 'off'> {
  const able = all.filter(({ type, settings }) => {
    const channel = channelOf(type);
    return channel !== undefined && canCarryAnswers(channel, settings);
  });
  const isNamed = ({ name }: { readonly name: string }): boolean => answer.channels.includes(name);
  // A desktop shows buttons or not, as its server likes.
  const others = able.filter((one) => !isNamed(one) && channelOf(one.type)?.defaultSettings === null);
  const names = (some: typeof able): string[] => some.map(({ name }) => name);
  return { named: names(able.filter(isNamed)), others: names(others) };
}

/** What can be added to it: what needs settings and is not there, nor another channel of its name, nor locked. */
export function configured({ defined, names, types, locked }: SettingsBefore): Configured {
  const there = [...(defined ? [...names, ...types] : []), ...locked];
  const offered = channels.filter(({ type, defaultSettings }) => defaultSettings === null && !there.includes(type));
  return { defined, names, offered };
}

/** Those that were found and may be written: setup names each by its type. */
export const writable = (found: readonly ChannelHere[], { locked }: SettingsBefore): readonly ChannelHere[] =>
  found.filter(({ type }) => !locked.includes(type));

/** A new file, or channels for one that has none; a file that has channels is not touched, only its secrets are renewed. */
export async function writeSettings(
  paths: Paths,
  { text, defined, locked }: SettingsBefore,
  news: readonly ChannelHere[],
): Promise<Pick<SetupResult, 'config' | 'secrets'>> {
  const used = news.filter(({ secrets }) => secrets.every(({ name }) => text?.includes(`"secret:${name}"`)));
  if (defined) return { config: 'kept', secrets: await storeSecrets(paths, used) };
  // The defaults have every channel that needs no settings.
  if (text !== null && news.every(({ type }) => channelOf(type)?.defaultSettings !== null))
    return { config: 'kept', secrets: [] };
  await writeConfig(paths, news, locked);
  return { config: text === null ? 'created' : 'extended', secrets: await storeSecrets(paths, news) };
}
