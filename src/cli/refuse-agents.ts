// Refuses a command that an agent runs: an answer is as powerful as the keyboard, and it is the person's.
import { agents } from '../agents/index.ts';
import { EXIT, UserError } from '../model/errors.ts';
import { runningBelow } from './agent-ancestor.ts';

/** Throws below an agent's process. `what`: what to do instead, in a terminal of one's own. */
export async function refuseAgents(what: string): Promise<void> {
  const agent = await runningBelow(agents);
  if (agent !== null)
    throw new UserError(`an agent (${agent}) runs this command: ${what} in a terminal of your own`, EXIT.auth);
}
