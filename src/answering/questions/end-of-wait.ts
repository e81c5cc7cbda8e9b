// When a wait is over although nobody answered from elsewhere: the session has moved on, at its terminal or by itself.
import type { IncomingHook } from '../../model/incoming.ts';
import type { ToolRequest } from '../../model/answering.ts';
import type { Answerable } from './wait.ts';

/** Why this input ends the wait, for people; null: it does not. */
export function endOfWait(wait: Answerable, hook: IncomingHook): string | null {
  // What began before it says nothing of it; the notifying hook reports the very input that is asked about.
  if (hook.startedAt < wait.startedAt || hook.digest === wait.digest) return null;
  const { sessionId, signal } = hook.parsed;
  if (sessionId === null) return null;
  const { session } = wait;
  const same = hook.host === session.host && hook.user === session.user && hook.agent === session.agent;
  if (!same) return null;
  if (sessionId !== session.sessionId)
    return signal === 'started' && startedBy(wait, hook) ? 'another session runs in its terminal' : null;
  return wait.question.kind === 'text' ? endOfIdle(hook) : endOfPrompt(wait, hook);
}

/** `/clear` and the like: one process, another conversation. */
function startedBy({ client }: Answerable, { origin }: IncomingHook): boolean {
  if (client === null) return false;
  const known = origin.ancestors?.some(({ pid, start }) => pid === client.pid && start === client.start);
  return known ?? origin.ppid === client.pid;
}

function endOfIdle({ parsed: { signal } }: IncomingHook): string | null {
  if (signal === 'prompted') return 'it got a prompt at its terminal';
  if (signal === 'finished' || signal === 'interrupted' || signal === 'failed') return 'a later turn is over';
  return signal === 'ended' || signal === 'started' ? 'its session ended' : null;
}

function endOfPrompt({ question }: Answerable, { parsed }: IncomingHook): string | null {
  const { signal, tool, detail, isFollowUp } = parsed;
  const own = (parsed.subagent?.id ?? null) === question.subagent;
  if (signal === 'ended' || signal === 'started') return 'its session ended';
  if (signal === 'prompted' || signal === 'interrupted') return 'answered at the terminal';
  // The session's own turn may be over while a subagent in the background still asks.
  if (signal === 'finished' || signal === 'failed' || signal === 'turn-over')
    return question.subagent === null ? 'answered at the terminal' : null;
  if (signal === 'subagent-finished') return own && question.subagent !== null ? 'its subagent ended' : null;
  if (!own) return null;
  if (signal === 'resolved' || signal === 'activity')
    return tool !== null && isSame(tool, question.tool) ? 'answered at the terminal' : null;
  const asks = signal === 'waiting' && !isFollowUp && (detail === 'permission' || detail === 'question');
  return asks ? 'answered at the terminal' : null;
}

/** A tool that ran beside the prompt, allowed before, says nothing of it. */
function isSame(ran: ToolRequest, asked: ToolRequest | null): boolean {
  return ran.name === asked?.name && (asked.summary === null || ran.summary === asked.summary);
}
