// Gives up what keeps failing: counts failures in a row and sets the item aside at the limit.
import { isDiskFull } from '../../lib/files/disk-full.ts';

/** Failures in a row after which something is given up. */
const TRIES = 5;
const LONGEST = 200;

/** Counts per id, in memory: a restart begins at zero. */
export interface GivingUp {
  /** It was done. */
  done(id: string): void;
  /** It failed once more. True: it was set aside, as `target` where that is another id than its own. Never throws. */
  failed(id: string, error: unknown, target?: string): Promise<boolean>;
}

export interface GivingUpParts {
  /** Sets it aside and notifies people; rejects where that cannot be written either. */
  readonly giveUp: (id: string, why: string) => Promise<void>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Nothing has failed yet. */
export function createGivingUp({ giveUp, log }: GivingUpParts): GivingUp {
  const failures = new Map<string, number>();
  return {
    done: (id) => void failures.delete(id),
    failed: async (id, error, target = id) => {
      const tries = (failures.get(id) ?? 0) + 1;
      failures.set(id, tries);
      // On a full disk everything fails: nothing is given up until there is space again.
      const enough = tries >= TRIES && !isDiskFull(String(error));
      const why = String(error).split('\n', 1)[0]?.slice(0, LONGEST) ?? '';
      log('an entry could not be processed', {
        entry: id,
        tries,
        error: String(error),
        next: enough ? 'given up' : 'again',
      });
      if (!enough) return false;
      try {
        await giveUp(target, why);
      } catch (trouble) {
        log('an entry could not be given up; it is tried again', { entry: id, error: String(trouble) });
        return false;
      }
      failures.delete(id);
      return true;
    },
  };
}
