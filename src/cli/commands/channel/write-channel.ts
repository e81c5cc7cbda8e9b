// Writes a verified channel: its secrets, its table in config.toml and its routes, or nothing of it.
import { loadConfig } from '../../../config/load.ts';
import { registries } from '../../../config/registries.ts';
import { secretsFolder, type StoredSecret } from '../../../config/secrets/secret-store.ts';
import { routesEvents } from '../../../config/machine/machine-config.ts';
import { lockOf } from '../../../config/machine/merge-config.ts';
import { asObject } from '../../../lib/json/json.ts';
import type { ChannelConfig, Route } from '../../../model/settings/config.ts';
import type { ChannelType } from '../../../model/channel/channel.ts';
import type { SetupAnswers } from '../../../model/channel/setup.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Paths } from '../../../runtime/paths.ts';
import type { AddFlags } from './add-flags.ts';
import { checkSecrets } from '../config/check-secrets.ts';
import { exchangeSettings, settingsText } from '../config/settings-file.ts';
import type { Io } from '../../io.ts';
import { rememberFolders } from '../install/remember-own-folders.ts';
import { reloadDaemon } from '../../daemon/reload-daemon.ts';
import type { ConfigBefore } from './config-before.ts';
import { withChanges, withRoute, withTable, withTarget } from './config-text.ts';
import { chooseRoutes, workingDefaults } from './choose-routes.ts';
import { storeChannelSecrets } from './store-secrets.ts';

/** What is written. */
export interface VerifiedChannel {
  readonly channel: ChannelType;
  readonly name: string;
  readonly answers: SetupAnswers;
  readonly before: ConfigBefore;
  readonly flags: AddFlags;
  readonly interactive: boolean;
  /** Ms that the test took; null: there was none. */
  readonly tested: number | null;
}

/** What was written besides its table. */
export interface WrittenChannel {
  readonly secrets: readonly StoredSecret[];
  readonly plan: RoutePlan;
}

/** UserError where it cannot be written; then secrets and settings are as before. */
export async function writeChannel(io: Io, paths: Paths, verified: VerifiedChannel): Promise<WrittenChannel> {
  const { channel, name, answers, before } = verified;
  const plan = await planRoutes(io, verified);
  await rememberFolders(paths);
  const secrets = await storeChannelSecrets(secretsFolder(paths.config), channel, name, answers, before.channel ?? {});
  try {
    const text = await textWith(verified, secrets.settings, plan);
    const loaded = await loadConfig(text, registries, before.machine);
    const [first] = loaded.ok ? [] : loaded.diagnostics;
    if (first) throw new UserError(`${first.key}: ${first.message}; nothing was changed`);
    await exchangeSettings(paths.config, before.text, text);
  } catch (error) {
    await secrets.undo();
    throw error;
  }
  await reloadDaemon(paths);
  await warnOfSecrets(io, paths, verified);
  return { secrets: secrets.stored, plan };
}

/** The routes that the channel is added to. */
export interface RoutePlan {
  /** Indexes in config.toml of those that are there. */
  readonly routes: readonly number[];
  /** Default channels that a new route has to name besides; null: no new route. */
  readonly fresh: readonly string[] | null;
  /** The new route is before those of the machine, which still get what they got. */
  readonly goesOn?: true;
}

async function planRoutes(io: Io, { name, before, flags, interactive }: VerifiedChannel): Promise<RoutePlan> {
  const { config, defined } = before;
  if (isRoutingLocked(before) || (before.channel !== null && flags.route === undefined))
    return { routes: [], fresh: null };
  if (!defined && flags.route !== undefined)
    throw new UserError(
      '--route and --no-route need [[routes]] in config.toml: leave them out, and a route is made (nothing was changed)',
      EXIT.usage,
    );
  if (!defined && routesEvents(before.machine)) return { routes: [], fresh: [], goesOn: true };
  if (!defined) return { routes: [], fresh: await workingDefaults(builtIn(before), io.env) };
  const isOwn = ({ machine }: Route): boolean => !machine;
  if (!config.routes.some(isOwn)) return { routes: [], fresh: flags.route === false ? null : [] };
  const chosen = await chooseRoutes(config.routes, name, flags, interactive);
  const routes = chosen.filter((i) => !config.routes[i]?.to.includes(name));
  return { routes: routes.map((i) => config.routes.slice(0, i).filter(isOwn).length), fresh: null };
}

/** No route of one's own counts. */
export const isRoutingLocked = ({ machine }: Pick<ConfigBefore, 'machine'>): boolean =>
  lockOf(['routes'], machine) !== null;

/** The default channels that nobody's file defines. */
function builtIn({ config, machine }: ConfigBefore): readonly ChannelConfig[] {
  const theirs = asObject(machine?.input['channels']);
  return config.channels.filter(({ name }) => !Object.hasOwn(theirs, name));
}

async function textWith(
  { channel, name, before }: VerifiedChannel,
  settings: SetupAnswers,
  { routes, fresh, goesOn }: RoutePlan,
): Promise<string> {
  const changed = Object.entries(settings).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before.channel?.[key]),
  );
  let text = (before.text ?? '').replace(/^\uFEFF/, '');
  if (before.channel === null) {
    const defaults = before.defined ? [] : builtIn(before).filter((one) => fresh?.includes(one.name));
    for (const one of defaults)
      if (one.name !== name) text = withTable(text, { name: one.name, type: one.type, settings: {} });
    text = withTable(text, { name, type: channel.type, settings });
  } else text = await withChanges(text, name, Object.fromEntries(changed));
  for (const route of routes) {
    const added = await withTarget(text, route, name);
    if (added === null)
      throw new UserError(
        `routes[${route}].to cannot be changed here: use \`belfry config edit\` (nothing was changed)`,
      );
    text = added;
  }
  const to = [...(fresh ?? []).filter((one) => one !== name), name];
  return fresh === null ? text : withRoute(text, to, goesOn ? ['also = true'] : []);
}

/** A variable of this shell may be missing in the daemon. */
async function warnOfSecrets(io: Io, paths: Paths, { name, before }: VerifiedChannel): Promise<void> {
  const text = await settingsText(paths.config);
  const loaded = await loadConfig(text, registries, before.machine);
  if (!loaded.ok) return;
  const { warnings } = await checkSecrets(loaded.config, { own: text, machine: before.machine }, paths, io.env);
  for (const { key, message } of warnings)
    if (key.startsWith(`channels.${name}.`)) io.note(`warning: ${key}: ${message}`);
}
