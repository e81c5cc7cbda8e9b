// `belfry reply ID TEXT`: posts a message to the session an event came from, through the service.
import { agentByName } from '../agents/index.ts';
import { EXIT, UserError } from '../model/errors.ts';
import { callOptions, type CallFlags, connectClient } from './api/connect.ts';
import type { Define } from './entry.ts';
import { eventOf, withStore } from './with-store.ts';

export const define: Define = (command, io) => {
  command
    .argument('<ID>', 'id of an event, a delivery or a session; the beginning is enough')
    .argument('<TEXT>', 'the message');
  callOptions(command);
  command.action(async (id: string, text: string, options: CallFlags) => {
    if (text.trim() === '') throw new UserError('the text is empty; nothing was sent', EXIT.usage);
    const sessionId = await sessionOf(id);
    const client = await connectClient(io, options);
    const answer = await client.sessions.send({ sessionId, text });
    if (io.json) io.data({ sessionId, ...answer });
    else io.line(`${answer.messageId}\t${answer.status}`);
  });
};

/** The session that an ID means: an event's, a delivery's, or itself. */
async function sessionOf(text: string): Promise<string> {
  const { event } = await withStore((store) => eventOf(store, text)).catch((error: unknown) => {
    throw error instanceof UserError ? new UserError(`${error.message}; nothing was sent`, error.exit) : error;
  });
  if (event.sessionId === null)
    throw new UserError(`event ${text} has no session to reply to; nothing was sent`, EXIT.usage);
  const agent = agentByName(event.agent);
  if (agent && !agent.knownToService)
    throw new UserError(
      `session ${event.sessionId} is a ${agent.title} session: answer it in its own terminal; nothing was sent`,
      EXIT.usage,
    );
  return event.sessionId;
}
