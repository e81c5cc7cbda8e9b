// `sessions follow ID`: prints a session's messages as they arrive and ends when it becomes idle.
import { createColors } from 'picocolors';
import type { Client } from '../../../api/client/client.ts';
import { stringifyExact } from '../../../api/client/exact-json.ts';
import { blockInWords } from '../../../api/contract/messages.ts';
import { sleep } from '../../../lib/clock.ts';
import { plainText } from '../../../lib/text/text.ts';
import type { Io } from '../../io.ts';
import { cell } from '../output/cell.ts';
import { type CallFlags, callOptions, connectClient } from '../connect.ts';
import type { CustomCommand } from './custom-command.ts';

type Message = Awaited<ReturnType<Client['sessions']['message']>>;

interface Options extends CallFlags {
  readonly computerId?: string;
}

const EVERY_MS = 700;
/** Earlier messages shown at the start. */
const EARLIER = 10;

export const followSession: CustomCommand = {
  resource: 'sessions',
  name: 'follow',
  extra: 'Prints a session’s messages as they arrive, until it is idle.',
  define: (leaf, io) => {
    leaf.argument('<ID>').option('--computer-id <VALUE>', 'ask that computer directly');
    callOptions(leaf);
    leaf.action(async (sessionId: string, options: Options) => {
      const client = await connectClient(io, options);
      const where = { sessionId, ...(options.computerId === undefined ? {} : { computerId: options.computerId }) };
      const seen = new Set<string>();
      for (let first = true; ; first = false) {
        // The state before the messages: once it is idle, no message is still to come.
        const { status } = await client.sessions.get(where);
        const fresh = (await newest(client, where)).filter((message) => !seen.has(message.id));
        for (const message of fresh) seen.add(message.id);
        const left = first ? fresh.length - EARLIER : 0;
        if (left > 0)
          io.note(`${left} earlier messages not shown; see belfry api sessions messages ${sessionId} --all`);
        for (const message of first ? fresh.slice(-EARLIER) : fresh) print(io, message);
        if (status === 'idle') return;
        await sleep(EVERY_MS);
      }
    });
  },
};

/** All messages, oldest first: the order of the service's pages is not documented. */
async function newest(client: Client, where: { sessionId: string; computerId?: string }): Promise<Message[]> {
  const all: Message[] = [];
  for await (const page of client.sessions.messages.pages({ ...where, limit: 100 })) all.push(...page.messages);
  return all.sort((a, b) => a.createdAt - b.createdAt);
}

function print(io: Io, message: Message): void {
  if (io.json) {
    io.line(stringifyExact(message));
    return;
  }
  const words = message.content.map(blockInWords);
  const colors = createColors(io.color);
  const role = message.isError ? colors.red(`${message.role}, error`) : colors.bold(plainText(message.role));
  io.line(`${cell('createdAt', message.createdAt, 'grouped')}  ${role}: ${plainText(words.join('\n'))}`);
}
