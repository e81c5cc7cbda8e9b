// `belfry setup`: from the installed package to the first notification with one command; can be run again at any time.
import { applyProxy } from '../../../config/proxy-setting.ts';
import { installFor } from '../../../../installers/for-agents.ts';
import { backupRecordsIn } from '../../../../installers/files/backup-records.ts';
import { detectAgents } from '../../../../installers/detect-agents.ts';
import { installService, managerRuns } from '../../../../installers/service/control.ts';
import { mechanismFor } from '../../../../installers/service/index.ts';
import { ownServiceSpec } from '../../../../installers/service/spec.ts';
import { backupsIn, ownTools, thisMachine } from '../../../../installers/install-context.ts';
import { agentsByUse } from '../../../agents/index.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ask } from '../../daemon/rpc.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import { callerOf } from '../../daemon/caller.ts';
import type { Define } from '../../command-entry.ts';
import type { Io } from '../../io.ts';
import { rememberFolders } from '../install/remember-own-folders.ts';
import { reportChanges } from '../install/report-changes.ts';
import { addAsked } from './add-asked.ts';
import { type AskedChannel, channelHereOf } from './ask-channels.ts';
import { channelsHere } from './channels-here.ts';
import { type Choice, choose, type Offered } from './choose-what.ts';
import { printSummary, type SetupResult } from './setup-summary.ts';
import { configured, settingsBefore, writable, writeSettings } from './settings.ts';
import { writeVariables } from './write-config.ts';
import { stopDaemon } from '../../daemon/stop-daemon.ts';
import { leaveFallback } from '../../../runtime/fallback-files.ts';
import { daemonProgram } from '../../daemon/program-path.ts';
import { awaitReplaced } from '../../daemon/wait-for-upgrade.ts';
import { isAskInstalled, obstacle } from '../../../../installers/answer-entries.ts';
import { clientVersion } from '../../../../installers/client-version.ts';
import type { Machine } from '../../../../installers/settings-file.ts';
import type { Agent } from '../../../model/agent/agent.ts';

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
  await applyProxy(before, io.env); // channels that are asked for are tried from here
  const mechanism = mechanismFor(process.platform);
  const [here, manager] = await Promise.all([
    channelsHere(io.env),
    flags.service && mechanism ? managerRuns(mechanism) : false,
  ]);
  const machine = thisMachine();
  const detected = detectAgents(agentsByUse, machine);
  const found = {
    agents: detected,
    offered: before.carriers.off === null ? await answersOffered(detected, machine) : [],
    channels: writable(here, before),
    service: manager,
  };
  if (!flags.yes && !(io.tty && process.stdin.isTTY && !io.json))
    throw new UserError('no terminal to ask on: use --yes to accept everything that is found', EXIT.usage);
  const chosen = flags.yes ? { ...found, answered: [], asked: [] } : await choose(io, found, configured(before));

  await rememberFolders(paths);
  const news = before.defined ? chosen.channels : [...chosen.channels, ...chosen.asked.map(channelHereOf)];
  const written = await writeSettings(paths, before, news);
  // Settings of the user's own get them one by one, each in the routes that are picked.
  const added = before.defined ? await addAsked(io, paths, chosen.asked) : null;
  leaveFallback(paths, daemonProgram());
  const installed = await installHooks(paths, chosen, io);
  const errors: Io = { ...io, json: false, line: () => undefined, exit: EXIT.ok };
  reportChanges(errors, installed, { dryRun: false });
  const { variables, carriers, records } = await settingsBefore(paths);
  const service = chosen.service ? await startService(paths, variables, io) : null;

  await awaitReplaced(paths);
  await ensureListening(paths);
  await ask(paths, 'reload', {}, 10_000); // a daemon that ran before uses the new settings and secrets by now
  const test = await testOthers(
    paths,
    before.defined ? before.names : chosen.channels.map(({ type }) => type),
    chosen.asked,
  );
  const works = test.some(({ ok }) => ok);
  io.exit = errors.exit !== EXIT.ok ? errors.exit : works ? EXIT.ok : EXIT.refused;
  const config = added !== null && chosen.asked.length > 0 ? 'extended' : written.config;
  const secrets = [...written.secrets, ...(added ?? [])];
  if (io.json)
    return io.data({
      config: { file: paths.config, wrote: config !== 'kept' },
      agents: installed,
      service,
      secrets,
      test,
    });
  printSummary(
    paths,
    {
      config,
      agents: installed,
      obstacles: new Map(found.offered.map(({ agent, obstacle }) => [agent.name, obstacle])),
      carriers,
      records,
      service,
      secrets,
      variables: service === null ? variables : [],
      test,
    },
    io,
  );
}

/** Those that were picked get what lets them be answered; what the others have stays. */
async function installHooks(
  paths: Paths,
  { agents, answered }: Pick<Choice, 'agents' | 'answered'>,
  io: Io,
): Promise<SetupResult['agents']> {
  const done: SetupResult['agents'][number][] = [];
  for (const agent of agents) {
    const answer = answered.includes(agent) ? 'add' : 'keep';
    const tools = ownTools(paths, { form: 'fast', dryRun: false, shared: false, answer });
    done.push(...(await installFor([agent], { level: 'user' }, false, thisMachine(), tools, io.note)));
  }
  return done;
}

/** A test through every channel but those that have just had one. */
async function testOthers(
  paths: Paths,
  names: readonly string[],
  asked: readonly AskedChannel[],
): Promise<SetupResult['test']> {
  const done = asked.map(({ channel }) => ({ channel: channel.type, ok: true, error: null }));
  if (done.length > 0 && names.length === 0) return done;
  const { results } = (await ask(
    paths,
    'test',
    { channels: done.length > 0 ? names : [], caller: callerOf(process.env) },
    PATIENCE,
  )) as {
    results: SetupResult['test'];
  };
  return [...results, ...done];
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

/** Those that can be answered from elsewhere and are not yet, in their order; each client is asked for its version. */
async function answersOffered(agents: readonly Agent[], machine: Machine): Promise<readonly Offered[]> {
  if (machine.platform === 'win32') return [];
  const found = agents.map(async (agent): Promise<readonly Offered[]> => {
    // Settings that cannot be read are reported by the installation.
    if (!agent.answering || (await isAskInstalled(agent, machine).catch(() => true))) return [];
    return [{ agent, obstacle: obstacle(agent, await clientVersion(agent, machine)) }];
  });
  return (await Promise.all(found)).flat();
}
