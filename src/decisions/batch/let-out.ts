// The one timer that lets out what is held: its decision, and what has to be looked at again after it.
import { batchPlanOf, groupTimer, PLAIN_BATCH, releaseTimer } from '../../dispatch/batch-plan.ts';
import type { Config } from '../../model/settings/config.ts';
import type { Delivery } from '../../model/delivery/delivery.ts';
import { isDigestThread, isGroupHold } from '../../model/delivery/holds.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';
import type { Timer, TimerHandler } from '../../model/event/verdict.ts';
import type { Store, StoreReader } from '../../store/contract.ts';
import { gateFacts } from '../ask-gate.ts';
import type { Due } from './batch.ts';
import type { DecidingDeps } from '../deciding-deps.ts';
import { MOST_HELD, released } from './digest-batch.ts';
import { grown } from './group-batch.ts';
import { endStaleMutes } from './stale-holds.ts';

/** What it needs. */
export interface BatchDeps extends DecidingDeps {
  readonly store: Store;
  readonly config: () => Config;
  readonly home: string;
}

/** What joined while this was decided set the timer that was cleared then. */
async function lookAgain({ hold, plan, now, timer }: Due, store: Store): Promise<void> {
  const left = await store.deliveries({ heldBy: hold, states: ['pending'], limit: 1 });
  if (left.length === 0 || (await store.timers([hold])).length > 0) return;
  const force = timer.data['force'] === true;
  await store.setTimer(
    isGroupHold(hold) ? groupTimer(hold, now + 1, true, plan) : releaseTimer(hold, now + 1, force),
    now,
  );
}

type Reads = Omit<BatchDeps, 'writer' | 'store'> & { readonly store: StoreReader };

/** What a timer is about, as it is now. */
async function dueOf(timer: Timer, deps: Reads): Promise<Due> {
  const now = deps.now();
  const config = deps.config();
  const gate = await gateFacts(deps, now);
  return { timer, hold: timer.id, plan: batchPlanOf(timer) ?? PLAIN_BATCH, config, gate, now };
}

/** For timers of kind `batch`. */
export function batchHandler(deps: BatchDeps): TimerHandler {
  const { store, writer } = deps;
  return async (timer) => {
    const hold = timer.id;
    const written = await writer.write(async () => {
      const due = await dueOf(timer, deps);
      const found = isGroupHold(hold) || isDigestThread(hold) ? await grown(due, store) : await released(due, store);
      if (found !== null && 'entryId' in found) return found;
      if (found !== null) await store.setTimer(found, due.now);
      else {
        await store.clearTimer(hold);
        await lookAgain(due, store);
      }
      return null;
    }, hold);
    if (written.result === 'nothing') return;
    const now = deps.now();
    // Decided at this very moment, or before the clock was set back: under another time it is decided again.
    if (written.result === 'already') return store.setTimer({ ...timer, due: now + 1 }, now);
    const { rehold = [] } = written.decision;
    // One that was ended meanwhile has sent its digest without these.
    await endStaleMutes(
      rehold.flatMap(({ heldBy }) => heldBy ?? []),
      store,
      now,
    );
    await lookAgain(await dueOf(timer, deps), store);
  };
}

/** What one hold has held back so far, by channel. */
export interface HeldSoFar {
  readonly channel: string;
  readonly rows: readonly Delivery[];
  /** What its digest would say now; null: nothing of it is open any more. */
  readonly content: NotificationContent | null;
}

/** The same decision as when it ends, made and not written. */
export async function heldSoFar(hold: string, deps: Reads): Promise<readonly HeldSoFar[]> {
  const now = deps.now();
  const rows = await deps.store.deliveries({ heldBy: hold, states: ['pending'], limit: MOST_HELD, fromOldest: true });
  const plan = await released(await dueOf(releaseTimer(hold, now, true), deps), deps.store);
  const contents = new Map(
    (plan?.deliveries ?? []).flatMap(({ channel, step, content, notificationId }) =>
      step === 0 && notificationId === plan?.notifications?.[0]?.id ? [[channel, content] as const] : [],
    ),
  );
  return [...new Set(rows.map(({ channel }) => channel))].map((channel) => ({
    channel,
    rows: rows.filter((row) => row.channel === channel),
    content: contents.get(channel) ?? null,
  }));
}
