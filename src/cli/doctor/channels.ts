// Doctor: each channel: its own look at itself, and how its last deliveries went.
import { configuredChannels } from '../../daemon/configured-channels.ts';
import type { SendTools } from '../../model/channel.ts';
import { defineCheck, fail, type Finding, warn } from './check.ts';
import { daemonStatus } from './daemon-status.ts';

/** Longest look at a channel, ms. */
const LIMIT = 10_000;

export const channels = defineCheck({
  name: 'channels',
  looks: 'each channel, without sending anything, and whether it accepted its last deliveries',
  mends: [
    ['a secret is missing, an address is refused or not reachable, there is no desktop', 'as the channel says'],
    ['it stopped accepting', 'mend its settings, then `belfry test CHANNEL`'],
    ['there is none', 'add one to `config.toml`'],
  ],
  run: async ({ paths, config, io, machine, now }) => {
    if (!config) return [warn('channels are not looked at while the settings are broken', 'mend the settings first')];
    const all = [...(await configuredChannels(config, io.env)).values()];
    if (all.length === 0) return [fail('there is no channel: nobody is told', `add one to ${paths.config}`)];
    const status = await daemonStatus(paths);
    const failing = new Map(
      status.state === 'answered'
        ? status.data.channels.filter(({ state }) => state === 'failing').map((entry) => [entry.name, entry])
        : [],
    );
    const looked = await Promise.all(
      all.map(async ({ name, channel, settings }): Promise<Finding[]> => {
        const tools: SendTools = {
          signal: AbortSignal.timeout(LIMIT),
          now: () => now,
          env: io.env,
          platform: machine.platform,
          log: () => undefined,
        };
        const found = await channel.check(settings, tools);
        const trouble = failing.get(name);
        const faults = trouble
          ? [
              fail(
                `it stopped accepting: ${trouble.error ?? trouble.reason ?? 'unknown'}`,
                `mend its settings, then run \`belfry test ${name}\``,
              ),
            ]
          : [];
        return [...found, ...faults].map((finding) => ({ ...finding, text: `${name}: ${finding.text}` }));
      }),
    );
    return looked.flat();
  },
});
