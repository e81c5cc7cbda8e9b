// What no hook says and the end of a transcript does: that a turn failed, or that the user stopped it; and what that makes of an input.
import { readRecords, type TranscriptDeps } from '../../enrichment/transcript.ts';
import { type Clock, sleep } from '../../lib/clock.ts';
import { asObject } from '../../lib/json/json.ts';
import type { Agent, BackgroundTask, SessionSignal, TurnEvidence } from '../../model/agent/agent.ts';
import type { LimitUse } from '../../model/agent/limits.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import type { Event } from '../../model/event/event.ts';
import { farPath } from '../../model/far-file.ts';
import { type Incoming, type IncomingHook, isElsewhere } from '../../model/event/incoming.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import { cutsOff } from '../../pipeline/index.ts';
import type { Store } from '../../store/contract.ts';
import { findErrorReport } from './find-error-report.ts';
import { sha256 } from '../../lib/hash.ts';
import { sessionKeyText } from '../../model/ids.ts';
import { sessionEvent } from '../../model/event/session-event.ts';

/** The same turn makes the same event. */
const idOf = (record: SessionRecord, { turn }: TurnEvidence): string =>
  `evidence-${sha256(`${sessionKeyText(record)}:${turn}`, 24)}`;

/** The failure, or that its client keeps trying, as an event of its own. */
export function failureEvent(record: SessionRecord, found: TurnEvidence, at: number): Event {
  const { cause, message, outcome, limit } = found;
  return sessionEvent(record, {
    id: idOf(record, found),
    kind: 'session.failed',
    message,
    abnormal: true,
    detail: cause,
    urgency: outcome === 'retrying' ? 'normal' : 'urgent',
    at,
    attributes: { evidence: 'transcript', ...(limit && { limit }) },
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
export function asFailure(incoming: IncomingHook, { cause, message, limit = null }: TurnEvidence): IncomingHook {
  const failed = { kind: 'session.failed', signal: 'failed', urgency: 'urgent', abnormal: true } as const;
  const unknown = { ...incoming.parsed.unknown, evidence: 'transcript' };
  return { ...incoming, parsed: { ...incoming.parsed, ...failed, detail: cause, message, limit, unknown } };
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

export interface TurnEvidenceDeps extends TranscriptDeps {
  readonly store: Pick<Store, 'session'>;
  readonly clock: Clock;
  readonly agents: (name: string) => Agent | undefined;
  /** The folder for temporary files. */
  readonly temporary: string;
  /** What its client says is used of its account's limits, at the end of a turn; returns at once. */
  readonly used: (uses: readonly LimitUse[], by: IncomingHook) => void;
}

type Turn = Pick<SessionRecord, 'agent' | 'transcript' | 'turnStarted'>;

export interface TurnEvidenceReader {
  /** Of the session's latest turn, which may be under way; null where its client's transcript says nothing, is not known, or is not read in time. */
  of(record: Turn, isUnderWay?: boolean): Promise<TurnEvidence | null>;
  /** What its session's transcript makes of an input. */
  judge(incoming: Incoming): Promise<JudgedInput>;
}

/** An input as it is to be decided. */
export interface JudgedInput {
  readonly incoming: Incoming;
  /** What it is by its session's row, as that stands when it is decided; without it, the same. */
  readonly byRow?: (record: SessionRecord | null) => Incoming;
  /** What has to be reported before it. */
  readonly before?: Event;
}

/** Bytes read from the end of a transcript. */
const TAIL = 128 * 1024;
/** Ms between two looks at a transcript that is still being written: the first pause, and the longest. */
const PAUSE = 40;
const LONGEST_PAUSE = 250;
/** Ms that a file is waited for that is not there yet, or cannot be read. */
const UNSEEN = 700;
/** Session ids that may be a part of a path. */
const PLAIN = /^[\w-]{1,100}$/;

/** When a record was written, Unix ms; NaN: it does not say. */
function writtenAt(record: unknown): number {
  const { timestamp } = asObject(record);
  return typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
}

/** Whether a record is of the turn that began then (Unix ms), as far as it says when it was written. */
const isSince = (record: unknown, began: number | null): boolean => began === null || !(writtenAt(record) < began);

type Reader = NonNullable<Agent['transcript']>;
type Read = Agent & { readonly transcript: Reader };

const isRead = (agent: Agent | undefined): agent is Read => agent?.transcript !== undefined;

/** What these records say of a turn, with the limit that it met. `at`: Unix ms, where they do not say when. */
function evidenceIn(
  { transcript, limits }: Read,
  records: readonly unknown[],
  at: number,
  isUnderWay = false,
): TurnEvidence | null {
  const found = (isUnderWay ? (transcript.retrying ?? transcript.read) : transcript.read)(records);
  if (found?.outcome !== 'failed' || limits === undefined) return found;
  const limit = limits.reached({ ...found, records, at, zone: null });
  return { ...found, limit: limit && { ...limit, resumes: limit.resumes ?? false } };
}

/** Whether a transcript has something to say about an input: that it failed or was stopped, or only where it is. */
function isJudged(signal: SessionSignal, { decidesFailures, trustsFinish, at }: Reader): boolean {
  if (signal === 'failed') return decidesFailures === true;
  if (signal === 'finished' && trustsFinish) return false;
  return signal === 'prompted' ? at !== undefined : signal === 'finished' || signal === 'ended';
}

/**
 * What stands there until a hook began. Where its client writes behind its hooks, that is known once something later does; a file that the
 * hook itself names is there soon.
 */
async function readUntil(
  { startedAt: began, parsed }: IncomingHook,
  { writtenWithin: longest }: Reader,
  clock: Clock,
  read: () => Promise<readonly unknown[]>,
): Promise<readonly unknown[]> {
  if (longest === undefined) return read();
  const from = clock.now();
  for (let pause = PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const records = await read();
    const isWritten = records.some((record) => writtenAt(record) >= began);
    const patience = records.length > 0 ? longest : parsed.transcript === null ? 0 : UNSEEN;
    if (isWritten || clock.now() - from >= patience) return records.filter((record) => !(writtenAt(record) > began));
    await sleep(pause, clock);
  }
}

/** Where the transcript is; null: that is not known, or it is on a machine that cannot be asked. */
function pathOf(
  { host, source, parsed, origin }: IncomingHook,
  record: SessionRecord | null,
  { at }: Reader,
  home: string,
): string | null {
  const named = parsed.transcript ?? record?.transcript ?? null;
  const { sessionId } = parsed;
  if (named !== null || at === undefined || sessionId === null) return named;
  if (!PLAIN.test(sessionId)) return null;
  if (origin.remote !== undefined) return farPath(origin.remote, at({ home: '~', sessionId }));
  return !isElsewhere(source) && host === HERE.host ? at({ home, sessionId }) : null;
}

/** When the turn of an input began (Unix ms, as far as that is known), and what is written of it. */
function turnOf({ startedAt }: IncomingHook, written: readonly unknown[], record: SessionRecord | null) {
  // An input that comes late is of a turn before the one that the row knows.
  const began = record?.turnStarted ?? null;
  const from = began !== null && began > startedAt ? null : began;
  return { from, records: written.filter((one) => isSince(one, from)) };
}

/** What a finish or a failed try is by what is written of its turn. */
function byTurn(
  incoming: IncomingHook,
  agent: Read,
  written: readonly unknown[],
  record: SessionRecord | null,
): IncomingHook {
  const { records } = turnOf(incoming, written, record);
  const evidence = evidenceIn(agent, records, incoming.startedAt);
  if (evidence?.outcome === 'failed') return asFailure(incoming, evidence);
  if (incoming.parsed.signal === 'failed') return records.length === 0 ? incoming : asRetry(incoming);
  if (evidence !== null) return asInterruption(incoming);
  return withRunning(incoming, agent.transcript.running?.(written) ?? [], record);
}

interface EndingSession {
  readonly record: SessionRecord | null;
  readonly transcript: string;
  readonly read: () => Promise<readonly unknown[]>;
}

/** Builds the reader. Nothing is read but at the end of a turn or a session, and where somebody asks. */
export function createTurnEvidence(deps: TurnEvidenceDeps): TurnEvidenceReader {
  const { store, clock, agents, home, files, temporary } = deps;
  /** None also where they are not read within a few seconds: the input is then reported as the hook has it. */
  const recordsOf = (transcript: string, { path }: Reader): Promise<readonly unknown[]> =>
    readRecords(transcript, deps, TAIL, path);

  const of: TurnEvidenceReader['of'] = async ({ agent: name, transcript, turnStarted }, isUnderWay) => {
    const agent = agents(name);
    if (!isRead(agent) || transcript === null) return null;
    const records = await recordsOf(transcript, agent.transcript);
    const ofTurn = records.filter((record) => isSince(record, turnStarted));
    return evidenceIn(agent, ofTurn, clock.now(), isUnderWay);
  };

  async function judge(incoming: Incoming): Promise<JudgedInput> {
    const known = incoming.type === 'hook' ? agents(incoming.agent) : undefined;
    if (incoming.type !== 'hook') return { incoming };
    if (!isRead(known)) return { incoming: await withLimit(incoming, known?.limits) };
    const { transcript: reader } = known;
    const { agent, host, user, parsed } = incoming;
    const { signal, sessionId } = parsed;
    if (sessionId === null || parsed.parentSessionId !== null || !isJudged(signal, reader)) return { incoming };
    // Where the hook names the file, the row is needed only for what its decision reads it for as well.
    const isRowNeeded = signal === 'ended' || parsed.transcript === null;
    const record = isRowNeeded ? await store.session({ agent, host, user, sessionId }) : null;
    const transcript = pathOf(incoming, record, reader, home);
    if (transcript === null) return { incoming };
    if (signal === 'prompted') return { incoming: { ...incoming, parsed: { ...parsed, transcript } } };
    const read = () => recordsOf(transcript, reader);
    if (signal === 'ended') return judgeEnd(incoming, known, { record, transcript, read });
    const written = signal === 'failed' ? await read() : await readUntil(incoming, reader, clock, read);
    if (known.limits?.used !== undefined) deps.used(known.limits.used(written), incoming);
    return { incoming, byRow: (row) => byTurn(incoming, known, written, row) };
  }

  /** A failure, with its account's limit: of a client whose hook says less than its transcript that is waited for. */
  async function withLimit(incoming: IncomingHook, limits: Agent['limits']): Promise<IncomingHook> {
    const { parsed, startedAt: at } = incoming;
    const { detail: cause, message, transcript } = parsed;
    if (limits === undefined || parsed.signal !== 'failed' || parsed.limit !== null) return incoming;
    const { path, writtenWithin } = limits.besideHook ?? { path: undefined, writtenWithin: 0 };
    const from = clock.now();
    for (let pause = PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const records = transcript === null ? [] : await readRecords(transcript, deps, TAIL, path);
      const limit = limits.reached({ cause, message, records, at, zone: null });
      if (limit === null) return incoming;
      const { resumes } = limit;
      if (resumes !== null || transcript === null || clock.now() - from >= writtenWithin)
        return { ...incoming, parsed: { ...parsed, limit: { ...limit, resumes: resumes === true } } };
      await sleep(pause, clock);
    }
  }

  /** An end that cuts a turn off may be its failure, or the user's own act. */
  async function judgeEnd(
    incoming: IncomingHook,
    agent: Read,
    { record, transcript, read }: EndingSession,
  ): Promise<JudgedInput> {
    if (record === null || !cutsOff(record)) return { incoming };
    const { transcript: reader } = agent;
    const { from, records } = turnOf(incoming, await readUntil(incoming, reader, clock, read), record);
    // Its cause may stand in a report instead.
    const { reports } = reader;
    const to = incoming.receivedAt;
    const found =
      evidenceIn(agent, records, to) ??
      (reports && from !== null ? await findErrorReport(temporary, files, { reports, transcript, from, to }) : null);
    if (found === null) return { incoming };
    if (found.outcome === 'interrupted') return { incoming: asOwnAct(incoming) };
    return { incoming, before: failureEvent(record, found, to) };
  }

  return { of, judge };
}
