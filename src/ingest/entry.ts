// A journal entry: what stands in its header, and what its input means in Belfry's terms, or why nobody can read it.
import * as z from 'zod';
import type { Agent } from '../model/agent/agent.ts';
import type { Config } from '../model/settings/config.ts';
import type { Incoming } from '../model/event/incoming.ts';
import type { JournalEntry } from '../store/contract.ts';
import { detectAgent, parseInput, readInput } from './parse.ts';
import type { Quarantine } from './quarantine.ts';
import type { Event } from '../model/event/event.ts';
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

/** What reading an entry needs. */
export interface EntryParserDeps {
  /** Writes that nothing comes of an entry. */
  readonly decideNothing: (entryId: string) => Promise<void>;
  readonly agents: readonly Agent[];
  readonly config: () => Config;
  readonly quarantine: Quarantine;
  readonly now: () => number;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** Counts for metrics: what was accepted from where, and what could not be read. */
  readonly count: (what: 'accepted' | 'repeated' | 'unreadable', source: string) => void;
}

/** Keeps the input in quarantine and decides its entry as nothing, so that it is not tried again. */
export async function setAside(entry: JournalEntry, why: string, deps: EntryParserDeps): Promise<null> {
  deps.count('unreadable', entry.source);
  deps.log('an input is kept in quarantine', { entry: entry.id, why });
  await deps.quarantine(entry.id, entry.raw ?? Buffer.from(entry.header), why);
  await deps.decideNothing(entry.id);
  return null;
}

/** Null: cannot be read, and will not be tried again. */
export async function parseEntry(entry: JournalEntry, deps: EntryParserDeps): Promise<Incoming | null> {
  const content = decodeEntry(entry);
  if (content === null) return setAside(entry, 'its journal entry is damaged', deps);
  if ('own' in content) {
    const { event, occurrence } = content.own;
    const { id, source, startedAt, receivedAt } = entry;
    return { type: 'event', entryId: id, source, startedAt, receivedAt, event, occurrence };
  }
  const { envelope } = content;
  const read = readInput(envelope.raw, envelope.cut);
  if (!read.ok) return setAside(entry, read.why, deps);
  try {
    const agent = detectAgent(deps.agents, envelope, read.input);
    if (agent) return parseInput(agent, envelope, read.input, entry.source, deps.config());
    return await setAside(entry, 'no agent recognizes it', deps);
  } catch (error) {
    deps.log('an adapter failed on an input', { entry: entry.id, error: String(error) });
    return setAside(entry, 'its agent could not make sense of it', deps);
  }
}
