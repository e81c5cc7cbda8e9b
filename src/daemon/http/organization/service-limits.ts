// Credit limits from the page: a dry run of a text, and the limits that it showed. Read as `belfry api usage-limits set` reads them.
import type { ApiResult } from '../../../http/api/contract.ts';
import type { Handlers } from '../../../http/api/routes.ts';
import type { CommandContext } from '../../commands/context.ts';
import { answered, clientOf } from './service-client.ts';

export function limitHandlers(context: CommandContext): Pick<Handlers, 'service.checkLimits' | 'service.setLimits'> {
  return {
    'service.checkLimits': ({ body }) => checkLimits(body.text),
    'service.setLimits': async ({ body }) => {
      const { updated, errors } = await answered(() => clientOf(context).usageLimits.set(body));
      return {
        updated: updated.map(({ email, limit }) => ({ email, limit })),
        errors: errors.map(({ email, error }) => ({ email, error })),
      };
    },
  };
}

async function checkLimits(text: string): Promise<ApiResult<'service.checkLimits'>> {
  const [{ parseLimits }, { limitErrors }, { MOST_USERS }] = await Promise.all([
    import('../../../api/limits/parse-limits.ts'),
    import('../../../api/limits/limit-errors.ts'),
    import('../../../api/contract/usage-limits.ts'),
  ]);
  const { found, errors } = parseLimits(text);
  const placed = found.map((one) => ({ ...one, at: `line ${one.line}` }));
  const wrong = [...errors.map(({ line, what }) => `line ${line}: ${what}`), ...limitErrors(placed)];
  if (placed.length > MOST_USERS)
    wrong.push(
      `${placed.length} users exceed the limit of ${MOST_USERS} per request: use \`belfry api usage-limits set --from FILE --batch\``,
    );
  return { users: wrong.length > 0 ? [] : placed.map(({ email, limit }) => ({ email, limit })), errors: wrong };
}
