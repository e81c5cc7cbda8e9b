// `belfry deliveries`: what was sent where, and what failed.
import { clockTime } from '../model/clock-time.ts';
import type { Delivery, DeliveryState } from '../model/delivery.ts';
import type { Define } from './entry.ts';
import { kindOf } from './kind-option.ts';
import { limitOf } from './limit-option.ts';
import { eventOf, withStore, sessionNamed, shortIds } from './with-store.ts';
import { type Cell, printRows, type Tone } from './table-output.ts';
import { deliveryJson } from './json-output.ts';
import { ago, parseSince } from './time-args.ts';

interface Options {
  readonly since?: string;
  readonly kind?: string[];
  readonly session?: string;
  readonly channel?: string;
  readonly event?: string;
  readonly failed?: true;
  readonly limit: string;
}

/** What `--failed` lists: given up, waiting for a failing channel, or failed and to be tried again. */
const FAILED: readonly DeliveryState[] = ['dead', 'parked', 'pending', 'leased'];
const HEAD = ['TIME', 'EVENT', 'CHANNEL', 'STATE', 'TRIES', 'TITLE', 'LAST ERROR'];

export const define: Define = (command, io) => {
  command
    .option('--since <TIME>', 'a duration back from now (2h) or a date')
    .option('--kind <KIND...>', 'only of events of these kinds')
    .option('--session <ID>', 'only of this session')
    .option('--channel <NAME>', 'only through this channel')
    .option('--event <ID>', 'only of this event')
    .option('--failed', 'only what failed: given up, waiting for its channel, or to be tried again')
    .option('--limit <N>', 'the latest N', '50')
    .action(async (options: Options) => {
      const limit = limitOf(options.limit);
      const found = await withStore(async (store) => {
        const all = await store.deliveries({
          ...(options.since === undefined ? {} : { since: parseSince(options.since, Date.now()) }),
          ...(options.kind === undefined ? {} : { kinds: options.kind.map(kindOf) }),
          ...(options.session === undefined ? {} : { session: await sessionNamed(store, options.session) }),
          ...(options.channel === undefined ? {} : { channel: options.channel }),
          ...(options.event === undefined ? {} : { eventId: (await eventOf(store, options.event)).event.id }),
          ...(options.failed ? { states: FAILED } : {}),
          limit,
        });
        return options.failed ? all.filter(hasFailed) : all;
      });
      if (io.json) return io.data(found.map(deliveryJson));
      const short = shortIds(found.map(({ eventId }) => eventId));
      const now = Date.now();
      await printRows(
        io,
        HEAD,
        found.map((delivery) => deliveryRow(delivery, short, now)),
        none(options),
      );
    });
};

/** What to say when there is nothing to list. */
function none({ since, kind, session, channel, event, failed }: Options): string {
  if ([since, kind, session, channel, event].some((filter) => filter !== undefined)) return 'no delivery matches';
  return failed ? 'nothing failed' : 'nothing was sent yet';
}

function hasFailed(delivery: Delivery): boolean {
  return delivery.lastReason !== null || delivery.state === 'dead' || delivery.state === 'parked';
}

/** The cells of a delivery. */
function deliveryRow(delivery: Delivery, short: (id: string) => string, now: number): Cell[] {
  const tones: Partial<Record<DeliveryState, Tone>> = { sent: 'good', dead: 'bad', parked: 'bad', folded: 'dim' };
  const tone = tones[delivery.state] ?? (delivery.lastReason === null ? 'plain' : 'notice');
  const next =
    delivery.state === 'pending' && delivery.due > now ? ` (${ago(now, delivery.due).replace(' ago', '')})` : '';
  return [
    { text: clockTime(delivery.createdAt), tone: 'dim' },
    short(delivery.eventId),
    delivery.channel,
    { text: `${delivery.state}${next}`, tone },
    String(delivery.attempts),
    delivery.notification.title,
    delivery.lastError ?? '',
  ];
}
