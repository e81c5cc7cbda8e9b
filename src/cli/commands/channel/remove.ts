// `belfry channel remove NAME`: its table out of config.toml, its name out of whatever names it, its secrets out of their store. Where the machine has one of that name, this takes its place.
import { parse } from 'smol-toml';
import { unknownTargets } from '../../../config/checks/semantic-checks.ts';
import { keyOf } from '../../../config/diagnostic.ts';
import { definesChannels, loadConfig } from '../../../config/load.ts';
import type { MachineConfig } from '../../../config/machine/machine-config.ts';
import { lockOf, routesBefore } from '../../../config/machine/merge-config.ts';
import { registries } from '../../../config/registries.ts';
import { secretReferences } from '../../../config/secrets/secret-references.ts';
import { removeSecret, secretsFolder } from '../../../config/secrets/secret-store.ts';
import { removeSetting } from '../../../config/toml/edit-setting.ts';
import { asObject } from '../../../lib/json/json.ts';
import { didYouMean } from '../../../lib/text/did-you-mean.ts';
import { joinAnd } from '../../../lib/text/text.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Config } from '../../../model/settings/config.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { reloadDaemon } from '../../daemon/reload-daemon.ts';
import type { Io } from '../../io.ts';
import { pathFor } from '../../output/path-for.ts';
import { withStore } from '../../reading/with-store.ts';
import { valueAt } from '../config/get.ts';
import { exchangeSettings } from '../config/settings-file.ts';
import { Cancelled } from './ask-settings.ts';
import { readSettings } from './config-before.ts';

type Path = readonly (string | number)[];

/** UserError for all expected trouble; then nothing has changed. */
export async function remove(
  io: Io,
  paths: Paths,
  name: string,
  { force = false }: { readonly force?: boolean },
): Promise<void> {
  const { text: before, config, tables, machine } = await readSettings(paths);
  const text = await removeSetting((before ?? '').replace(/^\uFEFF/, ''), ['channels', name]);
  if (text === null) throw new UserError(notThere(name, config, Object.keys(tables), machine), EXIT.notFound);
  const replaced = isOfMachine(name, machine);
  const named = replaced ? [] : placesOf(text, name);
  const first = lockOf(['routes'], machine) === null ? routesBefore(machine) : null;
  const places = wordsOf(named, first);
  if (named.length > 0 && !force) await agree(io, name, joinAnd(places));
  const after = await withoutNames(text, named);
  const loaded = await loadConfig(after, registries, machine);
  if (!loaded.ok) {
    const [first] = loaded.diagnostics;
    throw new UserError(`${first?.key}: ${first?.message}; nothing was changed`, EXIT.usage);
  }
  const waiting = await withStore(async (store) => (await store.counts()).waiting.get(name) ?? 0);
  await exchangeSettings(paths.config, before, after);
  const secrets = await removeSecrets(secretsFolder(paths.config), name, config, loaded.config);
  await reloadDaemon(paths);
  const idle = routesOf(named)
    .flatMap((i) => (first === null ? [] : [i + first]))
    .filter((i) => loaded.config.routes[i]?.to.length === 0);
  if (io.json) return io.data({ removed: name, file: paths.config, named: named.map(keyOf), secrets, waiting });
  io.line(`Removed [channels.${name}] from ${pathFor(io, paths.config)}.`);
  if (named.length > 0) io.line(`Its name was taken out of ${joinAnd(places)}.`);
  if (replaced) io.line(`${name} is now the channel of ${machine?.file}.`);
  for (const i of idle) io.line(`Route ${i + 1} has no channel any more: what it takes is sent to nobody.`);
  if (!definesChannels(after))
    io.line(
      `config.toml has neither channels nor routes now: ${machine ? `those of ${machine.file}` : 'the defaults'} apply.`,
    );
  if (secrets.length > 0) io.line(`Deleted its secret${secrets.length === 1 ? '' : 's'} ${joinAnd(secrets)}.`);
  if (waiting > 0) io.line(`${waitingWords(waiting)} given up; \`belfry deliveries --failed\` lists what was.`);
}

const waitingWords = (count: number): string =>
  count === 1 ? 'One delivery that waited for it is' : `${count} deliveries that waited for it are`;

const isOfMachine = (name: string, machine: MachineConfig | null): boolean =>
  Object.hasOwn(asObject(machine?.input['channels']), name);

function notThere(
  name: string,
  { channels }: Config,
  inFile: readonly string[],
  machine: MachineConfig | null,
): string {
  if (isOfMachine(name, machine))
    return `${name} is a channel of ${machine?.file} and not in config.toml: take it out of your routes instead`;
  if (channels.some((channel) => channel.name === name))
    return `${name} is a default channel and not in config.toml: \`belfry channel add\` adds what is to take its place`;
  return `there is no channel "${name}"${didYouMean(name, inFile)}; \`belfry channel list\` shows them`;
}

/** Where the rest names the channel, which is not in it any more. */
const placesOf = (text: string, name: string): readonly Path[] => {
  const input = parse(text);
  return unknownTargets(input)
    .map(({ path }) => path.map((part) => (typeof part === 'number' ? part : String(part))))
    .filter((path) => valueAt(input, path) === name);
};

const routesOf = (named: readonly Path[]): number[] => [
  ...new Set(named.flatMap(([section, i]) => (section === 'routes' && typeof i === 'number' ? [i] : []))),
];

/** "route 1", "the escalation of route 2", "quiet.channels"; `before`: how many routes come before one's own; null: those do not count. */
function wordsOf(named: readonly Path[], before: number | null): string[] {
  const words = named.map((path) => {
    const [section, i, key] = path;
    if (section !== 'routes' || before === null) return keyOf(path.slice(0, -1));
    return `${key === 'escalate' ? 'the escalation of ' : ''}route ${Number(i) + before + 1}`;
  });
  return [...new Set(words)];
}

async function agree(io: Io, name: string, where: string): Promise<void> {
  if (!io.tty || io.json || process.stdin.isTTY !== true)
    throw new UserError(
      `${name} is named by ${where}: take it out there first, or add --force (nothing was changed)`,
      EXIT.usage,
    );
  const { confirm } = await import('@clack/prompts');
  const message = `${name} is named by ${where}. Take it out there as well?`;
  if ((await confirm({ message, initialValue: false })) !== true) throw new Cancelled();
}

/** From the last to the first, so that the places before stay; a step of an escalation goes with its last channel. */
async function withoutNames(text: string, named: readonly Path[]): Promise<string> {
  let left = text;
  for (const path of named.toReversed()) {
    const list = path.slice(0, -1);
    const isStep = list[2] === 'escalate';
    const isLast = isStep && Object(valueAt(parse(left), list)).length === 1;
    left = (await removeSetting(left, isLast ? list.slice(0, -1) : path)) ?? left;
  }
  return left;
}

/** Those that nothing else refers to. Their names. */
async function removeSecrets(folder: string, name: string, before: Config, after: Config): Promise<readonly string[]> {
  const stored = (config: Config): { readonly path: readonly PropertyKey[]; readonly secret: string }[] =>
    secretReferences(config, registries).flatMap(({ path, reference }) => {
      const secret = /^secret:(.+)$/.exec(reference)?.[1];
      return secret === undefined ? [] : [{ path, secret }];
    });
  const kept = new Set(stored(after).map(({ secret }) => secret));
  const own = stored(before).filter(
    ({ path, secret }) => path[0] === 'channels' && path[1] === name && !kept.has(secret),
  );
  const removed = [];
  for (const secret of new Set(own.map((one) => one.secret)))
    if (await removeSecret(folder, secret)) removed.push(secret);
  return removed;
}
