// Refuses what an agent must not do for its person: the process that asks must not be one of an agent's own.
import * as z from 'zod';
import { agents } from '../../agents/index.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { isAlive } from '../../runtime/process-table.ts';
import { agentAmong, judgedFrom } from '../../runtime/running-agent.ts';

/** Who asks: the process that waits for the reply. */
export const processSchema = z.object({ pid: z.int().positive() });

/** Throws when the process is not there or an agent is among its ancestors. `what`: that you say by it. */
export function refuseAgentProcess({ pid }: z.output<typeof processSchema>, what: string): void {
  const agent = agentAmong(agents, judgedFrom(pid));
  if (agent !== null || !isAlive(pid, null))
    throw new UserError(
      `${agent ? `an agent (${agent.name})` : 'a process that is not there'} cannot say that ${what}: do it in a terminal of your own`,
      EXIT.auth,
    );
}
