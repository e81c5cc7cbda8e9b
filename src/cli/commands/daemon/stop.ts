// `belfry stop`: ends the daemon once it has finished what is in flight.
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { askElsewhere } from '../../daemon/ask-elsewhere.ts';
import type { Define } from '../../command-entry.ts';
import { stopDaemon } from '../../daemon/stop-daemon.ts';

export const define: Define = (command, io) => {
  command.action(async () => {
    const paths = resolveOwnPaths();
    const stopped = await stopDaemon(paths);
    if (stopped === null) await askElsewhere(paths, 'stop'); // which refuses it, with words
    if (io.json) io.data({ stopped: stopped !== null, pid: stopped?.pid ?? null });
    else io.line(stopped ? `stopped (pid ${stopped.pid})` : 'no daemon was running');
  });
};
