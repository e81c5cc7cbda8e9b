// From the bytes of an entry to what its agent's adapter makes of it, or why nobody can read it: the named agent, else the one that recognises it, else the generic one.
import * as z from 'zod';
import type { Agent } from '../model/agent/agent.ts';
import { farPath } from '../model/far-file.ts';
import type { Config } from '../model/settings/config.ts';
import { HERE } from '../model/session/whereabouts.ts';
import { type Incoming, type IncomingHook, isElsewhere } from '../model/event/incoming.ts';
import type { Envelope } from '../ipc/envelope.ts';
import { contentDigest } from '../lib/hash.ts';
import { parseJson } from '../lib/json/json.ts';
import type { JournalEntry } from '../store/contract.ts';
import type { Quarantine } from './quarantine.ts';
import type { Event } from '../model/event/event.ts';

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

/** What reading gave. */
export type ReadResult =
  | { readonly ok: true; readonly input: Record<string, unknown> }
  | { readonly ok: false; readonly why: string };

/** The input as an object, or why there is none. Bytes that are not UTF-8 become replacement characters. */
export function readInput(raw: Uint8Array, cut?: 'size' | 'time'): ReadResult {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  if (text === '') return { ok: false, why: 'it is empty' };
  const value = parseJson(text);
  if (value === undefined)
    return { ok: false, why: cut === undefined ? 'it is not JSON' : `it was cut off by the bound of ${cut}` };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, why: 'it is JSON but not an object' };
  const input = value as Record<string, unknown>;
  sanitizeJson(input);
  return { ok: true, input };
}

/** Deeper values are replaced by a placeholder: no client nests its own fields this deep, and walking deeper ends in a stack overflow. */
const DEPTH = 64;

/** Makes it safe to walk: no `__proto__` keys, no deep nesting. Changes `root` in place, without recursion. */
function sanitizeJson(root: Record<string, unknown>): void {
  const open: { node: object; depth: number }[] = [{ node: root, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (Object.hasOwn(node, '__proto__')) Reflect.deleteProperty(node, '__proto__');
    for (const [key, value] of Object.entries(node)) {
      if (typeof value !== 'object' || value === null) continue;
      // Arrays have their index as key; both are set by name.
      if (depth >= DEPTH) (node as Record<string, unknown>)[key] = '(nested too deeply)';
      else open.push({ node: value, depth: depth + 1 });
    }
  }
}

/** Name of the agent that takes any input. */
const FALLBACK = 'generic';

/** The agents that an input under this name, or without one, may be of. */
export function possibleAgents(agents: readonly Agent[], name: string | undefined): readonly Agent[] {
  if (name === undefined) return agents;
  const found = agents.filter((agent) => agent.name === name || agent.alsoRunsHooksOf?.includes(name));
  return found.some((agent) => agent.name === name)
    ? found
    : [...found, ...agents.filter((agent) => agent.name === FALLBACK)];
}

/**
 * The agent of an input: the one `--agent` names, except that a client which also runs that agent's hooks is known by its
 * input. Without a name the input decides, and the environment only after it: a client started from another's shell inherits it.
 */
export function detectAgent(
  agents: readonly Agent[],
  envelope: Pick<Envelope, 'agent' | 'event' | 'origin'>,
  input: Readonly<Record<string, unknown>>,
): Agent | undefined {
  const name = envelope.agent;
  const known = (env: Readonly<Record<string, string>>) => (agent: Agent) =>
    agent.name !== FALLBACK && agent.matches(input, { event: envelope.event ?? null, env });
  const found =
    name === undefined
      ? (agents.find(known({})) ?? agents.find(known(envelope.origin.env)))
      : (agents.filter((agent) => agent.alsoRunsHooksOf?.includes(name)).find(known({})) ??
        agents.find((agent) => agent.name === name));
  return found ?? agents.find((agent) => agent.name === FALLBACK);
}

/** The input in Belfry's terms, as the pipeline runner takes it. */
export function parseInput(
  agent: Agent,
  envelope: Envelope,
  input: Readonly<Record<string, unknown>>,
  source: string,
  config: Config,
): IncomingHook {
  const abnormalReasons = config.agents[agent.name]?.abnormal_reasons ?? agent.abnormalReasons;
  const parsed = agent.parse(input, { event: envelope.event ?? null, env: envelope.origin.env, abnormalReasons });
  // A path from elsewhere is one of another machine, or a guess at a file of ours.
  const { remote } = envelope.origin;
  const transcript = remote === undefined ? null : farPath(remote, parsed.transcript);
  const own = isElsewhere(source) ? { ...parsed, transcript } : parsed;
  return {
    type: 'hook',
    entryId: envelope.id,
    source,
    startedAt: envelope.startedAt,
    receivedAt: envelope.receivedAt,
    agent: agent.name,
    host: envelope.origin.host ?? HERE.host,
    user: envelope.origin.user ?? HERE.user,
    parsed: own,
    origin: envelope.origin,
    digest: contentDigest(envelope.raw),
  };
}
