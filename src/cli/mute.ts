// `belfry mute`: silences notifications, for a while or until unmuted.
import { parseDuration } from '../model/quantities.ts';
import { EXIT, UserError } from '../model/errors.ts';
import { ownPaths } from '../wire/surroundings.ts';
import { ask } from './ask.ts';
import { ensureDaemon } from './background.ts';
import type { Define } from './entry.ts';

interface Options {
  readonly session?: string | null;
  readonly cwd?: string | null;
  readonly channel?: string | null;
  readonly all?: boolean;
}

export const define: Define = (command, io) => {
  command
    .argument('[DURATION]', 'such as 30m or 2h; without it until `belfry unmute`')
    .option('--session <ID>', 'only this session')
    .option('--cwd <GLOB>', 'only in these folders')
    .option('--channel <NAME>', 'only this channel')
    .option('--all', 'urgent events too; they come through otherwise')
    .action(async (text: string | undefined, { session = null, cwd = null, channel = null, all = false }: Options) => {
      const ms = text === undefined ? null : parseDuration(text);
      if (text !== undefined && !ms) throw new UserError(`"${text}" is not a duration such as 30m or 2h`, EXIT.usage);
      const paths = ownPaths();
      await ensureDaemon(paths, true);
      const muted = (await ask(paths, 'mute', { ms, session, cwd, channel, all }, 10_000)) as { text: string };
      if (io.json) io.data(muted);
      else io.line(`muted: ${muted.text}`);
    });
};
