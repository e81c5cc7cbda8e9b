// What no hook tells and the end of a transcript does: that a turn failed, or that the user stopped it.
import { readRecords } from '../enrichment/transcript.ts';
import { sha256 } from '../lib/hash.ts';
import { asObject } from '../lib/json.ts';
import type { Agent, TurnEvidence } from '../model/agent.ts';
import type { Event } from '../model/event.ts';
import { sessionKeyText } from '../model/ids.ts';
import type { Incoming, IncomingHook } from '../model/incoming.ts';
import { sessionEvent } from '../model/session-event.ts';
import type { SessionRecord } from '../model/session.ts';
import { cutsOff } from '../pipeline/index.ts';
import type { Store } from '../store/contract.ts';
import { findErrorReport } from './error-reports.ts';

export interface TurnEvidenceDeps {
  readonly store: Pick<Store, 'session'>;
  readonly agents: (name: string) => Agent | undefined;
  /** Transcripts are read below it only. */
  readonly home: string;
  /** The folder for temporary files. */
  readonly temporary: string;
}

type Turn = Pick<SessionRecord, 'agent' | 'transcript' | 'turnStarted'>;

export interface TurnEvidenceReader {
  /** Of the session's latest turn; null where its client's transcript says nothing, or is not known. */
  of(record: Turn): Promise<TurnEvidence | null>;
  /** An input as it is to be decided, after what has to be reported before it. */
  judge(incoming: Incoming): Promise<readonly Incoming[]>;
}

/** Bytes read from the end of a transcript. */
const TAIL = 128 * 1024;

/** The failure as an event of its own; the same turn makes the same one. */
export function failureEvent(record: SessionRecord, { cause, message, turn }: TurnEvidence, at: number): Event {
  return sessionEvent(record, {
    id: `evidence-${sha256(`${sessionKeyText(record)}:${turn}`, 24)}`,
    kind: 'session.failed',
    message,
    abnormal: true,
    detail: cause,
    urgency: 'urgent',
    at,
    attributes: { evidence: 'transcript' },
  });
}

function asFailure(incoming: IncomingHook, { cause, message }: TurnEvidence): IncomingHook {
  const failed = { kind: 'session.failed', signal: 'failed', urgency: 'urgent', abnormal: true } as const;
  const unknown = { ...incoming.parsed.unknown, evidence: 'transcript' };
  return { ...incoming, parsed: { ...incoming.parsed, ...failed, detail: cause, message, unknown } };
}

function asInterruption(incoming: IncomingHook): IncomingHook {
  const noted = { kind: 'agent.other', signal: 'interrupted', urgency: 'low', detail: 'interrupted' } as const;
  return { ...incoming, parsed: { ...incoming.parsed, ...noted } };
}

/** Whether a record is of the turn that began then (Unix ms), as far as it says when it was written. */
function isSince(record: unknown, began: number | null): boolean {
  const { timestamp } = asObject(record);
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return began === null || Number.isNaN(at) || at >= began;
}

/** Builds the reader. Nothing is read but at the end of a turn or a session, and where somebody asks. */
export function createTurnEvidence({ store, agents, home, temporary }: TurnEvidenceDeps): TurnEvidenceReader {
  const of: TurnEvidenceReader['of'] = async ({ agent, transcript, turnStarted }) => {
    const reader = agents(agent)?.transcript;
    if (reader === undefined || transcript === null) return null;
    const records = await readRecords(transcript, home, TAIL, reader.path);
    return reader.read(records.filter((record) => isSince(record, turnStarted)));
  };

  /** Why a session ended in the middle of work. */
  async function ofEnd(record: Turn, endedAt: number): Promise<TurnEvidence | null> {
    const { agent, transcript, turnStarted: from } = record;
    const reports = agents(agent)?.transcript?.reports;
    const found = await of(record);
    if (found !== null || reports === undefined || transcript === null || from === null) return found;
    return findErrorReport(temporary, { reports, transcript, from, to: endedAt });
  }

  async function judge(incoming: Incoming): Promise<readonly Incoming[]> {
    if (incoming.type !== 'hook' || agents(incoming.agent)?.transcript === undefined) return [incoming];
    const { agent, host, user, parsed } = incoming;
    const { signal, sessionId } = parsed;
    if (sessionId === null || (signal !== 'finished' && signal !== 'ended')) return [incoming];
    const record = await store.session({ agent, host, user, sessionId });
    const transcript = parsed.transcript ?? record?.transcript ?? null;
    if (signal === 'ended' && (record === null || !cutsOff(record))) return [incoming];
    // An input that comes late is of a turn before the one that the row knows.
    const began = record?.turnStarted ?? null;
    const turnStarted = began !== null && began > incoming.startedAt ? null : began;
    const turn = { agent, transcript, turnStarted };
    const found = signal === 'ended' ? await ofEnd(turn, incoming.receivedAt) : await of(turn);
    if (found === null) return [incoming];
    if (signal === 'finished')
      return [found.outcome === 'failed' ? asFailure(incoming, found) : asInterruption(incoming)];
    if (record === null || found.outcome !== 'failed') return [incoming];
    const { startedAt, receivedAt } = incoming;
    const event = failureEvent(record, found, receivedAt);
    return [
      { type: 'event', entryId: event.id, source: 'belfry', startedAt, receivedAt, event, occurrence: event.id },
      incoming,
    ];
  }

  return { of, judge };
}
