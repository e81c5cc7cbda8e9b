// `belfry back`: says that you are at the machine again.
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Define } from '../../command-entry.ts';
import { ask } from '../../daemon/rpc.ts';

export const define: Define = (command, io) => {
  command.action(async () => {
    const paths = resolveOwnPaths();
    await ensureListening(paths);
    const { was } = (await ask(paths, 'back', {}, 10_000)) as { was: boolean };
    if (io.json) io.data({ away: false, was });
    else io.line(was ? 'welcome back' : 'you were not away');
  });
};
