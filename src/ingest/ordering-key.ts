// The key by which entries of the journal are kept in order: the session, seen in the bytes before anything is parsed.
import { contentDigest } from '../lib/hash.ts';
import { scanJsonStrings } from '../lib/json/scan-json.ts';
import type { Agent } from '../model/agent/agent.ts';
import type { Incoming } from '../model/event/incoming.ts';
import type { Envelope } from '../ipc/envelope.ts';
import type { InternalEvent } from './entry.ts';
import { possibleAgents } from './parse.ts';

/** Bytes looked at: clients name the session first, and acknowledgement must not wait for a long input. */
const SCANNED = 256 * 1024;
/** Longer ids are cut when they are parsed. */
const LONGEST = 256;

/** What the session is known by: the first of its fields that says something. */
const sessionOf = ({ sessionFields }: Agent, values: ReadonlyMap<string, string>): string | null =>
  sessionFields.map((field) => values.get(field)).find((value) => value !== undefined && value.trim() !== '') ?? null;

const isPlain = (id: string): boolean => id.length <= LONGEST && !/\p{Surrogate}/u.test(id);

/**
 * The key that {@link orderingKeyOf} gives for this input once it is parsed. Null: it cannot be known before, as it comes late in a
 * long input, or as clients that the input may be of read it differently.
 */
export function envelopeKey(agents: readonly Agent[], { agent, raw }: Pick<Envelope, 'agent' | 'raw'>): string | null {
  const possible = possibleAgents(agents, agent);
  const { values, whole } = scanJsonStrings(raw, new Set(possible.flatMap((one) => one.sessionFields)), SCANNED);
  const found = new Set(possible.map((one) => sessionOf(one, values)).filter((id) => id !== null));
  const [id] = found;
  if (id === undefined) return whole ? contentDigest(raw) : null;
  return found.size === 1 && isPlain(id) ? id : null;
}

/** The same of an event that a source made itself. */
export function eventKey({ event, occurrence }: Pick<InternalEvent, 'event' | 'occurrence'>): string {
  return event.sessionId ?? occurrence ?? event.id;
}

/** One key a session; what belongs to none has one of its own. */
export function orderingKeyOf(incoming: Incoming): string {
  if (incoming.type === 'event') return eventKey(incoming);
  return incoming.parsed.sessionId ?? incoming.digest;
}
