// What the pipeline knows of the configured channels, from the registry and the settings.
import { channelOf } from '../../channels/index.ts';
import { type ChannelProfile, type ChannelProfiles, profileOf } from '../../model/channel/profile.ts';
import type { Config } from '../../model/settings/config.ts';
import { LAST_RESORT } from '../../model/channel/last-resort.ts';

/** Settings are never changed, only replaced: one entry for each that is in use. */
const known = new WeakMap<Config, ChannelProfiles>();

/** By name, the channel of last resort included. */
export function channelProfiles(config: Config): ChannelProfiles {
  const before = known.get(config);
  if (before) return before;
  const entries = [{ ...LAST_RESORT, settings: {} }, ...config.channels].flatMap(
    ({ name, type, settings }): readonly (readonly [string, ChannelProfile])[] => {
      const channel = channelOf(type);
      return channel ? [[name, profileOf(channel, settings, config.messages.on_resolved ?? null)]] : []; // an unknown type is refused by the settings
    },
  );
  const profiles = new Map(entries);
  known.set(config, profiles);
  return profiles;
}
