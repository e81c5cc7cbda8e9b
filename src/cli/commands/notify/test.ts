// `belfry test`: one real delivery to each channel.
import { EXIT } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ask } from '../../daemon/rpc.ts';
import { callerOf } from '../../daemon/caller.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Define } from '../../command-entry.ts';
import type { Io } from '../../io.ts';
import { painter } from '../../output/table-output.ts';

/** The daemon's answer: daemon/commands/test.ts. */
interface Tested {
  readonly results: readonly {
    readonly channel: string;
    readonly ok: boolean;
    readonly ms: number;
    readonly reason: string | null;
    readonly error: string | null;
  }[];
}

/** The slowest channel has its own limit well below this, ms. */
const PATIENCE = 60_000;

export const define: Define = (command, io) => {
  command.argument('[CHANNEL...]', 'only these channels').action((channels: string[]) => sendTests(io, channels));
};

/** To these channels, or to all. */
export async function sendTests(io: Io, channels: readonly string[]): Promise<void> {
  const paths = resolveOwnPaths();
  await ensureListening(paths);
  const tested = (await ask(paths, 'test', { channels, caller: callerOf(io.env) }, PATIENCE)) as Tested;
  if (tested.results.some((result) => !result.ok)) io.exit = EXIT.refused;
  if (io.json) return io.data(tested.results);
  const paint = await painter(io);
  for (const { channel, ok, ms, reason, error } of tested.results)
    io.line(
      ok
        ? `${channel}: ${paint('good', 'delivered')} in ${ms} ms`
        : `${channel}: ${paint('bad', 'failed')}: ${error ?? reason}`,
    );
}
