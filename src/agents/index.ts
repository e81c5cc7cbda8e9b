// The registry of agents.
import type { Agent, ParseHints } from '../model/agent.ts';
import { claude } from './claude.ts';
import { droid } from './droid.ts';
import { generic } from './generic.ts';

/** All agents in the order in which they are asked whether an input is theirs; the last takes any. */
export const agents: readonly Agent[] = [droid, claude, generic];

/** The agent of this name, or undefined. */
export function agentByName(name: string): Agent | undefined {
  return agents.find((agent) => agent.name === name);
}

/**
 * Whose input this is when `--agent` does not say. The input itself is asked first: the environment of one client is
 * inherited by another that is started from its shell.
 */
export function recogniseAgent(
  input: Readonly<Record<string, unknown>>,
  hints: Pick<ParseHints, 'event' | 'env'>,
): Agent {
  const named = agents.slice(0, -1);
  const bare = { event: hints.event, env: {} };
  const found =
    named.find((agent) => agent.recognise(input, bare)) ?? named.find((agent) => agent.recognise(input, hints));
  return found ?? generic;
}
