// Ingest: journal first, then read. What was accepted is durable; what it means is found out afterwards.
import { nextTurn } from '../lib/clock.ts';
import type { Incoming } from '../model/event/incoming.ts';
import type { JournalEntry, Store } from '../store/contract.ts';
import type { Envelope } from '../ipc/envelope.ts';
import { type EntryParserDeps, envelopeEntry, eventEntry, type InternalEvent, parseEntry, setAside } from './parse.ts';
import { envelopeKey, eventKey } from './ordering-key.ts';
import { internalEvent } from '../model/event/internal-event.ts';

/** What ingest needs; passed in by the daemon. */
export interface IngestDeps extends EntryParserDeps {
  readonly store: Pick<Store, 'append' | 'pendingEntries' | 'entry'>;
  /** The pipeline runner, or another consumer. */
  readonly take: (incoming: Incoming) => void;
}

/** The one sink of all sources. */
export interface Ingest {
  /** Resolves once the envelope is in the journal: only then may it be acknowledged. Rejects when it cannot be kept. */
  accept(envelope: Envelope, source: string): Promise<void>;
  /** The same for an event that a source made itself. */
  acceptEvent(own: InternalEvent): Promise<void>;
  /** Whether anything came since this was last asked for which a hook waits: not from the spool. */
  arriving(): boolean;
  /** Resolves when everything accepted so far was handed on. */
  idle(): Promise<void>;
  /** Quarantines an entry that cannot be decided and notifies people. */
  giveUp(entryId: string, why: string): Promise<void>;
  readonly backlog: ReadBacklog;
}

/**
 * Undecided entries of the journal whose ids are not `known`, in order of `startedAt`: at most `limit`, and none only where there are no
 * others, but for what cannot be set aside yet.
 */
export type ReadBacklog = (limit: number, known: ReadonlySet<string>) => Promise<readonly Incoming[]>;

/** Builds the ingest. */
export function createIngest(deps: IngestDeps): Ingest {
  const { store, log, count } = deps;
  const inFlight = new Set<Promise<void>>();
  const arrived = createLatch();

  /** Not awaited by the source: the entry is safe in the journal, and a failure leaves it to a later try. */
  async function continueAsync(entry: JournalEntry): Promise<void> {
    await nextTurn(); // until then the acknowledgement is written
    try {
      const incoming = await parseEntry(entry, deps);
      if (incoming) deps.take(incoming);
    } catch (error) {
      logDeferred(entry, error);
    }
  }

  const logDeferred = (entry: JournalEntry, error: unknown): void =>
    log('an entry stays undecided for now', { entry: entry.id, error: String(error) });

  /** One that cannot be put aside (the quarantine cannot be written) must not hold up the others. */
  const parseOrDefer = (entry: JournalEntry): Promise<Incoming | null | 'later'> =>
    parseEntry(entry, deps).catch((error: unknown) => {
      logDeferred(entry, error);
      return 'later';
    });

  async function journal(entry: JournalEntry): Promise<void> {
    const state = await store.append(entry);
    count(state === 'new' ? 'accepted' : 'repeated', entry.source);
    if (state !== 'new') return;
    const continued = continueAsync(entry); // never rejects
    inFlight.add(continued);
    void continued.finally(() => inFlight.delete(continued));
  }

  const acceptEvent = (own: InternalEvent): Promise<void> => journal(eventEntry(own, eventKey(own)));

  async function giveUp(entryId: string, why: string): Promise<void> {
    const entry = await store.entry(entryId);
    if (entry === null) return;
    // Before the write, so that a crash between the two repeats the alarm rather than losing it. A failing alarm raises no other.
    if (entry.source !== OWN_SOURCE) await acceptEvent(undecidable(entry, why, deps.now()));
    await setAside(entry, why, deps);
  }

  return {
    giveUp,
    accept: (envelope, source) => {
      if (source !== 'spool') arrived.set();
      const key = envelopeKey(deps.agents, envelope);
      return journal(envelopeEntry(source === 'remote' ? envelope : ofThisMachine(envelope), source, key));
    },
    acceptEvent,
    arriving: arrived.take,
    idle: async () => {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
    backlog: backlogReader(store, parseOrDefer),
  };
}

/** What only the source of machines elsewhere says is taken out. */
function ofThisMachine(envelope: Envelope): Envelope {
  const { remote, ...origin } = envelope.origin;
  return remote === undefined ? envelope : { ...envelope, origin };
}

/** Entries read in one turn of the event loop: a hook may be waiting behind them. */
const AT_ONCE = 16;

/** What cannot be set aside yet is passed over. */
function backlogReader(
  store: Pick<Store, 'pendingEntries'>,
  parse: (entry: JournalEntry) => Promise<Incoming | null | 'later'>,
): ReadBacklog {
  return async (limit, known) => {
    const passed = new Set(known);
    for (;;) {
      const { entries, isAll } = await store.pendingEntries(limit, passed);
      const found: Incoming[] = [];
      for (const [i, entry] of entries.entries()) {
        if (i % AT_ONCE === AT_ONCE - 1) await nextTurn();
        const incoming = await parse(entry);
        if (incoming === 'later') passed.add(entry.id);
        else if (incoming !== null) found.push(incoming);
      }
      if (found.length > 0 || isAll) return found;
    }
  };
}

/** Source of Belfry's own events. */
const OWN_SOURCE = 'belfry';

/** Notifies people of an input that could not be decided. One alarm an entry: its id is made of the entry's. */
function undecidable(entry: Pick<JournalEntry, 'id'>, why: string, now: number): InternalEvent {
  const event = internalEvent({
    id: `undecidable-${entry.id}`,
    kind: 'journal.failing',
    at: now,
    abnormal: true,
    urgency: 'urgent',
    detail: 'undecidable',
    message: why,
    presetText: {
      title: 'belfry: an event could not be processed',
      body: `It was received, but handling it failed every time (${why}). Its input is kept in the quarantine; \`belfry doctor\` says where. Please report this error.`,
    },
    attributes: { entry: entry.id },
  });
  return { event, source: OWN_SOURCE, occurrence: event.id };
}

/** Remembers that something happened until it is asked. */
interface Latch {
  readonly set: () => void;
  /** Whether it was set since this was last asked. */
  readonly take: () => boolean;
}

function createLatch(): Latch {
  let isSet = false;
  return {
    set: () => {
      isSet = true;
    },
    take: () => {
      const was = isSet;
      isSet = false;
      return was;
    },
  };
}
