// `belfry reply ID TEXT`: posts a message to the session an event came from, through the service.
import { EXIT, UserError } from '../model/errors.ts';
import { openReader } from '../store/open.ts';
import { ownPaths } from '../wire/surroundings.ts';
import { callOptions, type CallFlags, connectClient } from './api/connect.ts';
import type { Define } from './entry.ts';

export const define: Define = (command, io) => {
  command.argument('<ID>', 'the event').argument('<TEXT>', 'what to say');
  callOptions(command);
  command.action(async (id: string, text: string, options: CallFlags) => {
    if (text.trim() === '') throw new UserError('the text is empty: say what to send; nothing was sent', EXIT.usage);
    const sessionId = await sessionOf(id);
    const client = await connectClient(io, options);
    const answer = await client.sessions.send({ sessionId, text });
    if (io.json) io.data({ sessionId, ...answer });
    else io.line(`${answer.messageId}\t${answer.status}`);
  });
};

async function sessionOf(id: string): Promise<string> {
  const reader = await openReader(ownPaths().database);
  try {
    const found = await reader.event(id);
    if (!found)
      throw new UserError(`no event ${id}: see \`belfry events\` for their ids; nothing was sent`, EXIT.notFound);
    if (found.event.sessionId === null)
      throw new UserError(
        `event ${id} belongs to no session, so there is nobody to reply to; nothing was sent`,
        EXIT.usage,
      );
    return found.event.sessionId;
  } finally {
    await reader.close();
  }
}
