// `belfry mute`: silences notifications, for a while or until unmuted.
import { resolveOwnPaths } from '../runtime/environment.ts';
import { ask } from './rpc.ts';
import { ensureDaemon } from './background.ts';
import type { Define } from './entry.ts';
import { folderOf } from './folder-option.ts';
import { withStore, sessionNamed } from './with-store.ts';
import { durationOf } from './time-args.ts';

interface Options {
  readonly session?: string;
  readonly cwd?: string;
  readonly channel?: string;
  readonly all?: boolean;
}

export const define: Define = (command, io) => {
  command
    .argument('[DURATION]', 'such as 30m or 2h; without it until `belfry unmute`')
    .option('--session <ID>', 'only this session; the beginning of its id will do')
    .option('--cwd <GLOB>', 'only in these folders and below them; . is this one')
    .option('--channel <NAME>', 'only this channel')
    .option('--all', 'urgent events too; they come through otherwise')
    .action(async (text: string | undefined, options: Options) => {
      const { channel = null, all = false } = options;
      const ms = text === undefined ? null : durationOf(text);
      const cwd = options.cwd === undefined ? null : folderOf(options.cwd);
      const paths = resolveOwnPaths();
      await ensureDaemon(paths, true);
      const begun = options.session;
      const session = begun === undefined ? null : await withStore((store) => sessionNamed(store, begun));
      const muted = (await ask(paths, 'mute', { ms, session, cwd, channel, all }, 10_000)) as { text: string };
      if (io.json) io.data(muted);
      else io.line(`muted: ${muted.text}`);
    });
};
