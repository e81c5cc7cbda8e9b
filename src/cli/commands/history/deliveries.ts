// `belfry deliveries`: what was sent where, and what failed.
import type { Command } from 'commander';
import { loadInitial } from '../../../config/live/initial-load.ts';
import { didYouMean } from '../../../lib/text/did-you-mean.ts';
import { clockTime, shortTime } from '../../../model/time/clock-time.ts';
import type { Delivery, DeliveryState } from '../../../model/delivery/delivery.ts';
import { plannedTitle } from '../../../model/delivery/planned-title.ts';
import type { Define } from '../../command-entry.ts';
import { kindOf } from '../../options/kind.ts';
import { limitOf } from '../../options/limit.ts';
import { eventOf, withStore, sessionNamed, shortIds } from '../../reading/with-store.ts';
import type { Io } from '../../io.ts';
import { type Cell, type ListColumn, printRows, type Tone } from '../../output/table-output.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { deliveryJson } from '../../../model/row-json.ts';
import { outcomeWords, stateWords } from './delivery-state.ts';
import { parseSince } from '../../options/times.ts';

interface Options {
  readonly since?: string;
  readonly kind?: string[];
  readonly session?: string;
  readonly channel?: string;
  readonly event?: string;
  readonly failed?: true;
  readonly limit: string;
}

/** What `--failed` lists: given up, paused while the channel is failing, or failed and to be retried. */
const FAILED: readonly DeliveryState[] = ['dead', 'paused', 'pending', 'leased'];

const COLUMNS: readonly ListColumn[] = [
  { name: 'TIME', rank: 0 },
  { name: 'EVENT', rank: 2 },
  { name: 'CHANNEL', rank: 3 },
  { name: 'STATE', rank: 0 },
  { name: 'TITLE', rank: 0, lines: 2 },
];

export const define: Define = (command, io) => {
  command
    .option('--since <TIME>', 'how far back (2h), or a date (default: from the beginning)')
    .option('--kind <KIND...>', 'only for events of these kinds')
    .option('--session <ID>', 'only for this session: a number of `belfry pending`, or its id')
    .option('--channel <NAME>', 'only to this channel')
    .option('--event <ID>', 'only for this event: a number of `belfry pending`, or its id')
    .option('--failed', 'only what failed: given up, paused, or to be retried')
    .option('--limit <N>', 'at most N, the latest', '50')
    .action(async (options: Options) => {
      const limit = limitOf(options.limit);
      const found = await withStore(async (store) => {
        const all = await store.deliveries({
          ...(options.since === undefined ? {} : { since: parseSince(options.since, Date.now()) }),
          ...(options.kind === undefined ? {} : { kinds: options.kind.map(kindOf) }),
          ...(options.session === undefined ? {} : { session: await sessionNamed(store, options.session) }),
          ...(options.channel === undefined ? {} : { channel: options.channel }),
          ...(options.event === undefined ? {} : { covers: (await eventOf(store, options.event)).event.id }),
          ...(options.failed ? { states: FAILED } : {}),
          limit,
        });
        return options.failed ? all.filter(hasFailed) : all;
      });
      if (io.json) return io.data(found.map(deliveryJson));
      const ids = found.map(({ eventId }) => eventId);
      const short = io.tty ? await withStore((store) => shortIds(store, ids)) : (id: string) => id;
      const now = Date.now();
      const rows = found.map((delivery) => deliveryRow(delivery, short, io, now));
      await printRows(io, COLUMNS, rows, rows.length === 0 ? await none(options) : '');
    });
  command
    .command('clear')
    .description('put aside what was given up: nothing counts or lists it as failed any more, and `why` still shows it')
    .requiredOption('--dead', 'every delivery that was given up')
    .option('--channel <NAME>', 'only those to this channel, also one that was removed')
    .action(async (_flags: unknown, own: Command) => (await import('./clear-deliveries.ts')).clearDead(io, own));
};

/** What to say when there is nothing to list. */
async function none({ since, kind, session, channel, event, failed }: Options): Promise<string> {
  const fault = channel === undefined ? null : await channelFault(channel);
  if (fault !== null) return `no delivery matches: ${fault}`;
  if ([since, kind, session, channel, event].some((filter) => filter !== undefined)) return 'no delivery matches';
  return failed ? 'nothing failed' : 'no deliveries yet';
}

/** Why nothing can have been sent to a channel of this name; null: there is one, or was. */
async function channelFault(name: string): Promise<string | null> {
  const loaded = await loadInitial(resolveOwnPaths(), false, Date.now()).catch(() => null); // what is wrong there is not asked for here
  if (loaded === null) return null;
  const { config } = loaded;
  const known = config.channels.map((channel) => channel.name);
  if (known.includes(name)) return null;
  const sent = await withStore((store) => store.deliveries({ channel: name, limit: 1 }));
  return sent.length > 0 ? null : `there is no channel "${name}"${didYouMean(name, known)}`;
}

function hasFailed(delivery: Delivery): boolean {
  return delivery.lastReason !== null || delivery.state === 'dead' || delivery.state === 'paused';
}

const TONES: Readonly<Partial<Record<DeliveryState, Tone>>> = {
  sent: 'good',
  dead: 'bad',
  paused: 'bad',
  superseded: 'dim',
  cancelled: 'dim',
};

/** The cells of a delivery. */
function deliveryRow(delivery: Delivery, short: (id: string) => string, io: Pick<Io, 'tty'>, now: number): Cell[] {
  const { createdAt, eventId, channel, state, attempts, content, lastReason, lastError } = delivery;
  // A terminal has no room for two columns of sentences, nor for a long state beside the channel.
  const givenUp = io.tty && state === 'dead';
  const after = givenUp && attempts > 1 ? `after ${attempts} attempts` : null;
  // Of one that was sent it is only a note.
  const error = state === 'sent' ? null : lastError;
  const trouble = [after, error].filter((part) => part !== null).join(', ');
  const title = plannedTitle({ ...delivery, title: content.title }, now);
  return [
    { text: io.tty ? shortTime(createdAt, now) : clockTime(createdAt), tone: 'dim' },
    short(eventId),
    channel,
    {
      text: givenUp ? outcomeWords(state) : stateWords(delivery, now),
      tone: TONES[state] ?? (lastReason === null ? 'plain' : 'notice'),
    },
    ...(io.tty ? [`${title}${trouble === '' ? '' : `: ${trouble}`}`] : [title, error ?? '']),
  ];
}
