// When a wait is over although nobody answered from elsewhere: the session has moved on, at its terminal or by itself.
import type { ToolRequest } from '../../model/question/answering.ts';
import type { Ending } from '../../model/question/endings.ts';
import type { IncomingHook } from '../../model/event/incoming.ts';
import { type Asked, type Client, SOURCES } from './asker.ts';
import type { OpenQuestion } from './open-question.ts';

/** How this input ends the wait; null: it does not. */
export function endOfWait({ asked, asker, client }: OpenQuestion, hook: IncomingHook): Ending | null {
  const { endedBy } = SOURCES[asker.source];
  if (endedBy === 'nothing' || (endedBy === 'session end' && hook.parsed.signal !== 'ended')) return null;
  // What began before it says nothing of it; the notifying hook reports the very input that is asked about.
  if (hook.startedAt < asked.startedAt || hook.digest === asked.digest) return null;
  const { sessionId, signal } = hook.parsed;
  if (sessionId === null) return null;
  const { session, question } = asked;
  const same = hook.host === session.host && hook.user === session.user && hook.agent === session.agent;
  if (!same) return null;
  if (sessionId !== session.sessionId) return signal === 'started' && startedBy(client, hook) ? 'other-session' : null;
  return question.kind === 'text' ? endOfIdle(hook) : endOfPrompt(asked, hook);
}

/** `/clear` and the like: one process, another conversation. */
function startedBy(client: Client, { origin }: IncomingHook): boolean {
  if (client === null) return false;
  const known = origin.ancestors?.some(({ pid, start }) => pid === client.pid && start === client.start);
  return known ?? origin.ppid === client.pid;
}

function endOfIdle({ parsed: { signal } }: IncomingHook): Ending | null {
  if (signal === 'prompted') return 'prompted';
  if (signal === 'finished' || signal === 'interrupted' || signal === 'failed') return 'later-turn';
  return signal === 'ended' || signal === 'started' ? 'session-ended' : null;
}

function endOfPrompt({ question }: Asked, { parsed }: IncomingHook): Ending | null {
  const { signal, tool, detail, isFollowUp } = parsed;
  const own = (parsed.subagent?.id ?? null) === question.subagent;
  if (signal === 'ended' || signal === 'started') return 'session-ended';
  if (signal === 'prompted' || signal === 'interrupted') return 'at-terminal';
  // The session's own turn may be over while a subagent in the background still asks.
  if (signal === 'finished' || signal === 'failed' || signal === 'turn-over')
    return question.subagent === null ? 'at-terminal' : null;
  if (signal === 'subagent-finished') return own && question.subagent !== null ? 'subagent-ended' : null;
  if (!own) return null;
  if (signal === 'resolved' || signal === 'activity')
    return tool !== null && isSame(tool, question.tool) ? 'at-terminal' : null;
  const asks = signal === 'waiting' && !isFollowUp && (detail === 'permission' || detail === 'question');
  return asks ? 'at-terminal' : null;
}

/** A tool that ran beside the prompt, allowed before, says nothing of it. */
function isSame(ran: ToolRequest, asked: ToolRequest | null): boolean {
  return ran.name === asked?.name && (asked.summary === null || ran.summary === asked.summary);
}
