// `belfry restart`: stop, then start; a broken settings file is refused while the old daemon still runs.
import { loadInitial } from '../../../config/live/initial-load.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ensureDaemon } from '../../daemon/start-in-background.ts';
import type { Define } from '../../command-entry.ts';
import { stopDaemon } from '../../daemon/stop-daemon.ts';

export const define: Define = (command, io) => {
  command.action(async () => {
    const paths = resolveOwnPaths();
    const { invalid, leftOut } = await loadInitial(paths, false, Date.now());
    if (invalid && leftOut.length > 0) io.note(`${invalid.line}; the rest of it is in force`);
    await stopDaemon(paths);
    const { info } = await ensureDaemon(paths, false);
    if (io.json) io.data({ running: true, pid: info.pid, version: info.version });
    else io.line(`restarted (pid ${info.pid})`);
  });
};
