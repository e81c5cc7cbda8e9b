// Adds the channel of last resort to those of the settings, unless these have one of its type.
import { channelOf } from '../../channels/index.ts';
import type { ConfiguredChannel } from '../../delivery/index.ts';
import type { Config } from '../../model/settings/config.ts';
import { LAST_RESORT } from '../../model/channel/last-resort.ts';
import { resolveChannels } from './resolve-channels.ts';

/** The channels that get a worker, by name. */
export async function servedChannels(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<string, ConfiguredChannel>> {
  const configured = await resolveChannels(config, env);
  const { name, type } = LAST_RESORT;
  const channel = channelOf(type);
  if (!channel?.defaultSettings || config.channels.some((entry) => entry.type === type)) return configured;
  const fallback = { name, channel, settings: channel.defaultSettings, level: config.redaction.level };
  return new Map([...configured, [name, fallback]]);
}
