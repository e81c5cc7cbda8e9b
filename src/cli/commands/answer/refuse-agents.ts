// Refuses a command that an agent runs, where no daemon is asked: an answer is as powerful as the keyboard, and it is the person's.
import { agents } from '../../../agents/index.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { agentBehind, refusalOf } from '../../../peer/agent-behind.ts';

/** Throws where an agent runs it. `instead`: how a person does it. */
export async function refuseAgents(instead: string): Promise<void> {
  const agent = await agentBehind(agents, process.pid);
  if (agent !== null) throw new UserError(refusalOf(agent, instead), EXIT.auth);
}
