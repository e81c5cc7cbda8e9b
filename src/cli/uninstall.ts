// `belfry uninstall`: removes the hooks from agents' settings.
import { existsSync } from 'node:fs';
import { uninstallFor } from '../../installers/for-agents.ts';
import { ownTools, thisMachine } from '../../installers/install-context.ts';
import { agents } from '../agents/index.ts';
import { EXIT } from '../model/errors.ts';
import { resolveOwnPaths } from '../runtime/environment.ts';
import { agentArgument, agentsNamed, type ScopeFlags, scopeOf } from './select-agents.ts';
import type { Define } from './entry.ts';
import { stopIdleDaemon, removeOwnFolders, removeSettings } from './cleanup.ts';
import { reportChanges } from './report-changes.ts';

interface Flags extends ScopeFlags {
  readonly all?: true;
  readonly dryRun?: true;
}

export const define: Define = (command, io) => {
  command
    .addArgument(agentArgument('the agents; without one, all'))
    .option('--all', 'every agent, the same as naming none')
    .option('--project', "this project's settings instead of yours")
    .option('--settings <PATH>', 'another settings file of the agent')
    .option('--dry-run', 'print what would change, and change nothing')
    .action(async (names: string[], flags: Flags) => {
      const scope = scopeOf(flags, names);
      const meant = names.length > 0 ? agentsNamed(names) : agents.filter((agent) => agent.settings);
      const paths = resolveOwnPaths();
      const tools = ownTools(paths, { form: 'fast', dryRun: flags.dryRun === true, shared: scope.level === 'project' });
      const done = await uninstallFor(meant, scope, thisMachine(), tools);
      const all = names.length === 0;
      const told = all ? done.filter((result) => 'error' in result || result.files.length > 0) : done;
      reportChanges(io, told, { dryRun: flags.dryRun === true, verb: 'uninstall' });
      if (!all) return;
      if (told.length === 0 && !io.json) io.line('Nothing of ours is installed.');
      if (flags.dryRun || scope.level !== 'user' || io.exit !== EXIT.ok) return;
      await removeSettings(paths);
      if (await removeOwnFolders(paths)) return;
      const stopped = await stopIdleDaemon(paths);
      if (io.json) return;
      if (stopped) io.line('The daemon is stopped: no hook is left that could tell it anything.');
      if (existsSync(paths.state)) io.line(`What belfry keeps for you stays in ${paths.state}`);
    });
};
