// Counts what the journal refused: the one place that knows since when it cannot be written, or last could not.
import type { JournalEntry, Store } from '../../store/contract.ts';
import { errorMessage } from '../../lib/text/error-message.ts';

/** A time in which the journal could not be written. All times Unix ms. */
export interface Outage {
  readonly since: number;
  /** Null: it goes on. */
  readonly until: number | null;
  /** When the journal last refused. */
  readonly last: number;
  /** Inputs and own events refused; one that is handed over again counts once. */
  readonly refused: number;
  /** How many of them were handed over again and kept. */
  readonly recovered: number;
  /** What the latest refusal said. */
  readonly error: string;
}

/** Keeps the count, in memory: there may be nowhere to write it. */
export interface OutageTracker {
  /** The outage that goes on, else the last one; null: none since the start. */
  outage(): Outage | null;
  /** The same append, watched. */
  instrument(append: Store['append']): Store['append'];
}

/** What the tracker needs. */
export interface OutageTrackerDeps {
  readonly now: () => number;
  /** Notifies people; `began`: when writes began to fail. Must not throw. */
  readonly onOutage: (outage: Outage, began: number) => void;
  /** It can be written again. Must not throw. */
  readonly onRecovery: (outage: Outage) => void;
}

/** An outage that returns within this time (ms) counts as the same one; people are notified at most once per outage. */
const COOLDOWN_MS = 600_000;
/** Refused ids known at a time; beyond it an input handed over again counts again. */
const MAX_TRACKED_IDS = 10_000;
const MAX_ERROR_LENGTH = 300;

/** Starts with no outage. */
export function createOutageTracker({ now, onOutage, onRecovery }: OutageTrackerDeps): OutageTracker {
  const missing = new Set<string>();
  let outage: Outage | null = null;
  let began = 0;
  let reported = false;
  let reportedAt: number | null = null;
  // Either way, so that a clock set back does not keep people in the dark.
  const isApart = (at: number, then: number): boolean => Math.abs(at - then) >= COOLDOWN_MS;

  function recordFailure(id: string, error: string): void {
    const at = now();
    if (outage === null || (outage.until !== null && isApart(at, outage.until))) {
      missing.clear();
      outage = { since: at, until: at, last: at, refused: 0, recovered: 0, error };
    }
    if (outage.until !== null) {
      began = at;
      reported = false;
    }
    const again = missing.has(id);
    if (!again && missing.size < MAX_TRACKED_IDS) missing.add(id);
    outage = { ...outage, until: null, last: at, refused: outage.refused + (again ? 0 : 1), error };
    if (reported || (reportedAt !== null && !isApart(at, reportedAt))) return;
    reported = true;
    reportedAt = at;
    onOutage(outage, began);
  }

  function recordSuccess(id: string): void {
    if (outage === null) return;
    if (missing.delete(id)) outage = { ...outage, recovered: outage.recovered + 1 };
    if (outage.until !== null) return;
    outage = { ...outage, until: now() };
    onRecovery(outage);
  }

  return {
    outage: () => outage,
    instrument: (append) => async (entry: JournalEntry) => {
      try {
        const state = await append(entry);
        if (state === 'new') recordSuccess(entry.id); // a known one wrote nothing, so it proves nothing
        return state;
      } catch (error) {
        recordFailure(entry.id, errorMessage(error).slice(0, MAX_ERROR_LENGTH));
        throw error;
      }
    },
  };
}
