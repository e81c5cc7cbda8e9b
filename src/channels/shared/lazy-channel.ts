// A channel whose code is loaded by its first operation: a daemon that never uses it pays nothing.
import type { OpenChannel } from '../../model/channel/channel.ts';

/** `load` makes the real one, once; `offers`: its operations besides `send`, all of which it has. */
export function lazyChannel(
  load: () => Promise<OpenChannel>,
  offers: readonly ('update' | 'retract' | 'receive' | 'mirror')[],
): OpenChannel {
  let loaded: Promise<OpenChannel> | null = null;
  /** What could not be loaded is tried again. */
  const channel = (): Promise<OpenChannel> =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = null;
      throw error;
    }));
  const missing = (operation: string): never => {
    throw new Error(`a channel without ${operation} offers it`);
  };
  const operations: Pick<OpenChannel, 'update' | 'retract' | 'receive' | 'mirror'> = {
    update: async (...given) => (await channel()).update?.(...given) ?? missing('update'),
    retract: async (...given) => (await channel()).retract?.(...given) ?? missing('retract'),
    receive: async (...given) => (await channel()).receive?.(...given) ?? missing('receive'),
    mirror: async (...given) => (await channel()).mirror?.(...given) ?? missing('mirror'),
  };
  return {
    send: async (...given) => (await channel()).send(...given),
    ...Object.fromEntries(offers.map((name) => [name, operations[name]])),
    close: async () => (await loaded)?.close(),
  };
}
