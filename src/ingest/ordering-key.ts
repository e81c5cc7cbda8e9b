// The key by which entries of the journal are kept in order: the session, seen in the bytes before anything is parsed.
import { contentDigest } from '../lib/hash.ts';
import type { Agent } from '../model/agent/agent.ts';
import type { Incoming } from '../model/event/incoming.ts';
import type { Envelope } from '../ipc/envelope.ts';
import { type InternalEvent, possibleAgents } from './parse.ts';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Names deeper than this are not looked at. */
const DEEPEST = 3;

/** What was found: values by path; `whole`: the document was read to its end. */
export interface ScannedStrings {
  readonly values: ReadonlyMap<string, string>;
  readonly whole: boolean;
}

/** Where the scan is within the document. */
interface Position {
  depth: number;
  /** The name under way at each depth; null: in an array. */
  readonly names: (string | null)[];
  /** The next string of an object is a name. */
  isName: boolean;
}

/** Index of the quote that ends the string beginning at `start`; -1: it does not end before `limit`. */
function endOfString(bytes: Buffer, start: number, limit: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0 && end < limit; end = bytes.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

function decodeString(bytes: Buffer, start: number, end: number): string | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', start, end + 1));
    return typeof value === 'string' ? value : null;
  } catch {
    return null; // no JSON: whoever parses the document says so
  }
}

/** Punctuation outside of strings. */
function step(at: Position, byte: number): void {
  if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
    at.depth++;
    if (at.depth <= DEEPEST) at.names[at.depth] = byte === OPEN_OBJECT ? '' : null;
    at.isName = byte === OPEN_OBJECT;
  } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) at.depth--;
  else if (byte === COMMA) at.isName = at.depth <= DEEPEST && at.names[at.depth] !== null;
  else if (byte === COLON) at.isName = false;
}

/**
 * Values of the fields `paths` (`a`, or `a.b` for the field b of the object a) that are strings, in the first `limit` bytes. Of two
 * fields of one name the last counts, as with `JSON.parse`. Says nothing of whether the document is well-formed.
 */
export function scanJsonStrings(raw: Uint8Array, paths: ReadonlySet<string>, limit: number): ScannedStrings {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const values = new Map<string, string>();
  const at: Position = { depth: 0, names: [], isName: false };
  for (let i = 0; i < bytes.length; i++) {
    if (i >= limit) return { values, whole: false };
    const byte = bytes[i] ?? 0;
    if (byte !== QUOTE) {
      step(at, byte);
      continue;
    }
    const end = endOfString(bytes, i, limit);
    if (end < 0) return { values, whole: bytes.length < limit };
    if (at.depth >= 1 && at.depth <= DEEPEST && at.names[at.depth] !== null) {
      if (at.isName) at.names[at.depth] = end - i > 64 ? '' : (decodeString(bytes, i, end) ?? '');
      else {
        const path = at.names.slice(1, at.depth + 1).join('.');
        const value = paths.has(path) ? decodeString(bytes, i, end) : null;
        if (value !== null) values.set(path, value);
      }
    }
    i = end;
  }
  return { values, whole: true };
}

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
