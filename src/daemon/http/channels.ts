// The configured channels with what they can do, their health and how their last attempt went.
import { channelOf } from '../../channels/index.ts';
import type { ApiResult } from '../../http/api/contract.ts';
import type { Handlers } from '../../http/api/routes.ts';
import type { ChannelConfig } from '../../model/settings/config.ts';
import { iso } from '../../model/row-json.ts';
import type { ChannelHealth } from '../../store/contract.ts';
import { lastAttempt } from '../channels/last-attempts.ts';
import type { CommandContext } from '../commands/context.ts';

type Row = ApiResult<'channels.list'>['channels'][number];

export function channelHandlers({ store, liveConfig }: CommandContext): Pick<Handlers, 'channels.list'> {
  return {
    'channels.list': async () => {
      const [health, counts] = await Promise.all([store.health(), store.counts()]);
      const known = new Map(health.map((one) => [one.channel, one]));
      const channels = liveConfig.config().channels.map(async (channel): Promise<Row> => {
        const last = await lastAttempt(store, channel.name);
        return {
          ...whatItIs(channel),
          ...howItIs(known.get(channel.name)),
          waiting: counts.waiting.get(channel.name) ?? 0,
          last_attempt:
            last === null
              ? null
              : { at: new Date(last.at).toISOString(), ok: last.ok, reason: last.reason, error: last.error },
        };
      });
      return { channels: await Promise.all(channels) };
    },
  };
}

function whatItIs({ name, type }: ChannelConfig): Pick<Row, 'name' | 'type' | 'audience' | 'can' | 'quota'> {
  const channel = channelOf(type);
  const can = Object.entries(channel?.capabilities ?? {}).flatMap(([what, has]) => (has === false ? [] : [what]));
  return { name, type, audience: channel?.audience ?? 'people', can, quota: channel?.docs.quota ?? null };
}

function howItIs(
  health: ChannelHealth | undefined,
): Pick<Row, 'state' | 'since' | 'reason' | 'error' | 'probe_at' | 'paused_until'> {
  const failing = health?.state === 'failing' ? health : null;
  return {
    state: failing === null ? 'ok' : 'failing',
    since: iso(failing?.since ?? null),
    reason: failing?.reason ?? null,
    error: failing?.error ?? null,
    probe_at: iso(failing?.probeAt ?? null),
    paused_until: iso(health?.pausedUntil ?? null),
  };
}
