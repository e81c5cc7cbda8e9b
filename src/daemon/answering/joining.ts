// Joining sessions as the daemon does it: only those of agents for which answering was installed.
import { isAskInstalled } from '../../../installers/answer-entries.ts';
import type { Machine } from '../../../installers/settings-file.ts';
import type { AnsweringDeps } from '../../answering/index.ts';
import { agents } from '../../agents/index.ts';
import { UserError } from '../../model/errors.ts';
import type { Log } from '../shared/log.ts';

/** What answering needs for it. */
export function joiningFor(machine: Machine, log: Log): Pick<AnsweringDeps, 'place' | 'isInstalled'> {
  return {
    place: machine,
    isInstalled: async (agent) => {
      try {
        return await isAskInstalled(agent, machine);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        log('the settings of an agent cannot be read, so it is not answered', {
          agent: agent.name,
          why: error.message,
        });
        return false;
      }
    },
  };
}

/** Names of the agents that code of ours inside their client answers. */
export async function answeredInside(machine: Machine, log: Log): Promise<readonly string[]> {
  const { isInstalled } = joiningFor(machine, log);
  const names: string[] = [];
  for (const agent of agents)
    if (agent.answering?.inside !== undefined && (await isInstalled(agent))) names.push(agent.name);
  return names;
}
