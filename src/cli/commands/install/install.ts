// `belfry install`: adds the hooks to agents' settings.
import { agentsByUse } from '../../../agents/index.ts';
import type { AnswerChoice } from '../../../../installers/answer-entries.ts';
import { installFor } from '../../../../installers/for-agents.ts';
import { detectAgents } from '../../../../installers/detect-agents.ts';
import { isTransientInstall, packageFolder } from '../../../../installers/package-folder.ts';
import { ownTools, thisMachine } from '../../../../installers/install-context.ts';
import type { Agent } from '../../../model/agent/agent.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { whyAnswersOff } from '../answer/switched-off.ts';
import { agentArgument, agentsNamed, pickAgents, type ScopeFlags, scopeOf } from './select-agents.ts';
import { leaveFallback } from '../../../runtime/fallback-files.ts';
import { daemonProgram } from '../../daemon/program-path.ts';
import type { Define } from '../../command-entry.ts';
import type { Io } from '../../io.ts';
import { rememberFolders } from './remember-own-folders.ts';
import { reportChanges } from './report-changes.ts';
import { awaitReplaced } from '../../daemon/wait-for-upgrade.ts';

interface Flags extends ScopeFlags {
  readonly all?: true;
  readonly dryRun?: true;
  readonly minimal?: true;
  readonly hook: string;
  readonly answer?: boolean;
  readonly terminal?: boolean;
}

export const define: Define = (command, io) => {
  command
    .addArgument(agentArgument('the agents'))
    .option('--all', 'all agents found on this machine')
    .option('--project', "edit this project's settings instead of yours")
    .option('--settings <PATH>', 'edit this settings file instead')
    .option('--minimal', 'leave out prompts and session starts; every abnormal end is then urgent')
    .option('--hook <FORM>', 'fast (a line of shell) or socket (always the hook program)', 'fast')
    .option('--answer', 'also install what lets you answer the agents from elsewhere')
    .option('--no-answer', 'remove that again')
    .option('--terminal', 'with --answer: also let the agent show in its own terminal what a channel hands it')
    .option('--no-terminal', 'remove that again')
    .option('--dry-run', 'print what would change, and change nothing')
    .action(async (names: string[], flags: Flags) => {
      if (flags.hook !== 'fast' && flags.hook !== 'socket')
        throw new UserError(`unknown hook form "${flags.hook}": use fast or socket`, EXIT.usage);
      const machine = thisMachine(); // before anything is written: it refuses where there is no home
      const scope = scopeOf(flags, names);
      const meant = names.length > 0 ? agentsNamed(names) : await offered(flags, io);
      const tools = ownTools(resolveOwnPaths(), {
        form: flags.hook,
        dryRun: flags.dryRun === true,
        shared: scope.level === 'project',
        answer: answerOf(flags),
        ...(flags.terminal === undefined ? {} : { terminal: flags.terminal }),
      });
      if (!flags.dryRun) await rememberFolders(resolveOwnPaths());
      if (!flags.dryRun) await awaitReplaced(resolveOwnPaths()); // the hooks run this package from now on
      if (!flags.dryRun) leaveFallback(resolveOwnPaths(), daemonProgram());
      const done = await installFor(meant, scope, flags.minimal === true, machine, tools, io.note);
      if (isTransientInstall(packageFolder()))
        io.note(
          'the hooks point into the npx cache, which npm may empty: run `npm i -g belfry`, then `belfry install` again',
        );
      reportChanges(io, done, { dryRun: flags.dryRun === true, answersOff: await whyAnswersOff() });
    });
};

function answerOf({ answer, terminal }: Flags): AnswerChoice {
  if (answer === false && terminal === true)
    throw new UserError('--terminal needs what lets you answer: leave out --no-answer', EXIT.usage);
  if (answer === undefined) return terminal === true ? 'add' : 'keep';
  return answer ? 'add' : 'remove';
}

/** The agents found here: all of them, or those the user picks. */
async function offered(flags: Flags, io: Io): Promise<readonly Agent[]> {
  const here = detectAgents(agentsByUse, thisMachine());
  const known = agentsByUse.filter((agent) => agent.settings).map((agent) => agent.name);
  if (here.length === 0 && flags.all) io.note('no agent found on this machine: run it again once there is one');
  if (flags.all) return here;
  if (here.length === 0)
    throw new UserError(`no agent found on this machine: name one (${known.join(', ')})`, EXIT.usage);
  if (io.tty && !io.json && process.stdin.isTTY) return pickAgents(here);
  const found = here.map((agent) => agent.name).join(', ');
  throw new UserError(`found: ${found}; name the ones you want, or use --all`, EXIT.usage);
}
