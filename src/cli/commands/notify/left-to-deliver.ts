// What is not delivered yet, for whoever waits until it is.
import { sleep } from '../../../lib/clock.ts';
import { formatDuration } from '../../../model/quantities.ts';
import type { Paths } from '../../../runtime/paths.ts';
import type { StoreReader } from '../../../store/contract.ts';
import { spooledEvents } from '../../daemon/count-spooled.ts';
import { withStore } from '../../reading/with-store.ts';

/** Most deliveries of a kind that are looked at. */
export const MAX_COUNTED = 1_000;

/** What is not delivered. */
export interface Left {
  /** Events that are not decided yet. */
  readonly events: number;
  /** Channels, and how many deliveries each still has to make. */
  readonly waiting: Readonly<Record<string, number>>;
  /** The same of what was given up since `flush` began, or is paused until somebody fixes the channel. */
  readonly failed: Readonly<Record<string, number>>;
  /** What quiet hours and mutes hold back for a digest: nobody wants it now. */
  readonly held: number;
}

/** Whether it is worth waiting. */
const isWaiting = ({ events, waiting }: Left): boolean => events > 0 || Object.keys(waiting).length > 0;

/** Ms between two looks, at first and at most: a look reads the outbox. */
const [SOON, LATE] = [100, 1_000];

/** Waits until nothing is left that is worth it, `limit` ms at most; resolves with what is left. `began`: Unix ms since when failures count. */
export function untilDelivered(paths: Paths, began: number, limit: number): Promise<Left> {
  const from = Date.now();
  return withStore(async (store) => {
    for (;;) {
      const now = await readLeft(store, spooledEvents(paths.spool), began);
      const lasted = Date.now() - from;
      if (!isWaiting(now) || lasted >= limit) return now;
      await sleep(Math.min(Math.max(SOON, lasted / 10), LATE, limit - lasted));
    }
  });
}

/** Whether all of it came to somebody. */
export const isDelivered = (left: Left): boolean => !isWaiting(left) && Object.keys(left.failed).length === 0;

/** `spooled`: events that the daemon has not taken yet; `began`: Unix ms. */
export async function readLeft(store: StoreReader, spooled: number, began: number): Promise<Left> {
  // First, so that what is decided meanwhile is found among the deliveries. A change of a message keeps nobody uninformed.
  const undecided = await store.undecided();
  const sends = { operations: ['send'], limit: MAX_COUNTED } as const;
  const open = { ...sends, states: ['pending', 'leased'], fromOldest: true } as const;
  // A step or a reminder comes only if nobody reacts, so it is not waited for until it is due.
  const [first, due, held, paused, dead] = await Promise.all([
    store.deliveries({ ...open, heldForDigest: false, step: 0 }),
    store.deliveries({ ...open, heldForDigest: false, scheduled: false }),
    store.deliveries({ ...open, heldForDigest: true }),
    store.deliveries({ ...sends, states: ['paused'] }),
    store.deliveries({ ...sends, states: ['dead'], updatedSince: began }),
  ]);
  const later = due.filter(({ step }) => step > 0);
  return {
    events: spooled + undecided,
    waiting: countBy([...first, ...later]),
    failed: countBy([...paused, ...dead]),
    held: held.length,
  };
}

function countBy(rows: readonly { readonly channel: string }[]): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { channel } of rows) found[channel] = (found[channel] ?? 0) + 1;
  return found;
}

/** For people. `limit`: ms. */
export function leftWords({ events, waiting, failed }: Left, limit: number): string {
  const named = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([channel, count]) => `${count} for ${channel}`)
      .join(', ');
  const late = [
    events > 0 ? `${events} ${events === 1 ? 'event' : 'events'} to be processed` : '',
    named(waiting),
  ].filter((part) => part !== '');
  return [
    late.length > 0 ? `not delivered within ${formatDuration(limit)}: ${late.join(', ')}` : '',
    named(failed) === '' ? '' : `failed: ${named(failed)}`,
  ]
    .filter((part) => part !== '')
    .join('; ');
}
