// Doctor: each channel: its own check, and its last deliveries.
import { type ChannelFindings, checkChannel, resolveChannels } from '../../daemon/resolve-channels.ts';
import { systemClock } from '../../lib/clock.ts';
import type { ChannelTools } from '../../model/channel.ts';
import { resolveOwnPaths } from '../../runtime/environment.ts';
import type { Config } from '../../model/config.ts';
import { failingWords } from '../../model/failing-words.ts';
import { defineCheck, fail, type CheckResult, warn } from './check.ts';
import { daemonCheck, fromThisShell } from './daemon-check.ts';
import { daemonStatus } from './daemon-status.ts';

export const channelsCheck = defineCheck({
  name: 'channels',
  inspects: 'each channel as the daemon uses it, without sending anything, and its last deliveries',
  fixes: [
    ['a secret is missing, an address is refused or unreachable, there is no desktop', 'as shown'],
    ['its last deliveries failed', 'correct its settings, then `belfry test CHANNEL`'],
    ['there is none', '`belfry setup`, or add one to `config.toml`'],
  ],
  run: async ({ paths, config, io, machine }) => {
    if (!config) return [warn('not checked: the settings are invalid', 'correct the settings first')];
    if (config.channels.length === 0)
      return [fail('no channel: nobody is notified', `run \`belfry setup\`, or add one to ${paths.config}`)];
    const [status, checked] = await Promise.all([daemonStatus(paths), daemonCheck(paths)]);
    const failing = new Map(
      status.state === 'answered'
        ? status.data.channels.filter(({ state }) => state === 'failing').map((entry) => [entry.name, entry])
        : [],
    );
    const looked = checked?.channels ?? (await lookFromHere(config, io.env, machine.platform));
    // The daemon's channel of last resort is in no settings, and need not work.
    const own = looked.filter(({ name }) => config.channels.some((entry) => entry.name === name));
    const results = own.flatMap(({ name, findings }) =>
      merged(name, findings, failing.get(name)).map(
        (result): CheckResult => ({ ...result, text: `${name}: ${result.text}` }),
      ),
    );
    return checked ? results : [...results, fromThisShell('checked')];
  },
});

/** Of a channel's status. */
interface Failing {
  readonly error: string | null;
  readonly reason: string | null;
  readonly next_try?: string | null;
}

/** One failure for a channel: what it says of itself, else that its deliveries fail. */
function merged(name: string, own: readonly CheckResult[], failing: Failing | undefined): readonly CheckResult[] {
  if (!failing) return own;
  const last = failing.error ?? failing.reason ?? 'unknown error';
  if (failing.reason === 'quota') {
    const fix = `wait, or enlarge the quota and run \`belfry test ${name}\``;
    return [
      ...own.filter(({ level }) => level === 'fail'),
      warn(`${failingWords('quota', failing.next_try)}: ${last}`, fix),
    ];
  }
  const [first] = own.filter(({ level }) => level === 'fail');
  if (!first) {
    const fix = `correct its settings or its receiver, then run \`belfry test ${name}\``;
    return [...own.filter(({ level }) => level !== 'ok'), fail(`deliveries fail: ${last}`, fix)];
  }
  const text = last.startsWith(first.text) ? first.text : `${first.text} (last delivery: ${last})`;
  return own.map((result) => (result === first ? { ...first, text } : result));
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
