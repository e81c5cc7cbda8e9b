// `belfry replay`: delivers again.
import { EXIT, UserError } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ask } from '../../daemon/rpc.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Define } from '../../command-entry.ts';
import { outcomeWords } from '../history/delivery-state.ts';
import { meant, shortIds, withStore } from '../../reading/with-store.ts';

/** The daemon's answer: daemon/commands/replay.ts. */
interface Replayed {
  readonly in_progress: number;
  readonly replayed: readonly {
    readonly event_id: string;
    readonly channel: string;
    readonly state: string;
    readonly error: string | null;
  }[];
}

/** The receivers have 15 s. */
const PATIENCE = 30_000;

export const define: Define = (command, io) => {
  command
    .argument('[ID]', 'number of `belfry pending`, or id of an event, a delivery or a session; the beginning is enough')
    .option('--dead', 'every delivery that was given up')
    .action(async (id: string | undefined, { dead }: { dead?: true }) => {
      if ((id === undefined) === (dead === undefined)) throw new UserError('give an ID or --dead', EXIT.usage);
      const args = id === undefined ? { dead: true } : { id: await wholeId(id) };
      const paths = resolveOwnPaths();
      await ensureListening(paths);
      const result = (await ask(paths, 'replay', args, PATIENCE)) as Replayed;
      if (result.replayed.some(({ state }) => state !== 'sent')) io.exit = EXIT.refused;
      if (io.json) return io.data(result);
      const ids = result.replayed.map(({ event_id }) => event_id);
      const short = await withStore((store) => shortIds(store, ids));
      for (const { channel, event_id, state, error } of result.replayed)
        io.line(
          `${channel}: ${state === 'sent' ? 'delivered again' : `${outcomeWords(state)}${error ? `: ${error}` : ''}`} (${short(event_id)})`,
        );
      if (result.in_progress > 0) io.line(`${result.in_progress} already in progress`);
      if (result.replayed.length === 0 && result.in_progress === 0) io.line('nothing to replay');
    });
};

/** The whole id of the delivery or event. */
async function wholeId(text: string): Promise<string> {
  const { event, delivery } = await withStore((store) => meant(store, text));
  return delivery ?? event.event.id;
}
