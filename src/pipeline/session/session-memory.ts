// The pipeline's own facts in a session's row: what happened last, for correlating and holding. Who was notified of it, the outbox knows.
import type { Urgency } from '../../model/event/event.ts';
import type { Place } from '../../model/session/place.ts';
import type { SessionRecord } from '../../model/session/session.ts';

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

/** The events that a row's memory names. */
export function rememberedEvents(record: SessionRecord | null): readonly string[] {
  const { end, finished, failure, openRequests = [] } = memoryOf(record);
  const marks = [end, finished, failure, ...openRequests].filter((mark) => mark !== undefined);
  return marks.flatMap(({ id, also = [] }) => [id, ...also]);
}
