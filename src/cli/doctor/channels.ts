// Doctor: each channel: its own check, and its last deliveries.
import { type ChannelFindings, checkChannel, resolveChannels } from '../../daemon/resolve-channels.ts';
import { systemClock } from '../../lib/clock.ts';
import type { SendContext } from '../../model/channel.ts';
import type { Config } from '../../model/config.ts';
import { defineCheck, fail, type CheckResult, warn } from './check.ts';
import { daemonCheck, ownLook } from './daemon-check.ts';
import { daemonStatus } from './daemon-status.ts';

export const channelsCheck = defineCheck({
  name: 'channels',
  inspects: 'each channel as the daemon has it, without sending anything, and whether it accepted its last deliveries',
  fixes: [
    ['a secret is missing, an address is refused or not reachable, there is no desktop', 'as the channel says'],
    ['it stopped accepting', 'mend its settings, then `belfry test CHANNEL`'],
    ['there is none', 'add one to `config.toml`'],
  ],
  run: async ({ paths, config, io, machine }) => {
    if (!config) return [warn('channels are not looked at while the settings are broken', 'mend the settings first')];
    if (config.channels.length === 0)
      return [fail('there is no channel: nobody is told', `add one to ${paths.config}`)];
    const [status, checked] = await Promise.all([daemonStatus(paths), daemonCheck(paths)]);
    const failing = new Map(
      status.state === 'answered'
        ? status.data.channels.filter(({ state }) => state === 'failing').map((entry) => [entry.name, entry])
        : [],
    );
    const looked = checked?.channels ?? (await lookFromHere(config, io.env, machine.platform));
    const findings = looked.flatMap(({ name, findings: found }) => {
      const trouble = failing.get(name);
      const faults = trouble
        ? [
            fail(
              `it stopped accepting: ${trouble.error ?? trouble.reason ?? 'unknown'}`,
              `mend its settings, then run \`belfry test ${name}\``,
            ),
          ]
        : [];
      return [...found, ...faults].map((finding): CheckResult => ({ ...finding, text: `${name}: ${finding.text}` }));
    });
    return checked ? findings : [...findings, ownLook('channels were')];
  },
});

/** Where no daemon can be asked. */
async function lookFromHere(
  config: Config,
  env: SendContext['env'],
  platform: NodeJS.Platform,
): Promise<readonly ChannelFindings[]> {
  const at = { env, platform, log: () => undefined, clock: systemClock };
  const all = await resolveChannels(config, env);
  return Promise.all([...all.values()].map((configured) => checkChannel(configured, at)));
}
