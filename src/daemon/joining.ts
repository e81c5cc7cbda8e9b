// Joining sessions as the daemon does it: only those of agents for which answering was installed, with the agent's own program.
import { isAskInstalled } from '../../installers/answer-entries.ts';
import { findProgram } from '../../installers/find-program.ts';
import { runClient } from '../../installers/run-client.ts';
import type { Machine } from '../../installers/settings-file.ts';
import type { AnsweringDeps } from '../answering/index.ts';
import { UserError } from '../model/errors.ts';
import type { Log } from './log.ts';

/** Longest run of an agent's program that hands over a text, ms. */
const LIMIT = 20_000;

/** What answering needs for it. */
export function joiningFor(machine: Machine, log: Log): Pick<AnsweringDeps, 'place' | 'isInstalled' | 'run'> {
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
    run: async (agent, args) => {
      const program = findProgram(agent, machine);
      if (program === null) {
        log('the program of an agent was not found', { agent: agent.name });
        return false;
      }
      const { code, stderr } = await runClient(program, args, machine, LIMIT);
      if (code !== 0) log('an agent did not take a text', { agent: agent.name, code, said: stderr.slice(0, 500) });
      return code === 0;
    },
  };
}
