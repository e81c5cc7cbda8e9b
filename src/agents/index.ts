// The registry of agents.
import { type Agent, displayName } from '../model/agent/agent.ts';
import { antigravity } from './antigravity.ts';
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
export const agents: readonly Agent[] = [
  droid,
  codex,
  qwen,
  gemini,
  opencode,
  cursor,
  antigravity,
  copilot,
  claude,
  generic,
];

/** The same as people are shown them: what most of them use first. */
export const agentsByUse: readonly Agent[] = [
  claude,
  codex,
  copilot,
  cursor,
  gemini,
  opencode,
  qwen,
  droid,
  antigravity,
  generic,
];

/** The agent of this name, or undefined. */
export function agentByName(name: string): Agent | undefined {
  return agents.find((agent) => agent.name === name);
}

/** The agent of this name as it is shown to people. */
export const agentTitle = (name: string): string => displayName(name, agentByName(name)?.title);
