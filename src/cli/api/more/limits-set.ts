// `usage-limits set`: many users' credit limits, in turns of as many as one request carries.
import { entries } from '../../../api/contract.ts';
import { ApiError } from '../../../api/errors.ts';
import { MOST_USERS } from '../../../api/usage-limits.ts';
import { oneLine } from '../../../lib/text.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Io } from '../../io.ts';
import { type CallFlags, callOptions, connectClient } from '../connect.ts';
import { assertInput } from '../endpoint.ts';
import { assertDistinct, fromCsvFile, fromOption, type Limit } from '../limit-entries.ts';
import type { More } from './index.ts';

interface Options extends CallFlags {
  readonly user?: readonly Limit[];
  readonly from?: string;
  readonly dryRun?: true;
  readonly batch?: true;
}

/** What the service said in all turns together. */
interface Outcome {
  readonly updated: unknown[];
  readonly errors: { readonly email: string; readonly error: string }[];
}

export const setLimits: More = {
  resource: 'usageLimits',
  name: 'set',
  define: (leaf, io) => {
    leaf
      .option(
        '--user <EMAIL=LIMIT>',
        'a user and the limit; may be given several times',
        (given, before: readonly Limit[] = []) => [...before, fromOption(given)],
      )
      .option('--from <FILE.csv>', 'users and limits from a CSV file')
      .option('--dry-run', 'show what would be set, send nothing')
      .option('--batch', `allow more than ${MOST_USERS} users, sent in turns of ${MOST_USERS}`);
    callOptions(leaf);
    leaf.action(async (options: Options) => {
      const turns = turnsOf(await limitsOf(options), options.batch === true);
      if (options.dryRun) {
        showPlan(io, turns.flat());
        return;
      }
      const client = await connectClient(io, options);
      const outcome: Outcome = { updated: [], errors: [] };
      for (const [i, users] of turns.entries()) {
        try {
          const answer = await client.usageLimits.set({ users });
          outcome.updated.push(...answer.updated);
          outcome.errors.push(...answer.errors);
        } catch (error) {
          if (i === 0 || !(error instanceof ApiError)) throw error;
          showOutcome(io, outcome);
          const left = turns.slice(i).flat().length;
          throw new UserError(
            `stopped with ${left} users left, from ${users[0]?.email ?? ''} on: ${error.message}`,
            error.exit,
          );
        }
      }
      showOutcome(io, outcome);
    });
  },
};

async function limitsOf(options: Options): Promise<Limit[]> {
  const limits = [...(options.user ?? []), ...(options.from === undefined ? [] : await fromCsvFile(options.from))];
  if (limits.length === 0)
    throw new UserError('no user given: use --user EMAIL=LIMIT or --from FILE.csv; nothing was sent', EXIT.usage);
  assertDistinct(limits);
  return limits;
}

/** Turns of one request each, every one of them checked before the first is sent. */
function turnsOf(limits: readonly Limit[], batch: boolean): Limit[][] {
  if (limits.length > MOST_USERS && !batch)
    throw new UserError(
      `${limits.length} users are more than one request carries (${MOST_USERS}): add --batch to send them in turns; nothing was sent`,
      EXIT.usage,
    );
  const entry = entries.find((one) => one.resource === setLimits.resource && one.method === setLimits.name);
  if (!entry) throw new Error('the contract has no endpoint for this command');
  for (const limit of limits) {
    try {
      assertInput(entry, { users: [limit] });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      throw new UserError(error.message.replace('--user', `--user ${oneLine(limit.email)}`), error.exit);
    }
  }
  return Array.from({ length: Math.ceil(limits.length / MOST_USERS) }, (_, i) =>
    limits.slice(i * MOST_USERS, (i + 1) * MOST_USERS),
  );
}

function showPlan(io: Io, users: readonly Limit[]): void {
  if (io.json) io.data({ dryRun: true, users });
  else for (const { email, limit } of users) io.line(`${email}\t${limit}`);
  io.note(`${users.length} users would get these limits; nothing was sent`);
}

function showOutcome(io: Io, { updated, errors }: Outcome): void {
  if (io.json) io.data({ updated, errors });
  else {
    for (const one of updated as Limit[]) io.line(`${oneLine(one.email)}\t${one.limit}`);
    if (errors.length === 0) io.note(`${updated.length} users set`);
  }
  if (errors.length === 0) return;
  const listed = errors.map(({ email, error }) => `${oneLine(email)} (${oneLine(error)})`).join(', ');
  io.note(
    `belfry api: ${errors.length} of ${updated.length + errors.length} entries failed, mend and send them again: ${listed}`,
  );
  io.exit = EXIT.refused;
}
