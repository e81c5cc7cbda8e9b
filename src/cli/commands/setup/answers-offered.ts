// Which agents `setup` offers to answer from elsewhere: those that can be, and are not yet.
import { isAskInstalled } from '../../../../installers/answer-entries.ts';
import type { Machine } from '../../../../installers/settings-file.ts';
import type { Agent } from '../../../model/agent/agent.ts';

/** In their order. */
export async function answersOffered(agents: readonly Agent[], machine: Machine): Promise<readonly Agent[]> {
  if (machine.platform === 'win32') return [];
  const offered: Agent[] = [];
  for (const agent of agents) {
    // Settings that cannot be read are reported by the installation.
    if (agent.answering && !(await isAskInstalled(agent, machine).catch(() => true))) offered.push(agent);
  }
  return offered;
}
