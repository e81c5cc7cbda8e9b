// What an input becomes by the evidence of its session's transcript.
import { sha256 } from '../../lib/hash.ts';
import type { BackgroundTask, TurnEvidence } from '../../model/agent/agent.ts';
import type { Event } from '../../model/event/event.ts';
import { sessionKeyText } from '../../model/ids.ts';
import type { IncomingHook } from '../../model/event/incoming.ts';
import { sessionEvent } from '../../model/event/session-event.ts';
import type { SessionRecord } from '../../model/session/session.ts';

/** The same turn makes the same event. */
const idOf = (record: SessionRecord, { turn }: TurnEvidence): string =>
  `evidence-${sha256(`${sessionKeyText(record)}:${turn}`, 24)}`;

/** The failure as an event of its own. */
export function failureEvent(record: SessionRecord, found: TurnEvidence, at: number): Event {
  const { cause, message } = found;
  return sessionEvent(record, {
    id: idOf(record, found),
    kind: 'session.failed',
    message,
    abnormal: true,
    detail: cause,
    urgency: 'urgent',
    at,
    attributes: { evidence: 'transcript' },
  });
}

/** That the user stopped the turn, as an event of its own. */
export function interruptionEvent(record: SessionRecord, found: TurnEvidence, at: number): Event {
  return sessionEvent(record, {
    id: idOf(record, found),
    kind: 'agent.other',
    message: null,
    abnormal: false,
    detail: 'interrupted',
    urgency: 'low',
    at,
    attributes: { evidence: 'transcript' },
  });
}

/** A finish, or a try, that the transcript knows to be a failed turn. */
export function asFailure(incoming: IncomingHook, { cause, message }: TurnEvidence): IncomingHook {
  const failed = { kind: 'session.failed', signal: 'failed', urgency: 'urgent', abnormal: true } as const;
  const unknown = { ...incoming.parsed.unknown, evidence: 'transcript' };
  return { ...incoming, parsed: { ...incoming.parsed, ...failed, detail: cause, message, unknown } };
}

/** A try of a request that failed, and no more: the client goes on, or its transcript will say that it does not. */
export function asRetry(incoming: IncomingHook): IncomingHook {
  const noted = { kind: 'agent.other', signal: 'none', urgency: 'low', detail: 'retrying', abnormal: false } as const;
  return { ...incoming, parsed: { ...incoming.parsed, ...noted } };
}

/** The end of a session whose turn the user had stopped: the user has left. */
export function asOwnAct(incoming: IncomingHook): IncomingHook {
  const own = { byUser: true, abnormal: false, urgency: 'low' } as const;
  return { ...incoming, parsed: { ...incoming.parsed, ...own } };
}

/** A finish of a turn that the user stopped. */
export function asInterruption(incoming: IncomingHook): IncomingHook {
  const noted = { kind: 'agent.other', signal: 'interrupted', urgency: 'low', detail: 'interrupted' } as const;
  return { ...incoming, parsed: { ...incoming.parsed, ...noted } };
}

/** A finish while shells run that no hook lists; the subagents are known from the session's row. */
export function withRunning(
  incoming: IncomingHook,
  shells: readonly BackgroundTask[],
  record: SessionRecord | null,
): IncomingHook {
  if (shells.length === 0) return incoming;
  const subagents = (record?.subagents ?? []).map((id) => ({ id, type: 'subagent', label: null }));
  return { ...incoming, parsed: { ...incoming.parsed, running: [...shells, ...subagents] } };
}
