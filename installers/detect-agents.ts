// Finds the agents of this machine: by their settings folder or their program.
import { dirname } from 'node:path';
import type { Agent } from '../src/model/agent/agent.ts';
import { localFacts } from './files/access.ts';
import { findProgram } from './find-program.ts';
import type { Machine } from './settings-file.ts';

/** The agents with settings that are on this machine, in their order. */
export function detectAgents(agents: readonly Agent[], machine: Machine): Agent[] {
  const folders = agents.flatMap(({ name, settings }) =>
    settings === null ? [] : [[name, dirname(settings.user(machine))] as const],
  );
  return agents.filter((agent) => {
    const others = new Set(folders.flatMap(([name, folder]) => (name === agent.name ? [] : [folder])));
    return agent.settings !== null && isHere(agent, machine, others);
  });
}

/** `others`: folders of other agents' settings, which prove nothing of this one. */
function isHere(agent: Agent, machine: Machine, others: ReadonlySet<string>): boolean {
  const { settings } = agent;
  if (!settings) return false;
  const folder = dirname(settings.user(machine));
  // A file of our own goes into a folder for such files, which the client makes later than its own settings folder.
  const own = settings.shape === 'nested' ? folder : dirname(folder);
  const { exists } = machine.facts ?? localFacts;
  return (
    exists(folder) || (own !== machine.home && !others.has(own) && exists(own)) || findProgram(agent, machine) !== null
  );
}
