// What the commands over the socket are given, and how they parse their arguments.
import type * as z from 'zod';
import type { AnsweringService } from '../../answering/index.ts';
import type { LiveConfig } from '../../config/live/config-watcher.ts';
import type { DecidingDeps } from '../../decisions/deciding-deps.ts';
import type { DeliveryService } from '../../delivery/index.ts';
import type { Files } from '../../files/index.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import type { Clock } from '../../lib/clock.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import type { RemoteSource } from '../../sources/remote/remote-source.ts';
import type { Store } from '../../store/contract.ts';
import type { EventBus } from '../shared/event-bus.ts';
import type { HttpService } from '../shared/http-service.ts';
import type { OutageTracker } from '../journal/journal-outage.ts';
import type { GoingOn } from '../sessions/going-on.ts';
import type { EventProcessor } from '../processing/event-processor.ts';
import type { IfNowDeps } from '../processing/if-now.ts';
import type { ServiceClients } from '../service/service-clients.ts';

/** Passed to every command. */
export interface CommandContext {
  readonly store: Store;
  /** What whoever acknowledges something, or has something else decided, is given. */
  readonly deciding: DecidingDeps;
  readonly clock: Clock;
  readonly liveConfig: LiveConfig;
  readonly ingest: Ingest;
  readonly deliveries: DeliveryService;
  /** Timer rows were set. */
  readonly wakeTimers: () => void;
  readonly stoppingLimits: EventProcessor['stoppingLimits'];
  readonly goingOn: GoingOn;
  readonly bus: EventBus;
  readonly outages: OutageTracker;
  readonly service: Pick<ServiceClients, 'check' | 'noRetry'>;
  /** The daemon's environment, which is not that of whoever asks. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly http: HttpService;
  readonly answering: AnsweringService;
  /** What the gate is asked with, of what would come now. */
  readonly gate: IfNowDeps;
  /** Path of the settings file. */
  readonly file: string;
  readonly home: string;
  readonly files: Files;
  readonly remotes: RemoteSource;
  /** Folder of what belongs to the running daemon. */
  readonly run: string;
  /** Where the journal lies. */
  readonly folder: string;
  /** Unix ms. */
  readonly startedAt: number;
  /** Starts the clean shutdown. */
  readonly stop: () => void;
}

/** One command: its arguments in, its data out; UserError for expected trouble. */
export type CommandHandler = (args: Readonly<Record<string, unknown>>, parts: CommandContext) => Promise<unknown>;

/** Refuses a channel that is not in the settings, and names those that are. */
export function assertChannels(names: readonly string[], { liveConfig }: CommandContext): void {
  const known = liveConfig.config().channels.map(({ name }) => name);
  for (const name of names)
    if (!known.includes(name))
      throw new UserError(`there is no channel "${name}"${didYouMean(name, known)}`, EXIT.notFound);
}

/** Arguments as the schema has them; the command line checks them first, so trouble is an older or newer one. */
export function parseArgs<T>(schema: z.ZodType<T>, args: Readonly<Record<string, unknown>>): T {
  const read = schema.safeParse(args);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UserError(
    `the daemon does not understand ${issue?.path.join('.') || 'the request'}; run \`belfry restart\` if you upgraded belfry`,
    EXIT.usage,
  );
}
