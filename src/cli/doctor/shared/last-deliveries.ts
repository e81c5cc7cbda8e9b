// Whether the last deliveries of each channel arrived, from the journal: with or without a daemon.
import type { Paths } from '../../../runtime/paths.ts';
import type { ChannelHealth, StoreReader } from '../../../store/contract.ts';

/** What the journal says of a channel. */
export interface ChannelRecord {
  /** Null: it accepts deliveries, as far as is known. */
  readonly failing: ChannelHealth | null;
  /** Null: the last one arrived, or none was tried. */
  readonly missed: MissedDeliveries | null;
}

/** Its last deliveries did not arrive. */
export interface MissedDeliveries {
  /** Of the latest one. */
  readonly error: string;
  /** Unix ms. */
  readonly at: number;
  /** The latest ones that were given up, in a row. */
  readonly givenUp: number;
  /** It was given up, and none of the latest that ended has arrived. */
  readonly all: boolean;
}

/** So many of the latest deliveries say whether a channel works. */
const LATEST = 3;

/** By name; empty where the journal cannot be read, which another check reports. */
export async function channelRecords(
  paths: Paths,
  names: readonly string[],
): Promise<ReadonlyMap<string, ChannelRecord>> {
  const { openReader } = await import('../../../store/open-reader.ts');
  try {
    const store = await openReader(paths.database, 'all');
    try {
      const health = await store.health();
      const records = names.map(async (name): Promise<[string, ChannelRecord]> => {
        const failing = health.find(({ channel, state }) => channel === name && state === 'failing') ?? null;
        return [name, { failing, missed: await missedOf(store, name) }];
      });
      return new Map(await Promise.all(records));
    } finally {
      await store.close();
    }
  } catch {
    return new Map();
  }
}

async function missedOf(store: StoreReader, channel: string): Promise<MissedDeliveries | null> {
  // A change of a message that could not be made keeps nobody uninformed.
  const sends = { channel, operations: ['send'], limit: LATEST } as const;
  const [ended, open] = await Promise.all([
    store.deliveries({ ...sends, states: ['sent', 'dead'] }),
    store.deliveries({ ...sends, states: ['pending', 'leased'], fromOldest: true }),
  ]);
  const tried = [...ended, ...open].filter(({ attempts }) => attempts > 0);
  const all = await Promise.all(
    tried.map(async ({ id, state }) => {
      const attempt = (await store.attempts(id)).at(-1);
      return attempt === undefined ? [] : [{ state, attempt }];
    }),
  );
  const inTime = all.flat().toSorted((a, b) => a.attempt.at - b.attempt.at);
  const last = inTime.at(-1);
  if (last === undefined || last.attempt.ok) return null;
  const { error, reason, at } = last.attempt;
  const words = { error: error ?? reason ?? 'unknown error', at };
  // Whatever was given up before: this one is tried again.
  if (last.state !== 'dead') return { ...words, givenUp: 0, all: false };
  const over = inTime.filter(({ state }) => state === 'dead' || state === 'sent');
  const arrived = over.findLastIndex(({ state }) => state === 'sent');
  return { ...words, givenUp: over.length - 1 - arrived, all: arrived < 0 };
}
