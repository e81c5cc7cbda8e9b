// The registry of agents.
import type { Agent, ParseHints } from '../model/agent.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import { generic } from './generic.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';

/** All agents in the order in which they are asked whether an input is theirs; the last takes any. */
export const agents: readonly Agent[] = [droid, codex, qwen, gemini, opencode, cursor, copilot, claude, generic];

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

/**
 * The agent that parses an input: the one `--agent` names (`generic` for a name nobody has), except that a client which
 * also runs that agent's hooks is known by its input; without a name the one that recognises it.
 */
export function agentFor(
  name: string | null,
  input: Readonly<Record<string, unknown>>,
  hints: Pick<ParseHints, 'event' | 'env'>,
): Agent {
  if (name === null) return recogniseAgent(input, hints);
  const bare = { event: hints.event, env: {} };
  const borrower = agents.find((agent) => agent.borrows?.includes(name) && agent.recognise(input, bare));
  return borrower ?? agentByName(name) ?? generic;
}
