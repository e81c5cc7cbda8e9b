// `belfry flush`: waits until everything is delivered, so that a job does not end before its notifications are out.
import { sleep } from '../../../lib/clock.ts';
import { EXIT } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Define } from '../../command-entry.ts';
import { isWaiting, leftWords, MAX_COUNTED, readLeft } from './left-to-deliver.ts';
import { spooledEvents } from '../../daemon/count-spooled.ts';
import { durationOf } from '../../options/times.ts';
import { withStore } from '../../reading/with-store.ts';
import { noteFault } from '../../report-error.ts';

/** A restart of a receiver or of the network takes less. */
const TIMEOUT = '1m';
/** Ms between two looks, at first and at most: a look reads the outbox. */
const [SOON, LATE] = [100, 1_000];

export const define: Define = (command, io) => {
  command
    .option('--timeout <DURATION>', 'wait no longer than this', TIMEOUT)
    .action(async ({ timeout }: { timeout: string }) => {
      const limit = durationOf(timeout, '--timeout');
      const paths = resolveOwnPaths();
      const began = Date.now();
      await ensureListening(paths);
      const left = await withStore(async (store) => {
        for (;;) {
          const now = await readLeft(store, spooledEvents(paths.spool), began);
          const lasted = Date.now() - began;
          if (!isWaiting(now) || lasted >= limit) return now;
          await sleep(Math.min(Math.max(SOON, lasted / 10), LATE, limit - lasted));
        }
      });
      const isDelivered = !isWaiting(left) && Object.keys(left.failed).length === 0;
      if (!isDelivered) io.exit = EXIT.refused;
      if (io.json) return io.data({ delivered: isDelivered, ...left });
      const held =
        left.held === 0
          ? ''
          : `; ${left.held === MAX_COUNTED ? `${MAX_COUNTED} or more` : left.held} held for a digest`;
      if (isDelivered) return io.line(`everything is delivered${held}`);
      noteFault(io, `${leftWords(left, limit)}; \`belfry deliveries\` lists them`);
    });
};
