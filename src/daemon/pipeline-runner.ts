// The pipeline runner: takes journal entries through facts, decision, enrichment and rendering into the outbox.
import { orderingKeyOf } from '../ingest/ordering-key.ts';
import type { Incoming, IncomingEvent } from '../model/incoming.ts';
import type { Timer } from '../model/verdict.ts';
import { begin, beginHeld, heldAgain, memoryOf } from '../pipeline/index.ts';
import { type Committed, commitDecision } from './commit-decision.ts';
import { decideAgain } from './decide-again.ts';
import { createGivingUp } from './give-up.ts';
import { decideRest } from './group-facts.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { loadFacts, loadHeldFacts } from './load-facts.ts';
import type { PipelineRunnerDeps } from './pipeline-runner-deps.ts';
import { redactIncoming } from './redact-incoming.ts';
import { createSessionFamilies } from './session-families.ts';
import { sessionKeyOf } from './session-timer.ts';
import { truncateIncoming } from './truncate-incoming.ts';

/** The running pipeline. */
export interface PipelineRunner {
  /** Hands over what was just journaled. When too much is in flight it is left to the journal and comes with the backlog. Never throws. */
  take(incoming: Incoming): void;
  /** Begins with what the journal holds undecided. */
  start(): void;
  /** For timers of kind `hold`: releases a finish whose wait is over. */
  releaseHeld(timer: Timer): Promise<void>;
  /** Resolves when nothing is in flight or behind. */
  idle(): Promise<void>;
  /** Finishes what is in flight and takes no more. */
  stop(): Promise<void>;
}

/** Decides about one input, after what other evidence tells before it; rejects when it is to be tried again. */
async function processIncoming(incoming: Incoming, deps: PipelineRunnerDeps): Promise<void> {
  const safe = redactIncoming(incoming, deps.redactor());
  for (const judged of await deps.judge(safe)) {
    const safeToo = judged === safe ? safe : redactIncoming(judged, deps.redactor());
    await decideAgain(() => decideOnce(safeToo, deps));
  }
}

async function decideOnce(incoming: Incoming, deps: PipelineRunnerDeps): Promise<Committed> {
  const facts = await loadFacts(incoming, deps);
  const config = deps.config();
  const begun = begin(incoming, { facts, config, now: deps.clock.now() });
  return commitDecision(incoming.entryId, await decideRest(begun, deps.store), config, deps);
}

async function processHeld(timer: Timer, deps: PipelineRunnerDeps): Promise<Committed> {
  const { store, clock } = deps;
  const moot = async (): Promise<Committed> => {
    await store.clearTimer(timer.id);
    return 'already';
  };
  const { event: eventId } = timer.data;
  const record = await store.session(sessionKeyOf(timer));
  const stored = await store.event(String(eventId));
  if (stored === null || record === null || memoryOf(record).held?.id !== eventId) return moot();
  const { event } = stored;
  const now = clock.now();
  const entryId = `${timer.id}:${timer.due}`;
  const own = { type: 'event', source: 'belfry', event, occurrence: null } as const;
  const incoming: IncomingEvent = { ...own, entryId, startedAt: now, receivedAt: now };
  const facts = await loadHeldFacts(event, record, deps);
  const config = deps.config();
  const again = heldAgain(timer, record, { facts, config, now });
  if (again !== null && again.due > now) {
    await store.setTimer(again, now);
    return 'already';
  }
  const begun = beginHeld(incoming, event, { facts, config, now });
  if (begun === null) return moot();
  const state = await decideRest(begun, store);
  return commitDecision(entryId, { ...state, timersToClear: [...state.timersToClear, timer.id] }, config, deps);
}

/** Builds the pipeline runner. */
export function createPipelineRunner(deps: PipelineRunnerDeps): PipelineRunner {
  const { store, clock } = deps;
  const givingUp = createGivingUp(deps);
  const familyOf = createSessionFamilies();

  /** Rejects when it is to be tried again. */
  async function releaseHeld(timer: Timer): Promise<void> {
    const key = `release ${timer.id}`; // not part of the queue's task, which completes either way
    try {
      await decideAgain(() => processHeld(timer, deps));
      givingUp.done(key);
    } catch (error) {
      if (!(await givingUp.failed(key, error, String(timer.data['event'])))) throw error;
      await store.clearTimer(timer.id);
    }
  }

  const toTask = (incoming: Incoming) => {
    const bounded = truncateIncoming(incoming);
    return {
      id: incoming.entryId,
      key: familyOf(orderingKeyOf(incoming), incoming),
      order: incoming.startedAt,
      work: () => processIncoming(bounded, deps),
    };
  };

  const queue = new KeyedQueue({
    backlog: async (limit) => (await deps.backlog(limit)).map(toTask),
    givingUp,
    load: deps.load,
    clock,
    log: deps.log,
  });

  return {
    take: (incoming) => queue.offer(toTask(incoming)),
    start: () => queue.catchUp(),
    releaseHeld: (timer) =>
      new Promise((resolve, reject) => {
        const work = (): Promise<void> => releaseHeld(timer).then(resolve, reject);
        queue.add({ id: timer.id, key: String(timer.data['session']), order: timer.due, work });
      }),
    idle: () => queue.idle(),
    stop: () => queue.stop(),
  };
}
