// `belfry config show`: the settings in force, defaults filled in and secrets hidden, and the retry table.
import { formatDiagnostic, keyOf } from '../../../config/diagnostic.ts';
import { readConfig } from '../../../config/load.ts';
import type { ConfigFiles, MachineState } from '../../../config/machine/machine-config.ts';
import { type Origin, settingOrigins } from '../../../config/machine/setting-origins.ts';
import { registries } from '../../../config/registries.ts';
import { parseSettingPath } from '../../../config/toml/edit-setting.ts';
import { JITTER, MAX_ATTEMPTS, RETRY_TABLE } from '../../../lib/retry.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { durationSetting } from '../../../model/quantities.ts';
import type { Io } from '../../io.ts';

/** The settings in force as the files would have them, secrets hidden. */
export interface SettingsInForce {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Of one's own file; null: there is none. */
  readonly text: string | null;
  readonly machine: MachineState;
}

/** Reads them. UserError where one's own file is invalid. */
export async function settingsInForce(files: ConfigFiles): Promise<SettingsInForce> {
  const { config: path } = files;
  const loaded = await readConfig(files);
  if (!loaded.ok) {
    const [first] = loaded.diagnostics;
    const where = first ? formatDiagnostic(path, first) : path;
    throw new UserError(`${where}; \`belfry config check\` shows all errors`, EXIT.usage);
  }
  const { shownConfig } = await import('../../../config/show.ts');
  return { settings: shownConfig(loaded.config, registries), text: loaded.text, machine: loaded.machine };
}

/** Prints the settings of these files as TOML or JSON, with where each is from. */
export async function show(io: Io, files: ConfigFiles): Promise<void> {
  const { config: path } = files;
  const [inForce, { stringify }] = await Promise.all([settingsInForce(files), import('smol-toml')]);
  const { settings, machine } = inForce;
  const origins = await settingOrigins(inForce.text, machine.config);
  const retry = { after: RETRY_TABLE.map(durationSetting), jitter: JITTER, attempts: MAX_ATTEMPTS };
  for (const fault of machine.faults) io.note(formatDiagnostic(machine.file, fault));
  if (io.json)
    return io.data({
      file: path,
      exists: inForce.text !== null,
      machine: { file: machine.file, in_force: machine.config !== null, last_good: machine.isLastGood },
      settings,
      origins: Object.fromEntries(origins),
      retry,
    });
  const isDefault = inForce.text === null && machine.config === null;
  const missing = `# ${path} does not exist${isDefault ? ': these are the defaults' : ''}`;
  io.line(inForce.text === null ? missing : `# ${path}`);
  const which = machine.isLastGood ? ' (the last good one)' : '';
  if (machine.config !== null) io.line(`# ${machine.file}${which}: machine-wide. What has no comment is a default.`);
  else if (!isDefault) io.line('# What has no comment is a default.');
  if ([...origins.values()].some(({ locked }) => locked))
    io.line('# Your own file cannot change what is locked. Locks are advisory: the daemon runs as you.');
  io.line(annotated(stringify(withoutEmpty(settings)), origins, machine.file));
  io.line(
    `# A failed delivery is retried after ${retry.after.join(', ')} (each up to ${JITTER * 100} % shorter or longer),`,
  );
  io.line(`# at most ${MAX_ATTEMPTS} attempts. A receiver's Retry-After takes precedence.`);
}

/** The text, which has each setting on a line of its own, with a comment behind what is no plain default. */
function annotated(text: string, origins: ReadonlyMap<string, Origin>, machineFile: string): string {
  let section = '';
  let route = -1;
  return text
    .split('\n')
    .map((line) => {
      const header = /^\[\[?(.+?)\]\]?$/.exec(line)?.[1];
      if (line === '[[routes]]') route++;
      if (header !== undefined) section = header;
      const name = /^("(?:[^"\\]|\\.)*"|[\w-]+) = /.exec(line)?.[1];
      const key = line === '[[routes]]' ? `routes[${route}]` : name === undefined ? header : `${section}.${name}`;
      const origin = key === undefined ? undefined : origins.get(keyOf(parseSettingPath(key) ?? []));
      return origin === undefined ? line : `${line} # ${originWords(origin, machineFile)}`;
    })
    .join('\n');
}

function originWords({ from, line, locked }: Origin, machineFile: string): string {
  const place = from === 'default' ? 'default' : from === 'own' ? `line ${line}` : `${machineFile}:${line}`;
  return locked ? `${place}, locked` : place;
}

/** Tables that say nothing are left out, and those that hold nothing but them. */
function withoutEmpty(table: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(table).map(
    ([key, value]) => [key, isTable(value) ? withoutEmpty(value) : value] as const,
  );
  return Object.fromEntries(kept.filter(([, value]) => !isTable(value) || Object.keys(value).length > 0));
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
