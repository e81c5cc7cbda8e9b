// Single writes for tests of stores, whose methods take several.
import type { SessionRecord } from '../../src/model/session/session.ts';
import type { Committed, Decision, Settlement, Store } from '../../src/store/contract.ts';
import { newId } from '../../src/ipc/id.ts';

/** What became of one decision. */
export async function commitOne(store: Pick<Store, 'commit'>, decision: Decision): Promise<Committed> {
  const [committed] = await store.commit([decision]);
  if (committed === undefined) throw new Error('the store does not say what became of it');
  return committed;
}

/** How an attempt ended, of whatever delivery. */
export type Ended = Omit<Settlement, 'deliveryId' | 'token'>;

/** Whether this lease was still held. */
export async function settleOne(
  store: Pick<Store, 'settle'>,
  deliveryId: string,
  token: string,
  settlement: Ended,
): Promise<boolean> {
  const [settled] = await store.settle([{ deliveryId, token, ...settlement }]);
  if (settled === undefined) throw new Error('the store does not say what became of it');
  return settled !== 'gone';
}

/** Writes a session's row over the one that stands. */
export async function keepSession(store: Pick<Store, 'commit' | 'session'>, record: SessionRecord): Promise<void> {
  const version = (await store.session(record))?.version ?? 0;
  const nothing = { events: [], notifications: [], cancel: [], deliveries: [], timers: { set: [], clear: [] } };
  await commitOne(store, {
    entryId: newId(record.lastEvent),
    at: record.lastEvent,
    ...nothing,
    sessions: [{ ...record, version }],
  });
}
