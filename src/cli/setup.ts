// `belfry setup`: from the installed package to the first notification with one command.
import { existsSync } from 'node:fs';
import { backupRecordsIn } from '../../installers/files/backup-records.ts';
import { installFor } from '../../installers/for-agents.ts';
import { detectAgents } from '../../installers/detect-agents.ts';
import { installService, managerRuns } from '../../installers/service/control.ts';
import { mechanismFor } from '../../installers/service/index.ts';
import { ownServiceSpec } from '../../installers/service/spec.ts';
import { backupsIn, ownTools, thisMachine } from '../../installers/install-context.ts';
import { agents } from '../agents/index.ts';
import { EXIT, UserError } from '../model/errors.ts';
import type { Paths } from '../runtime/paths.ts';
import { resolveOwnPaths } from '../runtime/environment.ts';
import { ask } from './rpc.ts';
import { ensureDaemon } from './background.ts';
import type { Define } from './entry.ts';
import type { Io } from './io.ts';
import { rememberFolders } from './own-folders.ts';
import { reportChanges } from './report-changes.ts';
import { type ChannelHere, channelsHere } from './setup/channels-here.ts';
import { choose } from './setup/choose.ts';
import { writeConfig, writeVariables } from './setup/write-config.ts';
import { stopDaemon } from './stop-daemon.ts';

interface Flags {
  readonly yes?: true;
  readonly service: boolean;
}

/** The part of the daemon's answer to `test` that is shown here. */
interface Tested {
  readonly results: readonly { readonly channel: string; readonly ok: boolean; readonly error: string | null }[];
}

/** The slowest channel has its own limit well below this, ms. */
const PATIENCE = 60_000;

export const define: Define = (command, io) => {
  command
    .option('-y, --yes', 'ask nothing, take everything that is found')
    .option('--no-service', 'leave the service manager alone; a hook starts the daemon')
    .action((flags: Flags) => setup(flags, io));
};

async function setup(flags: Flags, io: Io): Promise<void> {
  const paths = resolveOwnPaths();
  const mechanism = mechanismFor(process.platform);
  const [channels, manager] = await Promise.all([
    channelsHere(io.env),
    flags.service && mechanism ? managerRuns(mechanism) : false,
  ]);
  const found = { agents: detectAgents(agents, thisMachine()), channels, service: manager };
  if (!flags.yes && !(io.tty && process.stdin.isTTY && !io.json))
    throw new UserError('there is no terminal to ask on: say --yes to take everything that is found', EXIT.usage);
  const chosen = flags.yes ? found : await choose(found, existsSync(paths.config));

  await rememberFolders(paths);
  const wrote = await writeConfig(paths, chosen.channels);
  say(io, wrote ? `Settings: ${paths.config}` : `Settings: ${paths.config} stays as it is`);
  const tools = ownTools(paths, { form: 'fast', dryRun: false, shared: false });
  const installed = await installFor(chosen.agents, { level: 'user' }, false, thisMachine(), tools);
  const quiet: Io = { ...io, json: false, line: (text) => say(io, text), exit: EXIT.ok };
  reportChanges(quiet, installed, { dryRun: false, verb: 'install' });
  if (chosen.agents.length === 0) say(io, 'No agent was found: `belfry install NAME` installs for one later.');
  const service = chosen.service ? await startService(paths, chosen.channels, io) : null;
  say(io, service ?? 'No service is needed: a hook starts the daemon when there is something to tell.');

  await ensureDaemon(paths, true);
  await ask(paths, 'reload', {}, 10_000); // a daemon that ran before has the new settings by now
  const { results } = (await ask(paths, 'test', { channels: [] }, PATIENCE)) as Tested;
  for (const { channel, ok, error } of results)
    say(io, ok ? `Told through ${channel}.` : `${channel} failed: ${error}`);
  const told = results.some(({ ok }) => ok);
  io.exit = quiet.exit !== EXIT.ok ? quiet.exit : told ? EXIT.ok : EXIT.refused;
  if (io.json) return io.data({ config: { file: paths.config, wrote }, agents: installed, service, test: results });
  io.line('');
  if (told)
    io.line(
      'You should see a test notification now. From here on you are told when an agent waits, has finished or has failed.',
    );
  else io.line('Nobody could be told: mend the channel above in the settings, then run `belfry test`.');
  if (chosen.agents.length > 0) io.line('Sessions that are open already have to be started anew to load the hooks.');
  io.line(
    '`belfry doctor` checks every link, `belfry sessions` lists who is at work, `belfry uninstall` takes it all back.',
  );
}

/** Under the service manager; the variables that the channels name are kept where it finds them. */
async function startService(paths: Paths, channels: readonly ChannelHere[], io: Io): Promise<string | null> {
  const mechanism = mechanismFor(process.platform);
  if (!mechanism) return null;
  await writeVariables(
    paths,
    channels.flatMap(({ variables }) => variables),
    io.env,
  );
  await stopDaemon(paths); // one that was started otherwise would keep the service's own from starting
  const change = await installService(mechanism, ownServiceSpec(paths), {
    records: backupRecordsIn(backupsIn(paths)),
    dryRun: false,
    newMode: 0o644,
  });
  return `The daemon runs as a ${mechanism.title}: ${change.file}`;
}

function say(io: Io, text: string): void {
  if (!io.json) io.line(text);
}
