// Settling in tests that care about what is written, not about who holds the lease.
import type { Settlement, Store } from '../../src/store/contract.ts';

/** Settles with the token that the row has. */
export async function settleAnyhow(store: Store, id: string, settlement: Settlement): Promise<boolean> {
  const [delivery] = await store.deliveries({ ids: [id] });
  return store.settle(id, delivery?.token ?? '', settlement);
}
