// Settling in tests that care about what is written, not about who holds the lease.
import type { SharedStore } from '../../src/store/contract.ts';
import { type Ended, settleOne } from './store-writes.ts';

/** Settles with the token that the row has. */
export async function settleAnyhow(store: SharedStore, id: string, settlement: Ended): Promise<boolean> {
  const [delivery] = await store.deliveries({ ids: [id] });
  return settleOne(store, id, delivery?.token ?? '', settlement);
}
