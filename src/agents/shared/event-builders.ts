// Builders of parsed events, each with its urgency before the session record is considered.
import type { ParsedHook, ParseHints, BackgroundTask } from '../../model/agent/agent.ts';
import { isSyntheticPrompt } from '../../lib/text/synthetic-prompt.ts';
import type { PartialHook } from './parser.ts';

/** Why a session failed. */
export type Cause = 'rate-limit' | 'credit' | 'auth' | 'network' | 'server' | 'model' | 'unknown';

/** It waits for the user: permission, question, idle, or what the client calls it. */
export function waiting(
  detail: string,
  message: string | null | undefined,
  more: Partial<PartialHook> = {},
): PartialHook {
  return { kind: 'agent.waiting', signal: 'waiting', urgency: 'normal', detail, message: message || null, ...more };
}

/** A turn is over; with work still running it is not the end. */
export function finished(
  words: string | null | undefined,
  running: readonly BackgroundTask[] | null,
  more: Partial<PartialHook> = {},
): PartialHook {
  const background = running !== null && running.length > 0;
  return {
    kind: 'agent.finished',
    signal: 'finished',
    urgency: background ? 'low' : 'normal',
    detail: background ? 'background' : null,
    message: words || null,
    lastAssistantMessage: words || null,
    running,
    ...more,
  };
}

/** The turn of a subagent that is a session of its own. */
export function finishedAsSubagent(words: string | null | undefined, more: Partial<PartialHook>): PartialHook {
  return finished(words, null, { urgency: 'low', detail: 'background', ...more });
}

/** A subagent within a session is done. */
export function subagentFinished(
  id: string | null | undefined,
  name: string | null | undefined,
  words: string | null | undefined,
  more: Partial<PartialHook> = {},
): PartialHook {
  return {
    kind: 'subagent.finished',
    signal: 'subagent-finished',
    urgency: 'low',
    message: words || null,
    subagent: { id: id || null, name: name || null },
    ...more,
  };
}

/** What of an end only its client knows. */
interface EndFacts {
  /** Reasons that are the person's own act and that this client gives for nothing else. */
  readonly own?: readonly string[];
  readonly message?: string | null | undefined;
}

/** A session is over; the reason decides whether that is abnormal. */
export function ended(
  reason: string | null | undefined,
  hints: ParseHints,
  { own = [], message }: EndFacts = {},
): PartialHook {
  const abnormal = typeof reason === 'string' && hints.abnormalReasons.includes(reason);
  return {
    kind: 'session.ended',
    signal: 'ended',
    urgency: abnormal ? 'urgent' : 'low',
    abnormal,
    byUser: typeof reason === 'string' && own.includes(reason),
    reason: reason || null,
    message: message || null,
  };
}

/** The client says that a turn failed. */
export function failed(cause: Cause, message: string | null | undefined, more: Partial<PartialHook> = {}): PartialHook {
  return {
    kind: 'session.failed',
    signal: 'failed',
    urgency: 'urgent',
    abnormal: true,
    detail: cause,
    message: message || null,
    ...more,
  };
}

/** A tool has ended: whoever was asked for it has answered. `error` and result are nobody's business here. */
export function toolUsed(
  tool: ParsedHook['tool'],
  toolUseId: string | null | undefined,
  subagent: ParsedHook['subagent'] = null,
): PartialHook {
  return noted('activity', { isSignal: true, tool, toolUseId: toolUseId || null, subagent });
}

/** Feeds the session record only. */
export function noted(signal: PartialHook['signal'], more: Partial<PartialHook> = {}): PartialHook {
  return { kind: 'agent.other', signal, urgency: 'low', detail: signal === 'none' ? null : signal, ...more };
}

/** Work was given; a prompt that the client made itself is work too, but not the user's request. */
export function prompted(prompt: string | null | undefined, more: Partial<PartialHook> = {}): PartialHook {
  return noted('prompted', { prompt: prompt && !isSyntheticPrompt(prompt) ? prompt : null, ...more });
}

/** Work of a subagent that runs in the session itself: its prompts are nobody's request, and its parent's turn is not begun by them. */
export function subagentActive(id: string | null | undefined, name: string | null | undefined): PartialHook {
  return noted('activity', { subagent: { id: id || null, name: name || null } });
}
