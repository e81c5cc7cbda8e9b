// When Belfry continues sessions that have stopped: what is planned for them is kept in timers.
import { type SessionKey, sessionKeyText } from '../model/ids.ts';
import { goOnPlanOf, goOnTimerId } from '../model/session/go-on-plan.ts';
import type { SessionRecord } from '../model/session/session.ts';
import { failureOf } from '../model/session/stopped.ts';
import type { StoreReader } from './contract.ts';

type Timers = Pick<StoreReader, 'timers'>;

/** Whose plan is asked for. */
interface Failed {
  readonly session: SessionKey;
  /** Id of its failure: a plan after an earlier one is none. */
  readonly failure: string | null;
}

/** Unix ms, by the texts of their keys; who has no plan is not in it. */
export async function readGoOnPlans(store: Timers, failed: readonly Failed[]): Promise<ReadonlyMap<string, number>> {
  const timers = failed.length === 0 ? [] : await store.timers(failed.map(({ session }) => goOnTimerId(session)));
  const failures = new Map(failed.map(({ session, failure }) => [sessionKeyText(session), failure]));
  return new Map(
    timers.flatMap((timer) => {
      const { what, session, failure } = goOnPlanOf(timer);
      const key = sessionKeyText(session);
      return what === 'instruct' && failure === failures.get(key) ? [[key, timer.due] as const] : [];
    }),
  );
}

/** The same of those of these sessions that have failed. */
export function readPlansOf(store: Timers, records: readonly SessionRecord[]): ReturnType<typeof readGoOnPlans> {
  const failed = records.filter(({ state }) => state === 'failed');
  return readGoOnPlans(
    store,
    failed.map((session) => ({ session, failure: failureOf(session) })),
  );
}
