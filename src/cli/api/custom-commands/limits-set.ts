// `usage-limits set`: many users' credit limits, in batches of as many as one request carries.
import type { FileHandle } from 'node:fs/promises';
import type { Client } from '../../../api/client/client.ts';
import { ApiError } from '../../../api/client/errors.ts';
import { stringifyExact } from '../../../api/client/exact-json.ts';
import { MOST_USERS } from '../../../api/contract/usage-limits.ts';
import { oneLine } from '../../../lib/text/text.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Io } from '../../io.ts';
import { type CallFlags, callOptions, connectClient } from '../connect.ts';
import type { Limit } from '../../../api/limits/limit.ts';
import { fromOption, gatherLimits } from '../limits/limit-entries.ts';
import { type Failed, noteFailed, openFailedFile, writeFailed } from '../limits/limits-outcome.ts';
import type { CustomCommand } from './custom-command.ts';

interface Options extends CallFlags {
  readonly user?: readonly ReturnType<typeof fromOption>[];
  readonly from?: string;
  readonly failedTo?: string;
  readonly dryRun?: true;
  readonly batch?: true;
}

type Answer = Awaited<ReturnType<Client['usageLimits']['set']>>;

export const setLimits: CustomCommand = {
  resource: 'usageLimits',
  name: 'set',
  define: (leaf, io) => {
    leaf
      .option(
        '--user <EMAIL=LIMIT>',
        'a user and the limit; may be given several times',
        (given, before: NonNullable<Options['user']> = []) => [...before, fromOption(given)],
      )
      .option('--from <FILE>', 'users and limits from a CSV or JSON file; - for standard input')
      .option('--failed-to <FILE.csv>', 'write failed entries to this file, to correct and send again')
      .option('--dry-run', 'show what would be set; send nothing')
      .option('--batch', `allow more than ${MOST_USERS} users, in batches of ${MOST_USERS}`);
    callOptions(leaf);
    leaf.action(async (options: Options) => {
      const limits = await gatherLimits(options.user ?? [], options.from, io.note);
      if (limits.length > MOST_USERS && options.batch !== true)
        throw new UserError(
          `${limits.length} users exceed the limit of ${MOST_USERS} per request: add --batch to send several requests; nothing was sent`,
          EXIT.usage,
        );
      if (options.dryRun) return showPlan(io, limits);
      const client = await connectClient(io, options);
      const file = options.failedTo === undefined ? null : await openFailedFile(options.failedTo);
      try {
        await sendAll(io, client, limits, file, options.failedTo);
      } finally {
        await file?.close();
      }
    });
  },
};

/** Sends batch after batch; the first that fails ends it. */
async function sendAll(
  io: Io,
  client: Client,
  limits: readonly Limit[],
  file: FileHandle | null,
  path: string | undefined,
): Promise<void> {
  let whole: Answer | null = null;
  for (let sent = 0; sent < limits.length; sent += MOST_USERS) {
    try {
      const answer = await client.usageLimits.set({ users: limits.slice(sent, sent + MOST_USERS) });
      whole = together(whole, answer);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const left = limits.slice(sent);
      const failed = [
        ...(whole ? failedOf(whole, limits) : []),
        ...left.map((one) => ({ ...one, error: error.message })),
      ];
      if (file) await writeFailed(file, failed);
      if (!whole) throw error;
      showOutcome(io, whole, limits, path);
      throw new UserError(
        `stopped with ${left.length} users left, from ${left[0]?.email ?? ''} on: ${error.message}`,
        error.exit,
      );
    }
  }
  if (!whole) return;
  if (file) await writeFailed(file, failedOf(whole, limits));
  showOutcome(io, whole, limits, path);
}

/** The answers of all batches as one, unknown fields kept. */
function together(before: Answer | null, answer: Answer): Answer {
  if (!before) return answer;
  return {
    ...before,
    ...answer,
    updated: [...before.updated, ...answer.updated],
    errors: [...before.errors, ...answer.errors],
  };
}

function failedOf({ errors }: Answer, limits: readonly Limit[]): Failed[] {
  const known = new Map(limits.map(({ email, limit }) => [email.toLowerCase(), limit]));
  return errors.map(({ email, error }) => ({ email, error, limit: known.get(email.toLowerCase()) ?? Number.NaN }));
}

function showPlan(io: Io, users: readonly Limit[]): void {
  if (io.json) io.data({ dryRun: true, users });
  else for (const { email, limit } of users) io.line(`${email}\t${limit}`);
  io.note(`${users.length} ${users.length === 1 ? 'user' : 'users'} would get these limits; nothing was sent`);
}

function showOutcome(io: Io, answer: Answer, limits: readonly Limit[], path: string | undefined): void {
  const { updated, errors } = answer;
  if (io.json) io.line(stringifyExact(answer, io.tty ? 2 : 0));
  else {
    for (const one of updated) io.line(`${oneLine(one.email)}\t${one.limit}`);
    if (errors.length === 0) io.note(updated.length === 1 ? 'the limit is set' : `${updated.length} limits are set`);
  }
  if (errors.length === 0) return;
  noteFailed(io, failedOf(answer, limits), updated.length + errors.length, path);
  io.exit = EXIT.refused;
}
