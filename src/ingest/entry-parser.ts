// Reads a journal entry: what it means in Belfry's terms, or why nobody can read it.
import type { Agent } from '../model/agent/agent.ts';
import type { Config } from '../model/settings/config.ts';
import type { Incoming } from '../model/event/incoming.ts';
import type { JournalEntry } from '../store/contract.ts';
import { decodeEntry } from './entry.ts';
import { detectAgent, parseInput } from './parse.ts';
import type { Quarantine } from './quarantine.ts';
import { readInput } from './read-input.ts';

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
