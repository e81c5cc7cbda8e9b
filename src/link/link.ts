// A link at work: one turn after the other, each with one request at most. Whoever owns it waits in between, for a change of the store or for a time.
import type { Clock } from '../lib/clock.ts';
import type { HttpResult } from '../lib/net/http.ts';
import type { Batch } from '../model/link/batch.ts';
import type { Fact } from '../model/link/fact.ts';
import { type Hello, LINK_FEATURES, LINK_VERSIONS } from '../model/link/hello.ts';
import type { Match } from '../model/settings/config.ts';
import {
  type Chain,
  heard,
  type Heard,
  type KeptBatch,
  type LinkState,
  startChain,
  type Step,
  stepOf,
} from './chain.ts';
import { lowerLevel } from './cut.ts';
import { changedSince, historyFacts, inBatches, type LinkStore, openFacts, type Reading } from './fact-reader.ts';
import { withMatch } from './forward.ts';
import type { LinkMemory } from './memory.ts';
import { readReply, type SentBatch } from './reply.ts';

/** What a link works with. */
export interface LinkDeps {
  readonly store: LinkStore;
  readonly memory: LinkMemory;
  readonly clock: Pick<Clock, 'now'>;
  /** From 0 to 1, for the distance between tries. */
  readonly random: () => number;
  /** A new UUID. */
  readonly newId: () => string;
  /** Sends one request below the hub's /api/v1/link and never rejects. */
  readonly post: (path: '/hello' | '/facts', body: Hello | Batch) => Promise<HttpResult>;
  /** By the settings in force; the level is what these say. */
  readonly reading: () => Omit<Reading, 'store' | 'now' | 'forwarding'>;
  /** By the settings in force. */
  readonly hello: () => Pick<Hello, 'name' | 'os' | 'version' | 'answer'>;
}

/** What is waited for before the next turn: nothing, a change of the store, or one of these and a time, Unix ms. */
export type Turn = 'again' | { readonly until: number | null; readonly orChange: boolean };

/** What did not leave is remembered this often at most, ms: it costs a write, and is soon read again. */
const SAVE_PASSED = 3_600_000;

/** What is open, as batches that are not sent yet. */
interface Listing {
  /** The resync that it is of. */
  readonly of: LinkState['backlog'];
  /** By what it was read. */
  readonly by: Reading;
  readonly cursor: string;
  readonly row: number;
  readonly batches: readonly (readonly Fact[])[];
}

/** The link to one hub. */
export class Link {
  readonly #deps: LinkDeps;
  #chain: Chain;
  #listing: Listing | null = null;
  /** The id of a batch that was not taken: nobody has it, so the next may. */
  #unused: string | null = null;
  #savedAt: number;

  /** `kept`: what the memory has, or a new link's, which is saved by then. */
  constructor(kept: LinkState, deps: LinkDeps) {
    this.#deps = deps;
    this.#chain = startChain(kept);
    this.#savedAt = deps.clock.now();
  }

  get chain(): Chain {
    return this.#chain;
  }

  /** Something that the hub said by itself. */
  hears(what: Heard & { readonly type: 'resync' | 'refused' }): Promise<void> {
    return this.#apply(what);
  }

  /** The settings say this now. Nothing is sent by what they said before once it has resolved. */
  async forward(match: Match): Promise<void> {
    const rule = { after: await this.#deps.store.lastEventRow(), at: this.#deps.clock.now(), match };
    const { kept } = this.#chain;
    const forwarding = withMatch(kept.forwarding, rule);
    if (forwarding === kept.forwarding) return;
    this.#chain = { ...this.#chain, kept: { ...this.#chain.kept, forwarding } };
    await this.#save();
  }

  /** Does what is next. Rejects where the store does; turns come one after the other. */
  async turn(): Promise<Turn> {
    const step = stepOf(this.#chain, this.#deps.clock.now());
    switch (step.do) {
      case 'wait':
        return { until: step.until, orChange: false };
      case 'hello':
        return this.#greet();
      case 'list':
        return this.#list(step.since);
      case 'follow':
        return this.#follow(step);
    }
  }

  async #greet(): Promise<Turn> {
    const { clock, hello, post, reading } = this.#deps;
    const { epoch, previous } = this.#chain.kept;
    const sentAt = clock.now();
    const own = { v: [...LINK_VERSIONS], features: [...LINK_FEATURES], level: reading().level };
    const result = await post('/hello', { ...own, epoch, previous, sent_at: sentAt, ...hello() });
    await this.#heardOf(result, null, sentAt);
    return 'again';
  }

  async #list(since: number): Promise<Turn> {
    const { row } = this.#chain.kept;
    const listing = this.#listing ?? (await this.#read(since));
    this.#listing = null; // where it comes to nothing, what is open by then is read again
    if (listing.of !== this.#chain.kept.backlog) return 'again';
    const [next, ...others] = listing.batches;
    if (next === undefined) await this.#apply({ type: 'listed', cursor: listing.cursor, row: listing.row });
    else if (await this.#send(next, listing.by, { end: null, row, history: null }))
      this.#listing = { ...listing, batches: others };
    return 'again';
  }

  /** What changes while it is read is in the feed, too. */
  async #read(since: number): Promise<Listing> {
    const { store } = this.#deps;
    const { cursor } = await store.changesSince(null, 0);
    const row = await store.lastEventRow();
    const { limits, kept } = this.#chain;
    const by = this.#reading();
    return { of: kept.backlog, by, cursor, row, batches: inBatches(await openFacts(since, by), limits) };
  }

  async #follow({ cursor, history }: Step & { readonly do: 'follow' }): Promise<Turn> {
    const by = this.#reading();
    const changed = await changedSince(cursor, by, this.#chain.limits);
    if (changed === 'reset') await this.#apply({ type: 'reset' });
    else if (changed.facts.length > 0)
      await this.#send(changed.facts, by, { end: changed.cursor, row: changed.row, history: null });
    else if (changed.changes > 0) await this.#apply({ type: 'passed', cursor: changed.cursor, row: changed.row });
    else if (history === null) return { until: null, orChange: true };
    else if (this.#deps.clock.now() < history.from) return { until: history.from, orChange: true };
    else await this.#history(history);
    return 'again';
  }

  async #history(span: { readonly after: number; readonly until: number }): Promise<void> {
    const by = this.#reading();
    const { facts, after } = await historyFacts(span, by, this.#chain.limits);
    if (facts.length === 0) await this.#apply({ type: 'history-passed', after });
    else await this.#send(facts, by, { end: null, row: this.#chain.kept.row, history: after });
  }

  /** Whether it was taken. It is noted before it is sent, so that it is known whatever becomes of the answer. `by`: by what it was read. */
  async #send(
    facts: readonly Fact[],
    by: Reading,
    { end, row, history }: Pick<KeptBatch, 'end' | 'row'> & Pick<SentBatch, 'history'>,
  ): Promise<boolean> {
    if (!this.#isCurrent(by)) return false;
    const { clock, memory, newId, post } = this.#deps;
    const { epoch, previous, serial, row: before, backlog } = this.#chain.kept;
    const at = clock.now();
    const id = this.#unused ?? newId();
    const batch: KeptBatch = { id, serial, end, inResync: backlog !== null, row: Math.max(before, row), at };
    await memory.note(batch);
    if (!this.#isCurrent(by)) return false;
    const result = await post('/facts', { batch: batch.id, previous, epoch, sent_at: at, facts });
    await this.#heardOf(result, { batch, history }, at);
    const { kept } = this.#chain;
    this.#unused = kept.serial === serial ? batch.id : null;
    return kept.previous === batch.id;
  }

  async #heardOf(result: HttpResult, sent: SentBatch | null, sentAt: number): Promise<void> {
    const read = readReply(result, sent, sentAt);
    if (read.type !== 'other batch') return this.#apply(read);
    if (read.hash === null) return this.#apply({ type: 'conflict', with: 'none' });
    const known = await this.#deps.memory.find(read.hash, this.#chain.kept.serial);
    return this.#apply({ type: 'conflict', with: known ?? 'unknown' });
  }

  async #apply(what: Heard): Promise<void> {
    const { clock, random } = this.#deps;
    const now = clock.now();
    const before = this.#chain.kept;
    this.#chain = heard(this.#chain, what, { now, random: random() });
    const isDue = what.type !== 'passed' || Math.abs(now - this.#savedAt) >= SAVE_PASSED;
    if (this.#chain.kept !== before && isDue) await this.#save();
  }

  async #save(): Promise<void> {
    this.#savedAt = this.#deps.clock.now();
    await this.#deps.memory.save(this.#chain.kept);
  }

  /** Whether no less is to leave by now than when this was read. */
  #isCurrent({ forwarding, level }: Reading): boolean {
    const now = this.#reading();
    return forwarding === now.forwarding && level === now.level;
  }

  #reading(): Reading {
    const { store, clock, reading } = this.#deps;
    const own = reading();
    const { level, kept } = this.#chain;
    return { ...own, store, now: clock.now(), forwarding: kept.forwarding, level: lowerLevel(own.level, level) };
  }
}
