// What is journaled: an envelope or a source's own event as a journal entry, and back.
import * as z from 'zod';
import type { Event } from '../model/event/event.ts';
import type { JournalEntry } from '../store/contract.ts';
import type { Envelope } from '../ipc/envelope.ts';
import { parseJson } from '../lib/json/json.ts';

/** An event of a watch, of the command line or of Belfry itself. */
export interface InternalEvent {
  readonly event: Event;
  /** watch, command, belfry. */
  readonly source: string;
  readonly occurrence: string | null;
}

/** The entry of an envelope. `orderingKey`: of its session, as far as that is known before it is parsed. */
export function envelopeEntry(envelope: Envelope, source: string, orderingKey: string | null): JournalEntry {
  const { raw, ...header } = envelope;
  const { id, startedAt, receivedAt } = envelope;
  return { id, source, startedAt, receivedAt, header: JSON.stringify(header), raw, orderingKey };
}

/** The entry of an own event; it has no bytes. */
export function eventEntry({ event, source, occurrence }: InternalEvent, orderingKey: string): JournalEntry {
  const header = JSON.stringify({ event, occurrence });
  return { id: event.id, source, startedAt: event.at, receivedAt: event.at, header, raw: null, orderingKey };
}

/** What an entry held; null when its header is not one of ours. */
export function decodeEntry(entry: JournalEntry): { envelope: Envelope } | { own: InternalEvent } | null {
  const header = parseJson(entry.header); // undefined, which no schema takes, for a damaged row
  const own = ownSchema.safeParse(header);
  if (own.success)
    return { own: { event: asEvent(own.data.event), occurrence: own.data.occurrence, source: entry.source } };
  const envelope = envelopeSchema.safeParse(header);
  if (!envelope.success || entry.raw === null) return null;
  return { envelope: { ...envelope.data, raw: entry.raw } };
}

/** Written by {@link eventEntry}: an object with an id and a kind is an event. */
function asEvent(value: unknown): Event {
  return value as Event;
}

const ownSchema = z.object({
  event: z.looseObject({ id: z.string(), kind: z.string() }),
  occurrence: z.string().nullable(),
});

/** Written by {@link envelopeEntry} from an envelope that was checked on receipt. */
const envelopeSchema = z.custom<Omit<Envelope, 'raw'>>(
  (value) => typeof value === 'object' && value !== null && 'id' in value && 'startedAt' in value && 'origin' in value,
);
