// `belfry unmute`: ends silences, all of them or those of one scope.
import { ownPaths } from '../wire/surroundings.ts';
import { ask } from './ask.ts';
import { ensureDaemon } from './background.ts';
import type { Define } from './entry.ts';

interface Options {
  readonly session?: string | null;
  readonly cwd?: string | null;
  readonly channel?: string | null;
}

export const define: Define = (command, io) => {
  command
    .option('--session <ID>', 'only silences of this session')
    .option('--cwd <GLOB>', 'only silences of these folders')
    .option('--channel <NAME>', 'only silences of this channel')
    .action(async ({ session = null, cwd = null, channel = null }: Options) => {
      const paths = ownPaths();
      await ensureDaemon(paths, true);
      const { removed } = (await ask(paths, 'unmute', { session, cwd, channel }, 10_000)) as { removed: number };
      if (io.json) io.data({ removed });
      else io.line(removed === 0 ? 'nothing was muted' : `unmuted (${removed})`);
    });
};
