// `belfry away`: says that you have left the machine, until `belfry back` or for a time.
import { LONGEST_AWAY } from '../../../model/presence/away.ts';
import { clockTime } from '../../../model/time/clock-time.ts';
import { formatDuration } from '../../../model/quantities.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Define } from '../../command-entry.ts';
import { ask } from '../../daemon/rpc.ts';
import { durationOf } from '../../options/times.ts';

export const define: Define = (command, io) => {
  const longest = formatDuration(LONGEST_AWAY);
  command
    .argument('[DURATION]', `such as 30m or 2h; without one, until \`belfry back\`, ${longest} at most`)
    .action(async (text: string | undefined) => {
      const ms = text === undefined ? null : durationOf(text, '', LONGEST_AWAY);
      const paths = resolveOwnPaths();
      await ensureListening(paths);
      const { until } = (await ask(paths, 'away', { ms }, 10_000)) as { until: string };
      if (io.json) io.data({ away: true, until });
      else io.line(`away until ${clockTime(Date.parse(until))}; \`belfry back\` ends it`);
    });
};
