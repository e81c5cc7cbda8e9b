// Doctor: each channel: its own check, and its last deliveries.
import { type ChannelFindings, checkChannel, resolveChannels } from '../../daemon/channels/resolve-channels.ts';
import { systemClock } from '../../lib/clock.ts';
import type { ChannelTools } from '../../model/channel/channel.ts';
import { resolveOwnPaths } from '../../runtime/own-paths.ts';
import type { Config } from '../../model/settings/config.ts';
import { failingWords } from '../../model/channel/failing-words.ts';
import { ago } from '../options/times.ts';
import { defineCheck, fail, type CheckResult, warn } from './check.ts';
import { daemonCheck, fromThisShell } from './shared/daemon-check.ts';
import { type ChannelRecord, channelRecords, type MissedDeliveries } from './shared/last-deliveries.ts';

export const channelsCheck = defineCheck({
  name: 'channels',
  inspects: 'each channel as the daemon uses it, without sending anything, and its last deliveries',
  fixes: [
    ['a secret is missing, an address is refused or unreachable, there is no desktop', 'as shown'],
    ['its last deliveries failed', 'correct its settings, then `belfry test CHANNEL`'],
    ['there is none', '`belfry setup`, or add one to `config.toml`'],
  ],
  run: async ({ paths, config, io, machine, now }) => {
    if (!config) return [warn('not checked: the settings are invalid', 'correct the settings first')];
    if (config.channels.length === 0)
      return [fail('no channel: nobody is notified', `run \`belfry setup\`, or add one to ${paths.config}`)];
    const names = config.channels.map(({ name }) => name);
    const [records, checked] = await Promise.all([channelRecords(paths, names), daemonCheck(paths)]);
    const looked = checked?.channels ?? (await lookFromHere(config, io.env, machine.platform));
    // The daemon's channel of last resort is in no settings, and need not work.
    const own = looked.filter(({ name }) => config.channels.some((entry) => entry.name === name));
    const results = own.flatMap(({ name, findings }) =>
      merged(name, findings, records.get(name), now).map(
        (result): CheckResult => ({ ...result, text: `${name}: ${result.text}` }),
      ),
    );
    return checked ? results : [...results, fromThisShell('checked')];
  },
});

/** One failure for a channel: what it says of itself, else that its deliveries fail. */
function merged(
  name: string,
  own: readonly CheckResult[],
  record: ChannelRecord | undefined,
  now: number,
): readonly CheckResult[] {
  const { failing = null, missed = null } = record ?? {};
  if (failing?.reason === 'quota') {
    const fix = `wait, or enlarge the quota and run \`belfry test ${name}\``;
    return [
      ...own.filter(({ level }) => level === 'fail'),
      warn(`${failingWords('quota', failing.probeAt)}: ${failing.error ?? 'quota used up'}`, fix),
    ];
  }
  const error = failing === null ? missed?.error : (failing.error ?? failing.reason ?? 'unknown error');
  if (error === undefined) return own;
  const [first] = own.filter(({ level }) => level === 'fail');
  if (first) {
    const text = error.startsWith(first.text) ? first.text : `${first.text} (last delivery: ${error})`;
    return own.map((result) => (result === first ? { ...first, text } : result));
  }
  const fix = `correct its settings or its receiver, then run \`belfry test ${name}\``;
  const others = own.filter(({ level }) => level !== 'ok');
  if (failing !== null || missed === null) return [fail(`deliveries fail: ${error}`, fix), ...others];
  const text = `${missedWords(missed, ago(missed.at, now))}: ${missed.error}`;
  return [missed.all ? fail(text, fix) : warn(text, fix), ...others];
}

/** "its last 3 deliveries were given up, the latest 5 min ago". */
function missedWords({ givenUp }: MissedDeliveries, when: string): string {
  if (givenUp === 0) return `its last delivery failed ${when} and is tried again`;
  if (givenUp === 1) return `its last delivery was given up ${when}`;
  return `its last ${givenUp} deliveries were given up, the latest ${when}`;
}

/** Where no daemon can be asked. */
async function lookFromHere(
  config: Config,
  env: ChannelTools['env'],
  platform: NodeJS.Platform,
): Promise<readonly ChannelFindings[]> {
  const at = { env, platform, log: () => undefined, clock: systemClock, stateFolder: resolveOwnPaths().state };
  const all = await resolveChannels(config, env);
  return Promise.all([...all.values()].map((configured) => checkChannel(configured, at)));
}
