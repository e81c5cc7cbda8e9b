// `belfry unmute`: ends mutes, all of them or those of one scope.
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ask } from '../../daemon/rpc.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Define } from '../../command-entry.ts';
import { folderOf } from '../../options/folder.ts';
import { withStore, sessionNamed } from '../../reading/with-store.ts';

interface Options {
  readonly session?: string;
  readonly cwd?: string;
  readonly channel?: string;
}

export const define: Define = (command, io) => {
  command
    .option('--session <ID>', 'only mutes of this session: a number of `belfry pending`, or its id')
    .option('--cwd <GLOB>', 'only mutes of these folders')
    .option('--channel <NAME>', 'only mutes of this channel')
    .action(async (options: Options) => {
      const { session: begun, channel = null } = options;
      const cwd = options.cwd === undefined ? null : folderOf(options.cwd);
      const paths = resolveOwnPaths();
      await ensureListening(paths);
      const session = begun === undefined ? null : await withStore((store) => sessionNamed(store, begun));
      const { removed } = (await ask(paths, 'unmute', { session, cwd, channel }, 10_000)) as { removed: number };
      if (io.json) io.data({ removed });
      else
        io.line(
          removed === 0
            ? 'no mute matches: `belfry mute --list` shows them'
            : removed === 1
              ? '1 mute ended'
              : `${removed} mutes ended`,
        );
    });
};
