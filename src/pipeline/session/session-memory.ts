// The pipeline's own facts in a session's row: what happened last, and in which order, for correlating and holding. Who was notified of it, the outbox knows.
import type { Event, Urgency } from '../../model/event/event.ts';
import type { LimitReached } from '../../model/agent/limits.ts';
import type { Place } from '../../model/session/place.ts';
import type { SessionRecord } from '../../model/session/session.ts';

/** Only who reports prompts, or was seen to start, can be known to have got none since. A subagent gets none. */
function promptsAreKnown(record: SessionRecord): boolean {
  return record.promptedAt !== null || memoryOf(record).started !== undefined || record.parentSessionId !== null;
}

/** Nothing but an idle notice came since it started. */
function untouched({ state, waitingFor, subagents }: SessionRecord): boolean {
  return (state === 'started' || (state === 'waiting' && waitingFor === 'idle')) && subagents.length === 0;
}

/** Why the turn is known to be over, with no prompt since; null: it may be at work. */
export function turnOver(record: SessionRecord | null): string | null {
  if (record === null || !promptsAreKnown(record)) return null;
  const { finished, held, interrupted } = memoryOf(record);
  if (held !== undefined) return null; // its background work still runs
  const busyAgain = finished?.past === true && !untouched(record);
  if (finished !== undefined && !busyAgain) return 'the session had finished, and no prompt came since';
  return interrupted === undefined ? null : 'the user had interrupted it, and no prompt came since';
}

/** The same, and also a session that was seen to start and was given nothing to do. */
export function atRest(record: SessionRecord | null): string | null {
  const over = turnOver(record);
  if (over !== null || record === null) return over;
  return memoryOf(record).started !== undefined && untouched(record)
    ? 'the session had started, but no prompt came'
    : null;
}

/** What a session asks of a person; null: nothing. */
export const openPrompt = ({ state, waitingFor }: SessionRecord): string | null =>
  state === 'waiting' && waitingFor !== 'idle' ? waitingFor : null;

/** The row without a finish that met an open prompt, and began after `at`; the same row: there is none. */
export function beforeFinish(record: SessionRecord, at: number): SessionRecord {
  const { finished } = memoryOf(record);
  if (finished?.asked === undefined || finished.at <= at || finished.at - at > OVERTAKEN) return record;
  return { ...withMemory(record, { finished: undefined }), state: 'waiting', since: at, waitingFor: finished.asked };
}

/** The row as an end that began at `at` met it. */
export function asEndMet(record: SessionRecord | null, at: number): SessionRecord | null {
  return record && asOf(beforeFinish(record, at), at);
}

/** The row as an input that began at `at` met it: an interruption that came after is none of its time. */
export function asOf(record: SessionRecord | null, at: number): SessionRecord | null {
  const { interrupted } = memoryOf(record);
  if (record === null || interrupted === undefined || interrupted.at <= at) return record;
  const before = withMemory(record, { interrupted: undefined });
  return record.since > at && record.promptedAt !== null ? { ...before, state: 'working', since: at } : before;
}

/** Whether an end, or the exit of its client, cut off work that is known of: a prompt was given, and nothing has come that ends its turn. */
export function cutsOff(record: SessionRecord | null): boolean {
  if (record === null || record.parentSessionId !== null || turnOver(record) !== null) return false;
  if (record.state === 'background') return true;
  const atWork = record.state === 'working' || (record.state === 'waiting' && record.waitingFor !== 'idle');
  return atWork && record.promptedAt !== null;
}

/** Ms by which a finish may come after the end of its session: a client that leaves runs the hooks of both side by side. */
const OVERTAKEN = 5_000;

/** Whether an event comes so soon after its session's end that the two may have changed places on the way. */
export function isOvertaken(record: SessionRecord, event: Event): boolean {
  const { end } = memoryOf(record);
  return record.state === 'ended' && end !== undefined && Math.abs(event.at - end.at) <= OVERTAKEN;
}

/** Whether a finish that comes after its session's end began before it, in the turn that the end was taken to have cut off. */
export function finishedBeforeEnd(record: SessionRecord, event: Event): boolean {
  const { end } = memoryOf(record);
  const alarms = end?.urgency === 'urgent' && turnOver(record) === null;
  if (end === undefined || (end.atWork !== true && !alarms) || !isOvertaken(record, event)) return false;
  return event.at < end.at && event.at >= (record.turnStarted ?? 0);
}

/** Ms by which a failure may begin after the end that it brings: a client that leaves runs the hooks of both side by side. */
const BESIDE = 200;

/** Whether a failure that comes after its session's end, which alarms people, is what that turn ended with: it began before that end, or with it. */
export function failedBeforeEnd(record: SessionRecord, startedAt: number): boolean {
  const { end } = memoryOf(record);
  if (record.state !== 'ended' || end?.urgency !== 'urgent') return false;
  return startedAt <= record.since + BESIDE && startedAt >= (record.turnStarted ?? 0);
}

/** The row as a finish met it: an interruption after it, such as one concluded from its own idle notice, that overtook it is none of its turn. */
export function asFinishMet(record: SessionRecord, event: Event): SessionRecord {
  const { interrupted } = memoryOf(record);
  const isOvertaking = interrupted !== undefined && interrupted.at - event.at <= OVERTAKEN;
  return isOvertaking ? (asOf(record, event.at) ?? record) : record;
}

/** Something that happened. */
export interface Mark {
  /** Unix ms. */
  readonly at: number;
  /** Its event. */
  readonly id: string;
  /** Events of other clients that reported it before, to other channels. */
  readonly also?: readonly string[];
}

/** All times are Unix ms. */
export interface SessionMemory {
  /** The session was seen to start, and no prompt came since. */
  readonly started?: { readonly at: number };
  /** The last end, until a start or a prompt. */
  readonly end?: Mark & {
    readonly abnormal: boolean;
    readonly urgency: Urgency;
    /** Concluded from the exit of the process, not reported by the client. */
    readonly exitedQuietly: boolean;
    /** It came in the middle of work that is known of. */
    readonly atWork?: true;
  };
  /** The last finish that was not held, until a prompt. */
  readonly finished?: Mark & {
    /** The session was started again since. */
    readonly past?: boolean;
    /** What the session waited for when it came, unanswered as far as is known: a client that is killed may report a finish besides its end. */
    readonly asked?: string;
  };
  /** The last failure, until a start, a prompt or activity. */
  readonly failure?: Mark;
  /** The user stopped the turn. */
  readonly interrupted?: { readonly at: number };
  /** It stopped its turn with nobody there, as it was killed or its terminal closed. */
  readonly closing?: { readonly at: number };
  /** Its history was compacted. */
  readonly compacted?: { readonly at: number };
  /** A finish that waits for background work. */
  readonly held?: { readonly at: number; readonly id: string };
  /** Requests of the user's attention that may yet be reported a second time. */
  readonly openRequests?: readonly (Mark & {
    readonly key: string;
    readonly event: string;
    /** It was the second report that came, and the first has not yet. */
    readonly isFollowUp?: true;
  })[];
  /** The account's limit that stopped it, until it goes on. */
  readonly limit?: LimitReached;
  /** What the user asked for last, redacted and short. */
  readonly request?: string;
  /** The X11 id of the window in which the last prompt was given. */
  readonly window?: string;
}

/** Where the session is shown, with the window of its last prompt where its terminal does not name one. */
export function placeWithWindow(place: Place, record: SessionRecord | null): Place {
  return { ...place, windowId: place.windowId ?? memoryOf(record).window ?? null };
}

/** Marks of a row; the store keeps them as this file wrote them. */
export function memoryOf(record: SessionRecord | null): SessionMemory {
  return (record?.memory ?? {}) as SessionMemory; // written by `withMemory` only
}

/** The row with these marks changed; undefined removes one. */
export function withMemory(
  record: SessionRecord,
  change: { readonly [K in keyof SessionMemory]?: SessionMemory[K] | undefined },
): SessionRecord {
  const entries = Object.entries({ ...record.memory, ...change }).filter(([, value]) => value !== undefined);
  return { ...record, memory: Object.fromEntries(entries) };
}

/** The events that a row's memory names, as far as an input is compared with them: of open requests those of its key. */
export function rememberedEvents(record: SessionRecord | null, correlationKey: string | null): readonly string[] {
  const { end, finished, failure, openRequests = [] } = memoryOf(record);
  const same = openRequests.filter(({ key }) => key === correlationKey);
  const marks = [end, finished, failure, ...same].filter((mark) => mark !== undefined);
  return marks.flatMap(({ id, also = [] }) => [id, ...also]);
}
