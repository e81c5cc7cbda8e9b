// `belfry logs`: the end of the daemon's log, readable or as it is, and as it grows.
import { sleep } from '../../../lib/clock.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Define } from '../../command-entry.ts';
import { logLine } from './log-line.ts';
import { openTail } from './tail-file.ts';

interface Options {
  readonly follow?: true;
  readonly lines: string;
}

/** Most lines shown at first. */
const MAX_LINES = 10_000;
/** How often the file is looked at, ms: watching a file is not reliable everywhere. */
const EVERY = 250;

export const define: Define = (command, io) => {
  command
    .option('-f, --follow', 'print new lines as they come, until Ctrl-C')
    .option('-n, --lines <N>', 'how many lines to begin with', '100')
    .action(async ({ follow, lines }: Options) => {
      const path = resolveOwnPaths().daemonLog;
      const count = Number(lines);
      if (!Number.isInteger(count) || count < 0 || count > MAX_LINES)
        throw new UserError(`--lines must be a whole number from 0 to ${MAX_LINES}`, EXIT.usage);
      const print = (text: string): void => io.line(io.json ? text : logLine(text));
      const log = openTail(path);
      const found = log.read();
      for (const line of count === 0 ? [] : found.slice(-count)) print(line);
      if (found.length === 0 && !follow) io.note(`${path} is empty or does not exist: the daemon has not run yet`);
      while (follow) {
        await sleep(EVERY);
        for (const line of log.read()) print(line);
      }
    });
};
