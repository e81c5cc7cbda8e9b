// `belfry reply ID TEXT`: gives a session its next instruction: to the hook that waits for one, else through the organization's service.
import { agentByName } from '../agents/index.ts';
import { type QuestionSubject, subjectSchema } from '../model/answering.ts';
import { EXIT, UserError } from '../model/errors.ts';
import { callOptions, type CallFlags, connectClient } from './api/connect.ts';
import type { Question } from '../model/question.ts';
import type { StoreReader } from '../store/contract.ts';
import { giveAnswer } from './answer.ts';
import type { Define } from './entry.ts';
import { findQuestion } from './find-question.ts';
import { refuseAgents } from './refuse-agents.ts';
import { eventOf, withStore } from './with-store.ts';

export const define: Define = (command, io) => {
  command
    .argument('<ID>', 'id of an event, a delivery or a session; the beginning is enough')
    .argument('<TEXT>', 'the message');
  callOptions(command);
  command.action(async (id: string, text: string, options: CallFlags) => {
    if (text.trim() === '') throw new UserError('the text is empty; nothing was sent', EXIT.usage);
    await refuseAgents('reply');
    const waiting = await withStore((store) => waitingFor(store, id));
    if (waiting !== null) {
      await giveAnswer(waiting, { type: 'reply', text }, false);
      if (io.json) io.data({ sessionId: subjectOf(waiting).sessionId, way: 'hook', questionId: waiting.id });
      else io.line('sent: the agent goes on with it now');
      return;
    }
    const sessionId = await sessionOf(id);
    const client = await connectClient(io, options);
    const answer = await client.sessions.send({ sessionId, text });
    if (io.json) io.data({ sessionId, ...answer });
    else io.line(`${answer.messageId}\t${answer.status}`);
  });
};

/** The hook that waits for a reply; null: none does. UserError: the session waits for an answer of another kind. */
async function waitingFor(store: StoreReader, text: string): Promise<Question | null> {
  const found = await findQuestion(store, text);
  if (found === null) return null;
  if (found.state !== 'open' && found.id !== text) return null; // its session is meant
  if (found.kind === 'text') return found;
  throw new UserError(
    `the session waits for an answer: \`belfry answer ${found.id}\` with ${found.kind === 'choice' ? 'a choice' : 'allow or deny'}; nothing was sent`,
    EXIT.usage,
  );
}

const subjectOf = (question: Question): QuestionSubject => subjectSchema.parse(question.subject);

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
