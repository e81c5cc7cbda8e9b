// `belfry uninstall`: removes the hooks from agents' settings; with --purge also the service and everything Belfry keeps.
import { existsSync } from 'node:fs';
import { uninstallFor } from '../../../../installers/for-agents.ts';
import { installedPlugin } from '../../../../installers/installed-plugin.ts';
import { ownTools, thisMachine } from '../../../../installers/install-context.ts';
import { agents } from '../../../agents/index.ts';
import { secretsFolder, storedSecrets } from '../../../config/secrets/secret-store.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { agentArgument, agentsNamed, type ScopeFlags, scopeOf } from './select-agents.ts';
import type { Define } from '../../command-entry.ts';
import type { Io } from '../../io.ts';
import { replacedSettings } from '../config/replaced-settings.ts';
import { answered, Cancelled } from '../channel/ask-settings.ts';
import { removeOwnFolders, serviceInstalled, stopIdleDaemon } from './remove-own-folders.ts';
import { purge } from './purge.ts';
import { reportChanges } from './report-changes.ts';

interface Flags extends ScopeFlags {
  readonly all?: true;
  readonly dryRun?: true;
  readonly purge?: true;
  readonly yes?: true;
}

export const define: Define = (command, io) => {
  command
    .addArgument(agentArgument('the agents (default: all)'))
    .option('--all', 'all agents, the same as naming none')
    .option('--project', "edit this project's settings instead of yours")
    .option('--settings <PATH>', 'edit this settings file instead')
    .option('--purge', 'also delete the service, config.toml, stored secrets and the event history')
    .option('-y, --yes', 'do not ask before --purge deletes')
    .option('--dry-run', 'print what would change, and change nothing')
    .action(async (names: string[], flags: Flags) => {
      const scope = scopeOf(flags, names);
      const all = names.length === 0;
      if (flags.purge && !(all && scope.level === 'user'))
        throw new UserError('--purge removes all of belfry: leave out agents, --project and --settings', EXIT.usage);
      const meant = all ? agents.filter((agent) => agent.settings) : agentsNamed(names);
      const paths = resolveOwnPaths();
      const dryRun = flags.dryRun === true;
      if (flags.purge && !dryRun && !flags.yes && io.tty && !io.json && process.stdin.isTTY)
        await confirmPurge(paths, io);
      const tools = ownTools(paths, { form: 'fast', dryRun, shared: scope.level === 'project' });
      const done = await uninstallFor(meant, scope, thisMachine(), tools);
      const reported = all
        ? done.filter((result) => 'error' in result || result.files.length > 0 || result.notes.length > 0)
        : done;
      reportChanges(io, reported, { dryRun });
      if (!all) return;
      if (reported.length === 0 && !io.json) io.line('No hooks are installed.');
      if (scope.level !== 'user' || io.exit !== EXIT.ok) return;
      const say: Io['line'] = io.json ? () => undefined : io.line;
      if (flags.purge) return purge(paths, dryRun, say);
      // A plugin goes on handing events over.
      if (!dryRun && meant.every((agent) => installedPlugin(agent, thisMachine()) === null)) await tidy(paths, say);
    });
};

/** Shows what goes, and asks, where anything would; throws where the person says no. */
async function confirmPurge(paths: Paths, io: Io): Promise<void> {
  const said: string[] = [];
  await purge(paths, true, (text) => said.push(text));
  const targets = said.flatMap((text) => /^Would delete (.*)/.exec(text)?.[1] ?? []);
  if (targets.length === 0) return;
  io.line('This removes every hook of Belfry, and deletes for good:');
  for (const target of targets) io.line(`  ${target}`);
  const { confirm } = await import('@clack/prompts');
  if (!(await answered(confirm({ message: 'Delete all of it?', initialValue: false })))) throw new Cancelled();
}

/** Stops a daemon that nothing feeds any more; deletes what is of no use, and says what is kept: settings and secrets always. */
async function tidy(paths: Paths, say: Io['line']): Promise<void> {
  if (await serviceInstalled(paths)) say('The service still runs the daemon: `belfry service uninstall` removes it.');
  else if (await removeOwnFolders(paths)) return say('Deleted the rest: it held nothing but test notifications.');
  else if (await stopIdleDaemon(paths)) say('Daemon stopped: no hooks are installed.');
  const secrets = secretsFolder(paths.config);
  const kept = [
    ...(existsSync(paths.config) ? [`your settings in ${paths.config}`] : []),
    ...((await storedSecrets(secrets)).length > 0 ? [`your secrets in ${secrets}`] : []),
    ...(await replacedSettings(paths)).map((file) => `what \`config import\` replaced in ${file}`),
    ...(existsSync(paths.database) ? [`your event history in ${paths.state}`] : []),
  ];
  if (kept.length > 0)
    say(`Kept: ${kept.join(', ')}. \`belfry uninstall --purge\` deletes ${kept.length > 1 ? 'them' : 'it'}.`);
}
