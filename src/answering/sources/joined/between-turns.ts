// A session that has finished a turn, and takes its next instruction without a hook that waits for one.
import type { AskedQuestion, Handed } from '../../../model/question/answering.ts';
import { notificationIdOf, type SessionKey } from '../../../model/ids.ts';
import type { IncomingHook } from '../../../model/event/incoming.ts';
import type { Client } from '../../questions/asker.ts';
import type { OpenQuestions } from '../../questions/open-questions.ts';

/** One such session. */
export interface RestingSession {
  readonly session: SessionKey;
  readonly client: Client;
  /** The one that said that it has finished. */
  readonly hook: IncomingHook;
  readonly isReachable: () => Promise<boolean>;
  readonly reply: (text: string) => Promise<Handed>;
}

/** The question appears once the session is known to be reachable, if nothing has come meanwhile. */
export function askForInstruction(
  questions: OpenQuestions,
  { session, client, hook, isReachable, reply }: RestingSession,
): void {
  const { digest, startedAt, entryId, parsed } = hook;
  const { cwd, lastAssistantMessage } = parsed;
  const common = { sessionId: session.sessionId, cwd, subagent: null, tool: null, partial: null, choices: [] };
  const question: AskedQuestion = { ...common, kind: 'text', text: lastAssistantMessage ?? '' };
  questions.ask(
    { session, question, digest, startedAt },
    {
      source: 'resting',
      notification: { id: notificationIdOf(entryId) },
      isReachable,
      over: () => undefined,
      give: async (answer) => (answer.type === 'reply' ? reply(answer.text) : 'unsent'),
    },
    client,
  );
}
