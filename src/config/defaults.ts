// Who is notified of what without a settings file: docs/reference/settings.md.
import type { ChannelConfig, Route } from '../model/settings/config.ts';
import type { Registries } from './registries.ts';

/** Every channel that works without settings, named by its type. */
export function defaultChannels(registries: Registries): ChannelConfig[] {
  return registries.channels
    .filter((channel) => channel.defaultSettings !== null)
    .map((channel) => ({
      name: channel.type,
      type: channel.type,
      level: null,
      // Not null by the filter; settings are an object by the contract's doc.
      settings: channel.defaultSettings as Readonly<Record<string, unknown>>,
    }));
}

/** All that matters to one person at this machine; what has urgency low is not sent. */
export function defaultRoutes(channels: readonly ChannelConfig[]): Route[] {
  const to = channels.map((channel) => channel.name);
  const rest = { to, also: false, when: 'always' } as const;
  return [
    {
      match: {
        kind: [
          'agent.waiting',
          'agent.finished',
          'session.failed',
          'limit.low',
          'limit.reached',
          'limit.reset',
          'remote.flooding',
          'channel.failing',
          'watch.failing',
          'settings.broken',
          'journal.failing',
        ],
        urgency: ['normal', 'urgent'],
      },
      ...rest,
    },
    { match: { kind: ['session.ended'], abnormal: true, urgency: ['normal', 'urgent'] }, ...rest },
    { match: { kind: ['test'] }, ...rest },
  ];
}
