// `belfry deliveries clear --dead`: what was given up and is wanted no more.
import type { Command } from 'commander';
import type { Cleared } from '../../../daemon/commands/clear.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ask } from '../../daemon/rpc.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Io } from '../../io.ts';

/** Some hundreds a transaction, ms. */
const PATIENCE = 30_000;

/** `own`: the subcommand as parsed; an option that the list has as well is parsed as the list's. */
export async function clearDead(io: Io, own: Command): Promise<void> {
  const { channel } = own.optsWithGlobals<{ readonly channel?: string }>();
  const paths = resolveOwnPaths();
  await ensureListening(paths);
  const args = { dead: true, ...(channel === undefined ? {} : { channel }) };
  const { cleared } = (await ask(paths, 'clear', args, PATIENCE)) as Cleared;
  if (io.json) return io.data({ cleared });
  if (cleared === 0) return io.line('nothing was given up');
  io.line(cleared === 1 ? 'cleared 1 delivery that was given up' : `cleared ${cleared} deliveries that were given up`);
}
