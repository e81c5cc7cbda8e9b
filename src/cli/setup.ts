// `belfry setup`: from the installed package to the first notification with one command; can be run again at any time.
import { installFor } from '../../installers/for-agents.ts';
import { backupRecordsIn } from '../../installers/files/backup-records.ts';
import { detectAgents } from '../../installers/detect-agents.ts';
import { installService, managerRuns } from '../../installers/service/control.ts';
import { mechanismFor } from '../../installers/service/index.ts';
import { ownServiceSpec } from '../../installers/service/spec.ts';
import { backupsIn, ownTools, thisMachine } from '../../installers/install-context.ts';
import { agents } from '../agents/index.ts';
import { formatDiagnostic } from '../config/diagnostic.ts';
import { definesChannels, readConfig } from '../config/load.ts';
import { EXIT, UserError } from '../model/errors.ts';
import type { Paths } from '../runtime/paths.ts';
import { resolveOwnPaths } from '../runtime/environment.ts';
import { ask } from './rpc.ts';
import { ensureDaemon } from './background.ts';
import type { Define } from './entry.ts';
import type { Io } from './io.ts';
import { rememberFolders } from './own-folders.ts';
import { reportChanges } from './report-changes.ts';
import { addressChannels, type ChannelHere, channelsHere } from './setup/channels-here.ts';
import { choose } from './setup/choose.ts';
import { printSummary, type SetupResult } from './setup/summary.ts';
import { storeSecrets, writeConfig, writeVariables } from './setup/write-config.ts';
import { stopDaemon } from './stop-daemon.ts';

interface Flags {
  readonly yes?: true;
  readonly service: boolean;
}

/** The slowest channel has its own limit well below this, ms. */
const PATIENCE = 60_000;

export const define: Define = (command, io) => {
  command
    .option('-y, --yes', 'ask nothing; use everything that is found')
    .option('--no-service', 'do not install the service; a hook starts the daemon')
    .action((flags: Flags) => setup(flags, io));
};

async function setup(flags: Flags, io: Io): Promise<void> {
  const paths = resolveOwnPaths();
  const before = await settingsBefore(paths);
  const mechanism = mechanismFor(process.platform);
  const [channels, manager] = await Promise.all([
    channelsHere(io.env),
    flags.service && mechanism ? managerRuns(mechanism) : false,
  ]);
  const found = { agents: detectAgents(agents, thisMachine()), channels, service: manager };
  if (!flags.yes && !(io.tty && process.stdin.isTTY && !io.json))
    throw new UserError('no terminal to ask on: use --yes to accept everything that is found', EXIT.usage);
  const chosen = flags.yes ? found : await choose(found, before.defined ? null : addressChannels());

  await rememberFolders(paths);
  const { config, secrets } = await writeSettings(paths, before, chosen.channels);
  const tools = ownTools(paths, { form: 'fast', dryRun: false, shared: false });
  const installed = await installFor(chosen.agents, { level: 'user' }, false, thisMachine(), tools, io.note);
  const errors: Io = { ...io, json: false, line: () => undefined, exit: EXIT.ok };
  reportChanges(errors, installed, { dryRun: false, verb: 'install' });
  const service = chosen.service ? await startService(paths, before.variables, io) : null;

  await ensureDaemon(paths, true);
  await ask(paths, 'reload', {}, 10_000); // a daemon that ran before uses the new settings and secrets by now
  const { results: test } = (await ask(paths, 'test', { channels: [] }, PATIENCE)) as { results: SetupResult['test'] };
  const works = test.some(({ ok }) => ok);
  io.exit = errors.exit !== EXIT.ok ? errors.exit : works ? EXIT.ok : EXIT.refused;
  if (io.json)
    return io.data({
      config: { file: paths.config, wrote: config !== 'kept' },
      agents: installed,
      service,
      secrets,
      test,
    });
  const variables = service === null ? before.variables : [];
  printSummary(paths, { config, agents: installed, service, secrets, variables, test }, io);
}

/** What config.toml says already. An invalid one is refused before anything is changed. */
interface SettingsBefore {
  readonly text: string | null;
  /** It has channels or routes of its own. */
  readonly defined: boolean;
  /** Variables it refers to. */
  readonly variables: readonly string[];
}

async function settingsBefore(paths: Paths): Promise<SettingsBefore> {
  const loaded = await readConfig(paths.config);
  if (!loaded.ok) {
    const [first] = loaded.diagnostics;
    const where = first ? formatDiagnostic(paths.config, first) : paths.config;
    throw new UserError(`${where}; correct it, then run \`belfry setup\` again (nothing was changed)`, EXIT.usage);
  }
  const { text, config } = loaded;
  const values = [config.api.key, ...config.channels.flatMap(({ settings }) => Object.values(settings))];
  const variables = values.flatMap((value) => (typeof value === 'string' ? (/^env:(.+)$/.exec(value)?.[1] ?? []) : []));
  return { text, defined: text !== null && definesChannels(text), variables: [...new Set(variables)] };
}

/** A new file, or channels for one that has none; a file that has channels is not touched, only its secrets are renewed. */
async function writeSettings(
  paths: Paths,
  { text, defined }: SettingsBefore,
  channels: readonly ChannelHere[],
): Promise<Pick<SetupResult, 'config' | 'secrets'>> {
  const used = channels.filter(({ secrets }) => secrets.every(({ name }) => text?.includes(`"secret:${name}"`)));
  if (defined) return { config: 'kept', secrets: await storeSecrets(paths, used) };
  // The defaults have every channel that needs no settings.
  if (text !== null && channels.every(({ secrets, lines }) => secrets.length === 0 && !lines.includes('url =')))
    return { config: 'kept', secrets: [] };
  await writeConfig(paths, channels);
  return { config: text === null ? 'created' : 'extended', secrets: await storeSecrets(paths, channels) };
}

/** Under the service manager; the variables that the user's settings refer to are kept where it finds them. */
async function startService(paths: Paths, variables: readonly string[], io: Io): Promise<string | null> {
  const mechanism = mechanismFor(process.platform);
  if (!mechanism) return null;
  await writeVariables(paths, variables, io.env);
  await stopDaemon(paths); // one that was started otherwise would keep the service's own from starting
  await installService(mechanism, ownServiceSpec(paths), {
    records: backupRecordsIn(backupsIn(paths)),
    dryRun: false,
    newMode: 0o644,
  });
  return mechanism.title;
}
