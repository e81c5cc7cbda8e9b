// `belfry flush`: waits until everything is delivered, so that a job does not end before its notifications are out.
import { EXIT } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Define } from '../../command-entry.ts';
import { isDelivered, leftWords, MAX_COUNTED, untilDelivered } from './left-to-deliver.ts';
import { durationOf } from '../../options/times.ts';
import { noteFault } from '../../report-error.ts';

/** A restart of a receiver or of the network takes less. */
const TIMEOUT = '1m';

export const define: Define = (command, io) => {
  command
    .option('--timeout <DURATION>', 'wait no longer than this', TIMEOUT)
    .action(async ({ timeout }: { timeout: string }) => {
      const limit = durationOf(timeout, '--timeout');
      const paths = resolveOwnPaths();
      const began = Date.now();
      await ensureListening(paths);
      const left = await untilDelivered(paths, began, limit);
      const delivered = isDelivered(left);
      if (!delivered) io.exit = EXIT.refused;
      if (io.json) return io.data({ delivered, ...left });
      const held =
        left.held === 0
          ? ''
          : `; ${left.held === MAX_COUNTED ? `${MAX_COUNTED} or more` : left.held} held for a digest`;
      if (delivered) return io.line(`everything is delivered${held}`);
      noteFault(io, `${leftWords(left, limit)}; \`belfry deliveries\` lists them`);
    });
};
