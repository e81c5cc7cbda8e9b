// One leased delivery: whether it still makes sense, an attempt at it, and what follows from its outcome.
import type { LeasedDelivery } from '../../model/delivery/delivery.ts';
import type { ClaimedDelivery } from '../../store/contract.ts';
import { attempt, outgoingMessage } from '../channel/attempt.ts';
import { judgeDelivery, judgeDue } from '../policy/judge-delivery.ts';
import type { LimiterPlace } from '../channel/accounts.ts';
import { logUndelivered } from '../policy/paused-deliveries.ts';
import { needsOperator } from '../policy/record-outcome.ts';
import { isFailing, nowWaits, unkeptChange, type WorkerState } from './worker-state.ts';

/** Takes a place of the limiter and begins. What ends wakes the worker. */
export function startDelivery(state: WorkerState, delivery: ClaimedDelivery, probe: boolean): void {
  const { inFlight, limiter, deps, name, loop } = state;
  const place = limiter.acquire(delivery.operation !== 'send');
  const work = sendDelivery(state, delivery, probe, place)
    .catch((error: unknown) => {
      deps.log('delivery: an attempt broke off', { channel: name, error: String(error) });
      return false;
    })
    .then((isSent) => {
      if (!isSent) nowWaits(state, 'anything');
      place.end();
      inFlight.delete(delivery.id);
      loop.wake();
    });
  inFlight.set(delivery.id, work);
}

/** True: it was sent, and nothing of its line waits. */
async function sendDelivery(
  state: WorkerState,
  delivery: ClaimedDelivery,
  probe: boolean,
  place: LimiterPlace,
): Promise<boolean> {
  const { deps, instances, recorder, account, cancelled, name } = state;
  const { store, clock, log } = deps;
  const audience = instances.audience();
  const { idempotent, thread, buttons, receive, ...can } = instances.capabilities();
  const judgement = await judgeDelivery(delivery, { audience, can }, store);
  if ('drop' in judgement) {
    place.unused();
    await recorder.drop(delivery, judgement.drop, judgement.why);
    return false;
  }
  const due = await judgeDue(delivery, recorder, deps);
  if (!due.goesOut) {
    place.unused();
    return false;
  }
  const began = clock.now();
  const { resolution, operation } = judgement;
  const threadReceipt = thread ? await store.latestThreadReceipt(delivery.threadKey, name) : null;
  const listens = buttons && receive && operation !== 'retract';
  const acknowledgeWith = (listens && deps.inbound?.acknowledgeWith(name, delivery.notificationId)) || null;
  const showWith = (listens && deps.inbound?.showWith(name, delivery)) || null;
  const asked = await deps.inbound?.showQuestion(name, delivery, buttons && receive && can.update);
  const { question = null, note = null, settled = null } = asked ?? {};
  // What is over waits nowhere.
  const where = resolution?.state === 'resolved' ? null : note;
  const message = outgoingMessage(withNote({ ...delivery, operation }, where), {
    threadReceipt,
    acknowledgeWith,
    showWith,
    question,
    resolution: settled === null ? resolution : { state: 'resolved', at: began, ...resolution, why: settled },
  });
  const outcome = await attempt(instances, { message, receipt: judgement.receipt }, clock, cancelled.signal);
  // Stays leased: the next start sends it again. Where a repeat would show, it has to count first.
  if (cancelled.signal.aborted && !outcome.ok && (idempotent || !outcome.unknown)) return false;
  const before = isFailing(state);
  const recorded = state.breaker?.record(outcome, delivery, probe);
  const change = (await recorded?.catch((error: unknown) => unkeptChange(state, error, before))) ?? 'none';
  account.report(outcome);
  // A change that nobody sees is no loss to people; a record misses it.
  const givenUp = delivery.operation === 'send' || audience === 'records' ? 'dead' : 'cancelled';
  const facts = { began, idempotent, givenUp, note: due.note, failing: isFailing(state) } as const;
  const isSent = await recorder.settle(delivery, outcome, facts);
  if (!outcome.ok && needsOperator(outcome.reason) && delivery.attempts === 0 && delivery.operation === 'send')
    logUndelivered(delivery, outcome.error, log);
  if (change !== 'none') state.pendingChange = change; // the turn after its end does it
  return isSent;
}

function withNote(delivery: LeasedDelivery, note: string | null): LeasedDelivery {
  if (note === null) return delivery;
  const { content } = delivery;
  return { ...delivery, content: { ...content, body: [content.body, note].filter((part) => part !== '').join('\n') } };
}
