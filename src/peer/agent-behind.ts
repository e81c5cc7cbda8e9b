// Whether an agent runs a command, and the words for it.
import { type FoundAgent, agentAmong, type KnownAgent } from './agent-of-process.ts';
import { processesAround } from './read-processes.ts';

/** The agent that runs the process with this pid; null: none is seen. Rejects where the system's list of processes cannot be had. */
export const agentBehind = async (
  agents: readonly KnownAgent[],
  pid: number,
  platform = process.platform,
): Promise<FoundAgent | null> => agentAmong(agents, await processesAround(pid, platform));

/** What is refused, and how a person does it. */
export const refusalOf = ({ name, variable }: FoundAgent, instead: string): string =>
  `an agent (${name}) runs this command${variable === null ? '' : `, for its environment has ${variable}`}: ${instead}`;
