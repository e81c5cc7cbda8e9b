// A hook that asks whether its client is to write something to its terminal: it hears so at once, and prints what a channel offers for its session soon.
import { agentByName } from '../../agents/index.ts';
import { readAsk } from '../../answering/index.ts';
import { channels } from '../../channels/index.ts';
import type { AskOutput, AskWait } from '../../ipc/ask.ts';
import type { Reply } from '../../ipc/frames.ts';
import type { Clock } from '../../lib/clock.ts';
import { isObject, parseJson } from '../../lib/json/json.ts';
import type { ClientTerminals } from '../../model/channel/client-terminals.ts';
import type { Config } from '../../model/settings/config.ts';
import { sessionKeyText } from '../../model/ids.ts';
import { HERE } from '../../model/session/whereabouts.ts';

/** The notifying hook of the same moment has reported by then, ms. */
const PATIENCE = 1_500;

/** What channels offer to clients, and the hooks that take it. */
export interface ClientHooks extends Pick<ClientTerminals, 'offer'> {
  /** Whether it was such a hook; it is served to its end then. */
  serve(
    given: Readonly<Record<string, unknown>>,
    reply: (reply: Reply) => Promise<void>,
    gone: AbortSignal,
  ): Promise<boolean>;
}

/** Nothing is offered yet. */
export function createClientHooks(clock: Clock, config: () => Config): ClientHooks {
  const offering = channels.flatMap(({ type, offersToClients: offers }) =>
    offers === undefined ? [] : [{ type, ...offers, terminals: offers.open(clock) }],
  );
  const wanted = (): ClientTerminals | undefined =>
    offering.find(({ type, isWanted }) =>
      config().channels.some((channel) => channel.type === type && isWanted(channel.settings)),
    )?.terminals;
  return {
    offer: async (...offer) => (await wanted()?.offer(...offer)) ?? false,
    serve: async (given, reply, gone) => {
      const args = readAsk(given);
      const terminal = args && agentByName(args.agent)?.answering?.terminal;
      const input = args && terminal ? parseJson(args.raw) : null;
      const sessionId = terminal && isObject(input) ? terminal.reads(input) : null;
      if (!args || !terminal || sessionId === null) return false;
      const terminals = wanted();
      if (terminals === undefined) {
        await reply({ data: { left: 'no channel hands anything to clients' }, done: true });
        return true;
      }
      const key = sessionKeyText({ ...HERE, agent: args.agent, sessionId });
      await reply({ data: { wait: PATIENCE } satisfies AskWait });
      const sequence = await terminals.take(key, PATIENCE, gone);
      const output: AskOutput =
        sequence === null ? { left: 'nothing is to be shown' } : { stdout: terminal.print(sequence) };
      await reply({ data: output, done: true });
      return true;
    },
  };
}
