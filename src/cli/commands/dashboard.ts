// `belfry dashboard`: opens the page in the browser.
import { execa } from 'execa';
import * as z from 'zod';
import { resolveOwnPaths } from '../../runtime/own-paths.ts';
import type { Define } from '../command-entry.ts';
import { ask } from '../daemon/rpc.ts';

const answer = z.object({ url: z.string(), file: z.string().nullable() });
/** Ms that the daemon may take to begin to listen. */
const PATIENCE = 10_000;
/** Ms that a browser's starter may take: most leave at once, some stay as long as the browser. */
const STARTER = 5_000;

export const define: Define = (command, io) => {
  command
    .option('--print', 'print an address that lets one browser in, once, within a minute; opens nothing')
    .action(async ({ print = false }: { readonly print?: boolean }) => {
      const opened = !print && !io.json;
      const said = await ask(resolveOwnPaths(), 'dashboard', { file: opened }, PATIENCE);
      const { url, file } = answer.parse(said);
      if (io.json) return io.data({ url });
      if (file === null) return io.line(url);
      if (await openInBrowser(file)) return io.line('The page is open in your browser.');
      io.note('No browser could be started. Open this address yourself; it works once, within a minute:');
      io.line(answer.parse(await ask(resolveOwnPaths(), 'dashboard', {}, PATIENCE)).url);
    });
};

/** The program of each platform that opens a file with what the person uses for it. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** False: there is none, or it failed. */
async function openInBrowser(file: string): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const running = execa(program, [...args, file], { stdio: 'ignore', detached: true, cleanup: false, reject: false });
  const left = await Promise.race([
    running,
    new Promise<null>((resolve) => setTimeout(resolve, STARTER, null).unref()),
  ]);
  running.unref();
  return left === null || !left.failed;
}
