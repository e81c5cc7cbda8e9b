// Opens the store of a hub: the roles that a replica needs, over one pool of connections.
import type { ChangeFeed } from '../roles/changes.ts';
import type { Decisions } from '../roles/decisions.ts';
import type { Outbox } from '../roles/outbox.ts';
import type { Questions } from '../roles/questions.ts';
import type { StoreReader } from '../roles/reader.ts';
import type { State } from '../roles/state.ts';
import type { Timers } from '../roles/timers.ts';
import { changeWrites, createListeners } from './changes.ts';
import { type Connection, type ConnectOptions, connect } from './connection.ts';
import type { Context } from './context.ts';
import { addDelivery, committing } from './decisions/commit.ts';
import { factReads } from './decisions/facts.ts';
import { checkSchema, makePartitions } from './migrate.ts';
import { claims } from './outbox/claims.ts';
import { moves } from './outbox/move.ts';
import { settling } from './outbox/settle.ts';
import { questions } from './questions.ts';
import { receiptReads } from './reads/deliveries.ts';
import { readerOf } from './reads/reader.ts';
import type { ReadScope } from './reads/scope.ts';
import { state } from './state.ts';
import { timers } from './timers.ts';

/** What a hub keeps: no journal, since the laptops' own stores are that, and no upkeep of one machine. */
export interface HubStore extends ChangeFeed, Decisions, Outbox, Timers, State {
  /** For whoever reads. */
  reader(of: ReadScope): Omit<StoreReader, 'close'>;
  /** Of one machine: ids of questions are a machine's. */
  questions(machine: string): Questions;
  /** Changes before this time, Unix ms, are kept no longer; how many they were. */
  forgetChanges(before: number): Promise<number>;
  close(): Promise<void>;
}

/** Whose store it is. */
export interface HubOptions {
  /** The organization; the first one is 1. */
  readonly org?: number;
  /** The replica's name, of the leases taken here. */
  readonly owner: string;
  /** Unix ms. */
  readonly now?: () => number;
}

/** Opens a database whose schema is there; throws what to do where it is not. */
export async function openHubStore(options: ConnectOptions & HubOptions): Promise<HubStore> {
  const db = connect(options);
  try {
    await checkSchema(db);
    await makePartitions(db, (options.now ?? Date.now)());
  } catch (error) {
    await db.close();
    throw error;
  }
  return hubStore(db, options);
}

/** Over these connections, which end with it. */
export function hubStore(db: Connection, { org = 1, owner, now = Date.now }: HubOptions): HubStore {
  const { committed, watchChanges } = createListeners();
  const context: Context = { db, org, owner, now, committed };
  return {
    ...factReads(context),
    ...committing(context),
    ...claims(context),
    ...settling(context),
    ...moves(context),
    ...receiptReads(context),
    ...timers(context),
    ...state(context),
    ...changeWrites(context),
    addDelivery: (delivery, of) => addDelivery(context, delivery, of),
    questions: (machine) => questions(context, machine),
    reader: (of) => readerOf(db, org, of),
    watchChanges,
    close: () => db.close(),
  };
}
