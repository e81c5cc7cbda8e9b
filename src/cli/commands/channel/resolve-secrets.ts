// The answers with their secrets in place of references, as the channel itself is given them.
import { resolveSecret } from '../../../config/secrets/resolve-secrets.ts';
import type { ChannelType } from '../../../model/channel/channel.ts';
import type { SetupAnswers } from '../../../model/channel/setup.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { secretFields, withFieldAt } from '../../../model/settings/secret-fields.ts';

/** UserError where a reference leads nowhere. */
export async function resolveAnswers(
  channel: ChannelType,
  answers: SetupAnswers,
  env: NodeJS.ProcessEnv,
): Promise<SetupAnswers> {
  let known: unknown = answers;
  for (const { path, value } of secretFields(channel.schema, answers)) {
    const found = await resolveSecret(value, env);
    if ('error' in found) throw new UserError(`${path.join('.')}: ${found.error}; nothing was changed`, EXIT.usage);
    known = withFieldAt(known, path, found.value);
  }
  return known as SetupAnswers; // the same settings with other texts
}
