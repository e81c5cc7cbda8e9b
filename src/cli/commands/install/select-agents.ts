// Which agents and whose settings the arguments of `install` and `uninstall` mean.
import { Argument } from 'commander';
import { resolve } from 'node:path';
import type { Scope } from '../../../../installers/settings-file.ts';
import { agents } from '../../../agents/index.ts';
import { didYouMean } from '../../../lib/text/did-you-mean.ts';
import type { Agent } from '../../../model/agent/agent.ts';
import { EXIT, UserError } from '../../../model/errors.ts';

/** Options that say whose settings are meant. */
export interface ScopeFlags {
  readonly project?: true;
  readonly settings?: string;
}

/** Agents that have settings to install hooks in. */
const installable = agents
  .filter((agent) => agent.settings !== null)
  .map((agent) => agent.name)
  .sort();

/** The argument `[AGENT...]`; its choices are for help and completion, the names are checked by `agentsNamed`. */
export function agentArgument(description: string): Argument {
  const argument = new Argument('[AGENT...]', description);
  argument.argChoices = [...installable];
  return argument;
}

/** Agents by name, each once. */
export function agentsNamed(names: readonly string[]): Agent[] {
  return [...new Set(names)].map((name) => {
    const agent = agents.find((candidate) => candidate.name === name);
    if (!agent) throw new UserError(`unknown agent "${name}"${didYouMean(name, installable)}`, EXIT.usage);
    return agent;
  });
}

/** The user's settings unless the options say otherwise. */
export function scopeOf(flags: ScopeFlags, names: readonly string[]): Scope {
  if (flags.settings !== undefined && flags.project)
    throw new UserError('--settings and --project cannot be used together', EXIT.usage);
  if (flags.project) return { level: 'project', folder: process.cwd() };
  if (flags.settings === undefined) return { level: 'user' };
  if (new Set(names).size !== 1)
    throw new UserError('--settings needs exactly one agent: the one whose file it is', EXIT.usage);
  return { level: 'file', path: resolve(flags.settings) };
}

/** Asks on the terminal; picking nothing cancels. */
export async function pickAgents(here: readonly Agent[]): Promise<readonly Agent[]> {
  const { isCancel, multiselect } = await import('@clack/prompts');
  const picked = await multiselect({
    message: 'Which agents should notify you?',
    options: here.map((agent) => ({ value: agent.name, label: agent.title })),
    initialValues: here.map((agent) => agent.name),
    required: true,
  });
  if (isCancel(picked)) throw new UserError('cancelled; nothing was changed');
  return here.filter((agent) => picked.includes(agent.name));
}
