// `belfry reply ID TEXT`: gives a session its next instruction: to the hook that waits for one, else through the organization's service.
import { agentByName } from '../../../agents/index.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { sessionKeyOf, sessionKeyText } from '../../../model/ids.ts';
import type { Question } from '../../../model/question/question.ts';
import { seenOf } from '../../../model/question/seen.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { StoreReader } from '../../../store/contract.ts';
import { callOptions, type CallFlags, connectClient } from '../../api/connect.ts';
import { giveAnswer } from './give-answer.ts';
import { whyNotFromHere } from './why-not-from-here.ts';
import type { Define } from '../../command-entry.ts';
import { idOf } from '../../reading/pending-numbers.ts';
import { refuseAgents } from './refuse-agents.ts';
import { eventOf, identified, withStore } from '../../reading/with-store.ts';

export const define: Define = (command, io) => {
  command
    .argument(
      '<ID>',
      'number of `belfry pending`, or id of a session, event, notification or question; the beginning is enough',
    )
    .argument('<TEXT>', 'the message');
  callOptions(command);
  command.action(async (given: string, text: string, options: CallFlags) => {
    if (text.trim() === '') throw new UserError('the text is empty; nothing was sent', EXIT.usage);
    await refuseAgents('reply in a terminal of your own, or on the page');
    const id = await idOf(resolveOwnPaths(), given);
    const waiting = await withStore((store) => waitingFor(store, id));
    if (waiting !== null) {
      await giveAnswer(waiting, seenOf(waiting), { type: 'reply', text }, false);
      const { sessionId } = sessionKeyOf(waiting.sessionKey);
      if (io.json) io.data({ sessionId, way: 'hook', questionId: waiting.id });
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

/** What waits for a reply; null: nothing does. UserError: the session waits for an answer of another kind. */
async function waitingFor(store: StoreReader, text: string): Promise<Question | null> {
  const found = await named(store, text);
  if (found === null || (found.state !== 'open' && found.id !== text)) return null; // its session is meant
  if (found.kind === 'text') return found;
  throw new UserError(
    `the session waits for an answer: \`belfry answer ${found.id}\` shows what it asks, and takes ${found.kind === 'choice' ? 'a choice' : 'allow or deny'}; nothing was sent`,
    EXIT.usage,
  );
}

/** The question itself, or what the session that is named asks: before all its wait for a reply. */
async function named(store: StoreReader, text: string): Promise<Question | null> {
  const meant = await identified(store, text);
  if (meant?.what === 'question') return store.question(meant.id);
  const event = meant === null ? null : await eventOf(store, text).catch(() => null);
  const { sessionId = null } = event?.event ?? {};
  if (event === null || sessionId === null) return null;
  const key = sessionKeyText({ ...event.event, sessionId });
  const open = await store.questions({ states: ['open'] });
  const own = open.filter(({ sessionKey }) => sessionKey === key);
  return own.findLast(({ kind }) => kind === 'text') ?? own.at(-1) ?? null;
}

/** The session that an ID means: an event's, a delivery's, or itself. */
async function sessionOf(text: string): Promise<string> {
  const { event } = await withStore((store) => eventOf(store, text)).catch((error: unknown) => {
    throw error instanceof UserError ? new UserError(`${error.message}; nothing was sent`, error.exit) : error;
  });
  if (event.sessionId === null)
    throw new UserError(`event ${text} has no session to reply to; nothing was sent`, EXIT.notFound);
  const agent = agentByName(event.agent);
  if (agent && !agent.knownToService)
    throw await withStore(async (store) => whyNotFromHere(store, text, await identified(store, text), 'reply'));
  return event.sessionId;
}
