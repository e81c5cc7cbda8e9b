// The agent that an option names.
import { agents } from '../../agents/index.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { EXIT, UserError } from '../../model/errors.ts';

/** Why there is no such agent, and the nearest or all of them; null: there is one. `besides`: other names that are known. */
export function agentFault(text: string, besides: Iterable<string> = []): string | null {
  const known = [...new Set([...agents.map(({ name }) => name), ...besides])];
  return known.includes(text) ? null : `there is no agent "${text}"${didYouMean(text, known)}`;
}

/** Refuses an unknown one, whose input would be read as that of any program. */
export function agentOf(text: string | undefined): string | undefined {
  const fault = text === undefined ? null : agentFault(text);
  if (fault !== null) throw new UserError(fault, EXIT.usage);
  return text;
}
