// `belfry start`: the daemon in the background; a broken settings file is refused before anything is started.
import { loadInitial } from '../../../config/live/initial-load.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ensureDaemon } from '../../daemon/start-in-background.ts';
import type { Define } from '../../command-entry.ts';
import { awaitReplaced } from '../../daemon/wait-for-upgrade.ts';

export const define: Define = (command, io) => {
  command.action(async () => {
    const paths = resolveOwnPaths();
    const { invalid, leftOut } = await loadInitial(paths, false, Date.now());
    if (invalid && leftOut.length > 0) io.note(`${invalid.line}; the rest of it is in force`);
    await awaitReplaced(paths);
    const { info, started } = await ensureDaemon(paths, false);
    if (io.json) io.data({ running: true, started, pid: info.pid, version: info.version });
    else io.line(started ? `started (pid ${info.pid})` : `already running (pid ${info.pid})`);
  });
};
