// Which routes a new channel is added to: those chosen, else the last one, which takes what no other does.
import { checkChannel } from '../../../daemon/channels/resolve-channels.ts';
import { channelOf } from '../../../channels/index.ts';
import { systemClock } from '../../../lib/clock.ts';
import type { Config } from '../../../model/settings/config.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Io } from '../../io.ts';
import type { AddFlags } from './add-flags.ts';
import { matchWords } from '../routes/route-words.ts';
import { answered } from './ask-settings.ts';

/** Indexes of routes. */
export async function chooseRoutes(
  { routes }: Config,
  name: string,
  { route }: AddFlags,
  interactive: boolean,
): Promise<number[]> {
  if (route === false) return [];
  if (route !== undefined) {
    for (const text of route)
      if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > routes.length)
        throw new UserError(
          `--route ${text}: config.toml has routes 1 to ${routes.length}; nothing was changed`,
          EXIT.usage,
        );
    return route.map((text) => Number(text) - 1);
  }
  const last = routes.length - 1;
  if (!interactive) return [last];
  const { multiselect } = await import('@clack/prompts');
  const options = routes.map((one, i) => ({
    value: i,
    label: `${i + 1} ${matchWords(one)} → ${one.to.join(', ') || 'nobody'}`,
  }));
  const message = `Which routes should ${name} be added to? The first that matches is used.`;
  return answered(multiselect({ message, options, initialValues: [last], required: false }));
}

/** The default channels that work on this machine: a file with a channel of its own has to name them. */
export async function workingDefaults({ channels }: Config, env: Io['env']): Promise<string[]> {
  const { state: stateFolder } = resolveOwnPaths();
  const at = { env, platform: process.platform, log: () => undefined, clock: systemClock, stateFolder };
  const checked = await Promise.all(
    channels.map(async ({ name, type, settings }) => {
      const channel = channelOf(type);
      if (!channel) return null;
      const { findings } = await checkChannel({ name, channel, settings, level: 'full' }, at);
      return findings.some(({ level }) => level === 'fail') ? null : name;
    }),
  );
  return checked.filter((name) => name !== null);
}
