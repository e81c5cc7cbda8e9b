// What the commands over the socket stand on, and how they read their arguments.
import type * as z from 'zod';
import type { LiveConfig } from '../../config/config-watcher.ts';
import type { DeliveryService } from '../../delivery/index.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import type { Clock } from '../../lib/clock.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { didYouMean } from '../../lib/did-you-mean.ts';
import type { Store } from '../../store/contract.ts';
import type { NewsDesk } from '../news.ts';
import type { Refusals } from '../refusals.ts';
import type { Service } from '../service.ts';

/** Handed to every command. */
export interface CommandParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly living: LiveConfig;
  readonly ingest: Ingest;
  readonly deliveries: DeliveryService;
  readonly desk: NewsDesk;
  readonly refusals: Refusals;
  readonly service: Pick<Service, 'check'>;
  /** Path of the settings file. */
  readonly file: string;
  /** Where the journal lies. */
  readonly folder: string;
  /** Unix ms. */
  readonly startedAt: number;
  /** Begins the clean stop. */
  readonly stop: () => void;
}

/** One command: its arguments in, its data out; UserError for expected trouble. */
export type Answer = (args: Readonly<Record<string, unknown>>, parts: CommandParts) => Promise<unknown>;

/** Refuses a channel that is not in the settings, and names those that are. */
export function assertChannels(names: readonly string[], { living }: CommandParts): void {
  const known = living.config().channels.map(({ name }) => name);
  for (const name of names)
    if (!known.includes(name))
      throw new UserError(`there is no channel "${name}"${didYouMean(name, known)}`, EXIT.usage);
}

/** Arguments as the schema has them; the command line checks them first, so trouble is an older or newer one. */
export function readArgs<T>(schema: z.ZodType<T>, args: Readonly<Record<string, unknown>>): T {
  const read = schema.safeParse(args);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UserError(
    `the daemon does not understand ${issue?.path.join('.') || 'the request'}: try \`belfry restart\``,
    EXIT.usage,
  );
}
