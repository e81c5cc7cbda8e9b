// `belfry flush`: waits until everything is delivered, so that a job does not end before its notifications are out.
import { sleep } from '../lib/clock.ts';
import { EXIT } from '../model/errors.ts';
import { HOLD, isDigestHold } from '../model/holds.ts';
import { formatDuration } from '../model/quantities.ts';
import { resolveOwnPaths } from '../runtime/environment.ts';
import type { StoreReader } from '../store/contract.ts';
import { ensureDaemon } from './background.ts';
import type { Define } from './entry.ts';
import { spooledEvents } from './spooled.ts';
import { durationOf } from './time-args.ts';
import { withStore } from './with-store.ts';

/** A restart of a receiver or of the network takes less. */
const TIMEOUT = '1m';
/** Ms between two looks. */
const EVERY = 100;
/** Most deliveries looked at. */
const MOST = 1_000;

/** What is not delivered. */
interface Left {
  /** Events that are not decided yet. */
  readonly events: number;
  /** Channels, and how many deliveries each still has to make. */
  readonly waiting: Readonly<Record<string, number>>;
  /** The same of what was given up since `flush` began, or is paused until somebody fixes the channel. */
  readonly failed: Readonly<Record<string, number>>;
  /** What quiet hours and mutes hold back for a digest: nobody wants it now. */
  readonly held: number;
}

export const define: Define = (command, io) => {
  command
    .option('--timeout <DURATION>', 'wait no longer than this', TIMEOUT)
    .action(async ({ timeout }: { timeout: string }) => {
      const limit = durationOf(timeout, '--timeout');
      const paths = resolveOwnPaths();
      const began = Date.now();
      await ensureDaemon(paths, true);
      const left = await withStore(async (store) => {
        for (;;) {
          const now = await readLeft(store, spooledEvents(paths.spool), began);
          if (!isWaiting(now) || Date.now() - began >= limit) return now;
          await sleep(EVERY);
        }
      });
      const isDelivered = !isWaiting(left) && Object.keys(left.failed).length === 0;
      if (!isDelivered) io.exit = EXIT.refused;
      if (io.json) return io.data({ delivered: isDelivered, ...left });
      const held = left.held === 0 ? '' : `; ${left.held} held for a digest`;
      if (isDelivered) return io.line(`everything is delivered${held}`);
      io.note(`belfry flush: ${leftWords(left, limit)}; \`belfry deliveries\` lists them`);
    });
};

const isWaiting = ({ events, waiting }: Left): boolean => events > 0 || Object.keys(waiting).length > 0;

async function readLeft(store: StoreReader, spooled: number, began: number): Promise<Left> {
  const { undecided, timers } = await store.counts();
  const [pending, over] = await Promise.all([
    store.deliveries({ states: ['pending', 'leased'], limit: MOST, fromOldest: true }),
    store.deliveries({ states: ['dead', 'paused'], limit: MOST }),
  ]);
  const isHeld = ({ heldBy }: { readonly heldBy: string | null }): boolean => heldBy !== null && isDigestHold(heldBy);
  // A step or a reminder comes only if nobody reacts.
  const due = pending.filter((row) => !isHeld(row) && !(row.scheduled && row.step > 0));
  return {
    events: spooled + undecided + (timers[HOLD] ?? 0),
    waiting: countBy(due),
    failed: countBy(over.filter(({ state, updatedAt }) => state === 'paused' || updatedAt >= began)),
    held: pending.filter(isHeld).length,
  };
}

function countBy(rows: readonly { readonly channel: string }[]): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { channel } of rows) found[channel] = (found[channel] ?? 0) + 1;
  return found;
}

function leftWords({ events, waiting, failed }: Left, limit: number): string {
  const named = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([channel, count]) => `${count} for ${channel}`)
      .join(', ');
  const late = [events > 0 ? `${events} events to be processed` : '', named(waiting)].filter((part) => part !== '');
  return [
    late.length > 0 ? `not delivered within ${formatDuration(limit)}: ${late.join(', ')}` : '',
    named(failed) === '' ? '' : `failed: ${named(failed)}`,
  ]
    .filter((part) => part !== '')
    .join('; ');
}
