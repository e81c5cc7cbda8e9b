// Reads of the store what leaves as facts: what changed since a cursor, all that is open, and what happened before.
import type { Event } from '../model/event/event.ts';
import { notificationIdOf, sessionKeyOf } from '../model/ids.ts';
import { type BatchLimits, fitsBatch } from '../model/link/batch.ts';
import { type Fact, inOrder, type JudgedPresence } from '../model/link/fact.ts';
import { NOT_OVER, type Notification } from '../model/notification/notification.ts';
import type { Question } from '../model/question/question.ts';
import type { SessionRecord } from '../model/session/session.ts';
import { type Change, ALL, type Store, type StoredEvent, type StoredSilence } from '../store/contract.ts';
import { HISTORY } from './chain.ts';
import { eventLeaves, type Forwarding, muteLeaves, sessionLeaves } from './forward.ts';
import {
  endedMute,
  eventFact,
  machineFact,
  type Making,
  muteFact,
  notificationFact,
  questionFact,
  sessionFact,
  shortened,
} from './row-facts.ts';

/** What is read of the store. */
export type LinkStore = Pick<
  Store,
  | 'changesSince'
  | 'event'
  | 'events'
  | 'lastEventRow'
  | 'machine'
  | 'notifications'
  | 'question'
  | 'questions'
  | 'session'
  | 'sessions'
  | 'silences'
>;

/** By what one batch is made. */
export interface Reading extends Making {
  readonly store: LinkStore;
  readonly home: string;
  readonly forwarding: Forwarding;
  /** How this machine is called, and what runs on it. */
  readonly machine: { readonly name: string; readonly versions: Readonly<Record<string, string>> };
  /** What was judged of the person of a notification last; null: nothing. */
  readonly presenceOf: (notificationId: string) => JudgedPresence | null;
}

/** Facts of one batch, and where the feed stands after them. */
export interface Changed {
  readonly facts: readonly Fact[];
  readonly cursor: string;
  /** The highest row of their events; 0: they have none. */
  readonly row: number;
  /** How many changes these are of; 0: nothing has changed. */
  readonly changes: number;
}

/** Changes of deliveries and the like count as well, so that a batch mostly has fewer facts. */
const MOST_CHANGES = 200;
/** Sessions without an event for longer are none any more, ms. */
const RECENT = 7 * 24 * 3_600_000;
/** Most rows of a kind that are sent as open. */
const MOST_OPEN = 2_000;
/** Closed questions that are sent with the open ones, the latest. */
const CLOSED = 200;
/** Events of a session that are looked at, the latest. */
const EVENTS_LOOKED_AT = 50;

/**
 * What changed since a cursor, as many changes as one batch holds, so that where it ends is a cursor of the feed. What changed several times
 * is read once, as it is now. `reset`: the feed does not reach back so far.
 */
export async function changedSince(cursor: string, reading: Reading, limits: BatchLimits): Promise<Changed | 'reset'> {
  for (let most = Math.min(MOST_CHANGES, 2 * limits.facts); ; ) {
    const read = await reading.store.changesSince(cursor, most);
    if (read.reset) return 'reset';
    const { facts, row } = await factsOf(read.changes, reading);
    const changes = read.changes.length;
    if (fitsBatch(facts, limits)) return { facts, cursor: read.cursor, row, changes };
    if (changes <= 1) return { facts: squeezed(facts, limits), cursor: read.cursor, row, changes };
    most = Math.floor(changes / 2);
  }
}

/** Of facts that are too much for one batch though they are of one change: those that are too long alone are cut, and what is still too long is left out. */
function squeezed(facts: readonly Fact[], limits: BatchLimits): readonly Fact[] {
  const kept: Fact[] = [];
  for (const fact of facts) {
    const small = fitsBatch([fact], limits) ? fact : shortened(fact);
    if (fitsBatch([...kept, small], limits)) kept.push(small);
  }
  return kept;
}

/** All facts as batches, each as full as the limits allow. */
export function inBatches(facts: readonly Fact[], limits: BatchLimits): readonly (readonly Fact[])[] {
  const batches: (readonly Fact[])[] = [];
  for (let left = facts; left.length > 0; ) {
    let most = Math.min(left.length, limits.facts);
    while (most > 1 && !fitsBatch(left.slice(0, most), limits)) most = Math.ceil(most / 2);
    const batch = most > 1 ? left.slice(0, most) : squeezed(left.slice(0, 1), limits);
    if (batch.length > 0) batches.push(batch);
    left = left.slice(most);
  }
  return batches;
}

/** All that is open, what is over since `since` (Unix ms), sessions that may go on, mutes and the machine. */
export async function openFacts(since: number, reading: Reading): Promise<readonly Fact[]> {
  const { store, now } = reading;
  const open = await store.notifications({ states: NOT_OVER, limit: MOST_OPEN });
  const over = await store.notifications({ states: ['resolved', 'expired'], limit: MOST_OPEN });
  const asked = await store.questions({ states: ['open'] });
  const closed = await store.questions({ states: ['answered', 'closed'], limit: CLOSED });
  const sessions = await store.sessions({ since: now - RECENT });
  const collected = new Collected(reading);
  await collected.notifications([...over.filter(({ updatedAt }) => updatedAt >= since), ...open], 'with events');
  await collected.questions([...closed, ...asked]);
  for (const record of sessions.slice(-MOST_OPEN)) await collected.session(record);
  for (const silence of await store.silences(now)) await collected.mute(silence);
  await collected.machine();
  return collected.facts();
}

/** Events after a row as history, with what became of them: nobody is paged for what is over. */
export async function historyFacts(
  span: { readonly after: number; readonly until: number },
  reading: Reading,
  limits: BatchLimits,
): Promise<{ readonly facts: readonly Fact[]; readonly after: number }> {
  const { store } = reading;
  for (let most: number = HISTORY.events; ; most = Math.floor(most / 2)) {
    const read = await store.events({ afterRow: span.after, limit: most });
    const events = read.filter(({ row }) => row <= span.until);
    const collected = new Collected(reading);
    for (const stored of events) collected.event(stored);
    const ids = events.map(({ event }) => notificationIdOf(event.id));
    if (ids.length > 0) await collected.notifications(await store.notifications({ ids, limit: ALL }), 'alone');
    const facts = collected.facts();
    const after = events.length < most ? span.until : (events.at(-1)?.row ?? span.until);
    if (fitsBatch(facts, limits)) return { facts, after };
    if (most <= 1) return { facts: squeezed(facts, limits), after };
  }
}

async function factsOf(
  changes: readonly Change[],
  reading: Reading,
): Promise<{ readonly facts: readonly Fact[]; readonly row: number }> {
  const { store, now } = reading;
  const ids = (type: Change['type']): readonly string[] => [
    ...new Set(changes.filter((change) => change.type === type).map(({ id }) => id)),
  ];
  const collected = new Collected(reading);
  for (const id of ids('event')) {
    const stored = await store.event(id);
    if (stored !== null) collected.event(stored);
  }
  const touched = ids('notification');
  const shown = touched.length === 0 ? [] : await store.notifications({ ids: touched, limit: ALL });
  await collected.notifications(shown, 'alone');
  const asked = ids('question');
  // One that was put before its notification was opened goes with that.
  const open = touched.length === 0 ? [] : await store.questions({ states: ['open'] });
  const rows = await Promise.all(asked.map((id) => store.question(id)));
  const own = open.filter(({ notificationId }) => touched.includes(notificationId));
  await collected.questions([...own, ...rows.filter((row) => row !== null)]);
  for (const key of ids('session')) {
    const record = await store.session(sessionKeyOf(key));
    if (record !== null) await collected.session(record);
  }
  const mutes = ids('mute');
  const silences = mutes.length === 0 ? [] : await store.silences(now);
  for (const id of mutes) {
    const silence = silences.find((one) => one.id === id);
    if (silence === undefined) collected.ended(id);
    else await collected.mute(silence);
  }
  if (ids('machine').length > 0) await collected.machine();
  return { facts: collected.facts(), row: collected.row };
}

/** Facts of rows that leave; what they name is read once. */
class Collected {
  readonly #reading: Reading;
  readonly #events = new Map<string, StoredEvent | null>();
  readonly #notifications = new Map<string, Notification | null>();
  readonly #found: Fact[] = [];
  #row = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** The highest row of the events that were handed in; 0: none were. */
  get row(): number {
    return this.#row;
  }

  facts(): readonly Fact[] {
    return inOrder(this.#found);
  }

  event(stored: StoredEvent): void {
    this.#events.set(stored.event.id, stored);
    this.#row = Math.max(this.#row, stored.row);
    if (this.#leaves(stored)) this.#found.push(eventFact(stored.event, this.#reading));
  }

  /** A group, a storm or a digest does not leave: its events have notifications of their own, and the hub puts together by its own rules. */
  async notifications(rows: readonly Notification[], how: 'alone' | 'with events'): Promise<void> {
    for (const row of rows) {
      this.#notifications.set(row.id, row);
      const event = await this.#eventOf(row);
      if (event === null) continue;
      if (how === 'with events') this.#found.push(eventFact(event, this.#reading));
      this.#found.push(notificationFact(row, event, this.#reading.presenceOf(row.id), this.#reading));
    }
  }

  async questions(rows: readonly Question[]): Promise<void> {
    const unknown = rows.map(({ notificationId }) => notificationId).filter((id) => !this.#notifications.has(id));
    const read = unknown.length === 0 ? [] : await this.#reading.store.notifications({ ids: unknown, limit: ALL });
    for (const row of read) this.#notifications.set(row.id, row);
    for (const row of rows) {
      const notification = this.#notifications.get(row.notificationId) ?? null;
      const event = notification && (await this.#eventOf(notification));
      const fact = notification && event && questionFact(row, notification, event, this.#reading);
      if (fact) this.#found.push(fact);
    }
  }

  async session(record: SessionRecord): Promise<void> {
    const { forwarding } = this.#reading;
    const leaves = await sessionLeaves(record, () => this.#ofSession(record.sessionId), forwarding, this.#reading);
    if (leaves) this.#found.push(sessionFact(record, this.#reading));
  }

  async mute(silence: StoredSilence): Promise<void> {
    const { forwarding, home } = this.#reading;
    const { session } = silence;
    const isKnown = session !== null && (await this.#ofSession(session)).some((stored) => this.#leaves(stored));
    const fact = muteLeaves(silence, isKnown, forwarding, home) ? muteFact(silence, this.#reading) : null;
    if (fact !== null) this.#found.push(fact);
  }

  ended(id: string): void {
    this.#found.push(endedMute(id, this.#reading));
  }

  async machine(): Promise<void> {
    const { store, machine, now } = this.#reading;
    this.#found.push(machineFact(await store.machine(), machine, now));
  }

  #leaves(stored: StoredEvent): boolean {
    return eventLeaves(stored, this.#reading.forwarding, this.#reading);
  }

  #ofSession(session: string): Promise<readonly StoredEvent[]> {
    return this.#reading.store.events({ session, limit: EVENTS_LOOKED_AT });
  }

  /** The first event of a notification that leaves; null: it does not. */
  async #eventOf({ group, eventIds: [first] }: Notification): Promise<Event | null> {
    if (group !== undefined || first === undefined) return null;
    const known = this.#events.get(first);
    const stored = known === undefined ? await this.#reading.store.event(first) : known;
    this.#events.set(first, stored);
    return stored !== null && this.#leaves(stored) ? stored.event : null;
  }
}
