// `belfry replay`: delivers again.
import { EXIT, UserError } from '../model/errors.ts';
import { resolveOwnPaths } from '../runtime/environment.ts';
import { ask } from './rpc.ts';
import { ensureDaemon } from './background.ts';
import type { Define } from './entry.ts';
import { meant, withStore } from './with-store.ts';

/** The daemon's answer: daemon/commands/replay.ts. */
interface Replayed {
  readonly on_their_way: number;
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
    .argument('[ID]', 'an event, delivery or session, or the beginning of its id')
    .option('--dead', 'everything that was given up')
    .action(async (id: string | undefined, { dead }: { dead?: true }) => {
      if ((id === undefined) === (dead === undefined)) throw new UserError('give either an ID or --dead', EXIT.usage);
      const args = id === undefined ? { dead: true } : { id: await wholeId(id) };
      const paths = resolveOwnPaths();
      await ensureDaemon(paths, true);
      const result = (await ask(paths, 'replay', args, PATIENCE)) as Replayed;
      if (result.replayed.some(({ state }) => state !== 'sent')) io.exit = EXIT.refused;
      if (io.json) return io.data(result);
      for (const { channel, event_id, state, error } of result.replayed)
        io.line(
          `${channel}: ${state === 'sent' ? 'delivered again' : `${state}${error ? `: ${error}` : ''}`} (${event_id.slice(0, 13)})`,
        );
      if (result.on_their_way > 0) io.line(`${result.on_their_way} on their way anyway`);
      if (result.replayed.length === 0 && result.on_their_way === 0) io.line('nothing to deliver again');
    });
};

/** The whole id of the delivery or event that is meant. */
async function wholeId(text: string): Promise<string> {
  const { event, delivery } = await withStore((store) => meant(store, text));
  return delivery ?? event.event.id;
}
