// Doctor: what lets an agent be answered from elsewhere: whole, of this version, and known to the client's version.
import { entriesOf, obstacle } from '../../../../installers/answer-entries.ts';
import { clientVersion } from '../../../../installers/client-version.ts';
import type { OurEntry } from '../../../../installers/find-installed.ts';
import type { InstallContext } from '../../../../installers/install.ts';
import type { Agent } from '../../../model/agent/agent.ts';
import { isNotifyingCommand } from '../../../runtime/hook-command.ts';
import { type CheckResult, type DoctorContext, fail, warn } from '../check.ts';

/** Nothing is wrong where nothing of it is installed, unless its sessions are to go on by themselves. */
export async function answeringFaults(
  agent: Agent,
  asks: readonly OurEntry[],
  { machine, config }: DoctorContext,
  tools: InstallContext,
): Promise<CheckResult[]> {
  if (asks.length === 0) {
    if (!agent.continues?.some((cause) => config?.resume.on.includes(cause))) return [];
    const why = 'Belfry cannot continue its sessions, as [resume] says, because answering is not installed';
    return [warn(`${agent.title}: ${why}`, `run \`belfry install ${agent.name} --answer\``)];
  }
  const why = obstacle(agent, await clientVersion(agent, machine));
  if (why !== null)
    return [
      fail(
        `${agent.title}: cannot be answered from elsewhere: ${why.text}`,
        `${why.todo}; or \`belfry install ${agent.name} --no-answer\``,
      ),
    ];
  const joined = agent.joining?.fault(machine) ?? null;
  if (joined !== null)
    return [
      fail(
        `${agent.title}: its sessions are not joined, so they can be answered at the terminal only: ${joined}`,
        'make that folder yours alone, with `chmod 700`, then start the agent again',
      ),
    ];
  const { inside } = agent.answering ?? {};
  // A module that notifies, too, is compared as a whole where that is looked at.
  if (inside && asks.every(({ command }) => isNotifyingCommand(command) || command === inside.file?.text(tools.asker)))
    return [];
  const wanted = entriesOf(agent, asks).map((entry) => `${entry.event} ${tools.ask(agent, entry)}`);
  const found = new Set(asks.filter(({ counts }) => counts).map(({ event, command }) => `${event} ${command}`));
  if (found.size === wanted.length && wanted.every((one) => found.has(one))) return [];
  return [
    fail(`${agent.title}: outdated or missing hooks for answers`, `run \`belfry install ${agent.name} --answer\``),
  ];
}
