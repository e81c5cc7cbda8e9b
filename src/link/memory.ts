// What a link remembers over restarts: how far it has come, and its last batches. Each batch is noted before it is sent, so that one whose answer
// was lost, with the process or on the way, is known when the hub names it.
import { isObject } from '../lib/json/json.ts';
import { BATCHES_KEPT, batchHash } from '../model/link/batch.ts';
import type { Store } from '../store/contract.ts';
import type { KeptBatch, LinkState } from './chain.ts';

/** Of one link. A batch is a row of its own: two small writes a batch, however many are kept. */
export interface LinkMemory {
  /** Null: this machine has not joined, or with another database. */
  load(): Promise<LinkState | null>;
  save(state: LinkState): Promise<void>;
  /** Takes the place of a batch of the same number, which was not taken. */
  note(batch: KeptBatch): Promise<void>;
  /** The batch that a hub names by its hash; `serial`: of the next batch. Null: it is none of the last. */
  find(hash: string, serial: number): Promise<KeptBatch | null>;
}

/** `name`: of the hub in the settings. */
export function linkMemory(name: string, store: Pick<Store, 'cursor' | 'setCursor'>): LinkMemory {
  const key = `link:${name}`;
  const slot = (serial: number): string => `${key}:${serial % BATCHES_KEPT}`;
  /** The batch of this number; its place may have one of an earlier round. */
  const batchOf = async (serial: number): Promise<KeptBatch | null> => {
    const kept = await store.cursor(slot(serial));
    return isObject(kept) && kept['serial'] === serial ? (kept as unknown as KeptBatch) : null; // as note() wrote it
  };
  return {
    load: async () => {
      const kept = await store.cursor(key);
      if (!isObject(kept) || kept['v'] !== 1) return null;
      const state = kept as unknown as LinkState; // as save() wrote it
      let { serial } = state;
      // What became of those that were noted since then is not known: their numbers are not used again.
      while ((await batchOf(serial)) !== null) serial += 1;
      return { ...state, serial };
    },
    save: (state) => store.setCursor(key, state),
    note: (batch) => store.setCursor(slot(batch.serial), batch),
    find: async (hash, serial) => {
      for (let at = serial; at >= 0 && at > serial - BATCHES_KEPT; at -= 1) {
        const batch = await batchOf(at);
        if (batch !== null && batchHash(batch.id) === hash) return batch;
      }
      return null;
    },
  };
}
