// The configured channels as the workers need them: secrets resolved, levels filled in.
import { channelOf } from '../../channels/index.ts';
import { resolveSecret } from '../../config/secrets/resolve-secrets.ts';
import type { ConfiguredChannel } from '../../delivery/index.ts';
import type { ChannelType } from '../../model/channel/channel.ts';
import type { ChannelConfig, Config } from '../../model/settings/config.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { secretFields, withFieldAt } from '../../model/settings/secret-fields.ts';

export { type ChannelFindings, checkChannel } from '../../delivery/channel/check-channel.ts';

/** By name. A secret that cannot be found makes its channel say so at each send; it does not stop the others. */
export async function resolveChannels(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<string, ConfiguredChannel>> {
  const all = await Promise.all(
    config.channels.map(async (entry): Promise<ConfiguredChannel | null> => {
      const channel = channelOf(entry.type);
      if (!channel) return null; // validated by the settings
      const { settings, trouble } = await withSecrets(entry, channel, env);
      const level = entry.level ?? config.redaction.level;
      return { name: entry.name, channel: trouble === null ? channel : without(channel, trouble), settings, level };
    }),
  );
  return new Map(all.filter((entry) => entry !== null).map((entry) => [entry.name, entry]));
}

async function withSecrets(
  entry: ChannelConfig,
  channel: ChannelType,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ settings: unknown; trouble: string | null }> {
  let settings: unknown = entry.settings;
  for (const { path, value } of secretFields(channel.schema, entry.settings)) {
    const found = await resolveSecret(value, env);
    if ('error' in found) return { settings, trouble: `${path.join('.')}: ${found.error}` };
    settings = withFieldAt(settings, path, found.value);
  }
  return { settings, trouble: null };
}

function without(channel: ChannelType, error: string): ChannelType {
  const fail = async (): Promise<Outcome> => ({ ok: false, reason: 'invalid-config', error });
  return {
    ...channel,
    open: () => ({ send: fail, update: fail, retract: fail, close: async () => undefined }),
    check: async () => [
      {
        level: 'fail',
        text: error,
        fix: 'provide the secret, then `belfry restart`; `belfry secret` stores one for good; of a machine-wide channel, ask whoever administers this machine',
      },
    ],
  };
}
