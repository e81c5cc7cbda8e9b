// `secrets`: which references to secrets the daemon cannot resolve, with its environment and its files. Values never leave it.
import * as z from 'zod';
import { resolveSecret } from '../../config/secrets/resolve-secrets.ts';
import { type CommandHandler, parseArgs } from './context.ts';

const schema = z.object({ references: z.array(z.string().max(4096)).max(1000) });

/** The answer: one error or null for each reference, in their order. */
export interface CheckedSecrets {
  readonly errors: readonly (string | null)[];
}

/** Answers for references such as "env:NAME"; a literal always resolves. */
export const secrets: CommandHandler = async (given, { env }): Promise<CheckedSecrets> => {
  const { references } = parseArgs(schema, given);
  const found = await Promise.all(references.map((reference) => resolveSecret(reference, env)));
  return { errors: found.map((one) => ('error' in one ? one.error : null)) };
};
