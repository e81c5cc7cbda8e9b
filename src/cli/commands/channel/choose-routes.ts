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

/** Indexes among all routes, as `belfry routes show` numbers them; those of the machine cannot be chosen. */
export async function chooseRoutes(
  routes: Config['routes'],
  name: string,
  { route }: AddFlags,
  interactive: boolean,
): Promise<number[]> {
  if (route === false) return [];
  const own = routes.flatMap(({ machine }, i) => (machine ? [] : [i]));
  if (route !== undefined) {
    for (const text of route) {
      const isNumber = /^[1-9]\d{0,3}$/.test(text);
      if (isNumber && own.includes(Number(text) - 1)) continue;
      throw new UserError(
        `--route ${text}: config.toml has routes ${(own[0] ?? 0) + 1} to ${(own.at(-1) ?? 0) + 1}; nothing was changed`,
        isNumber ? EXIT.notFound : EXIT.usage,
      );
    }
    return route.map((text) => Number(text) - 1);
  }
  const last = own.slice(-1);
  if (!interactive) return last;
  const { multiselect } = await import('@clack/prompts');
  const options = own.map((i) => ({ value: i, label: routeLabel(i, routes[i]) }));
  const message = `Which routes should ${name} be added to? The first that matches is used.`;
  return answered(multiselect({ message, options, initialValues: last, required: false }));
}

function routeLabel(index: number, route: Config['routes'][number] | undefined): string {
  return route === undefined ? '' : `${index + 1} ${matchWords(route)} → ${route.to.join(', ') || 'nobody'}`;
}

/** The default channels that work on this machine: a file with a channel of its own has to name them. */
export async function workingDefaults(channels: Config['channels'], env: Io['env']): Promise<string[]> {
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
