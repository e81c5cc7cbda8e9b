// A session whose turn is over, and that takes its next instruction without a hook that waits for one.
import type { Event } from '../../../model/event/event.ts';
import type { IncomingHook } from '../../../model/event/incoming.ts';
import { notificationIdOf, type SessionKey } from '../../../model/ids.ts';
import type { AskedQuestion, Handed } from '../../../model/question/answering.ts';
import type { SessionRecord } from '../../../model/session/session.ts';
import type { Client } from '../../questions/asker.ts';
import type { OpenQuestions } from '../../questions/open-questions.ts';

/** How a turn ended. */
export interface Rest {
  readonly session: SessionKey;
  /** Of what said so, the same each time. */
  readonly digest: string;
  /** Unix ms. */
  readonly startedAt: number;
  readonly notification: string;
  readonly cwd: string | null;
  /** What its person reads: its last message, or its error. */
  readonly text: string;
  /** Ms that it may be given its next instruction; null: as long as the settings say. */
  readonly waitMs: number | null;
}

/** One such session. */
export interface RestingSession {
  readonly client: Client;
  readonly isReachable: () => Promise<boolean>;
  /** `isOvertaken`: whether it has got another instruction meanwhile, and takes none any more. */
  readonly reply: (text: string, isOvertaken: () => boolean) => Promise<Handed>;
}

/** A limit of a week, and a day: nothing holds a terminal meanwhile. */
const AFTER_FAILURE = 8 * 86_400_000;

/** It has finished, as this hook says. */
export function restAfter(session: SessionKey, { digest, startedAt, entryId, parsed }: IncomingHook): Rest {
  const { cwd, lastAssistantMessage } = parsed;
  const notification = notificationIdOf(entryId);
  return { session, digest, startedAt, notification, cwd, text: lastAssistantMessage ?? '', waitMs: null };
}

/** It has failed, as this event says. */
export function restAfterFailure(record: SessionRecord, { id, at, cwd, message }: Event): Rest {
  const { host, user, agent, sessionId } = record;
  const session = { host, user, agent, sessionId };
  const notification = notificationIdOf(id);
  return { session, digest: id, startedAt: at, notification, cwd, text: message ?? '', waitMs: AFTER_FAILURE };
}

/** The question appears once the session is known to be reachable, if nothing has come meanwhile. */
export function askForInstruction(
  questions: OpenQuestions,
  { session, digest, startedAt, notification, cwd, text, waitMs }: Rest,
  { client, isReachable, reply }: RestingSession,
): void {
  const common = { sessionId: session.sessionId, cwd, subagent: null, tool: null, partial: null, choices: [] };
  const question: AskedQuestion = { ...common, kind: 'text', text };
  questions.ask(
    { session, question, digest, startedAt },
    {
      source: 'resting',
      notification: { id: notification },
      isReachable,
      over: () => undefined,
      give: async (answer, isOvertaken) => {
        if (answer.type !== 'reply') return 'unsent';
        return isOvertaken() ? 'late' : reply(answer.text, isOvertaken);
      },
    },
    client,
    waitMs,
  );
}
