// Makes rows of what was decided about one input, and writes them in one transaction.
import { withDeadline } from '../lib/deadline.ts';
import type { Config } from '../model/config.ts';
import type { Delivery } from '../model/delivery.ts';
import { notificationIdOf } from '../model/ids.ts';
import type { Context, Notification } from '../model/notification.ts';
import type { PipelineState } from '../pipeline/index.ts';
import type { Decision, Store } from '../store/contract.ts';
import { buildChanges } from './build-changes.ts';
import { buildDeliveries } from './build-deliveries.ts';
import { openNotification } from './open-notification.ts';
import type { PipelineRunnerDeps } from './pipeline-runner-deps.ts';
import { endStaleMutes } from './stale-holds.ts';

export type Committed = Awaited<ReturnType<Store['commitDecision']>>;

/** Ms that enrichment is granted beyond its deadline. */
const GRACE_MS = 250;
const NO_CONTEXT: Context = { messages: [] };

/** The reader keeps its own deadline; this one is for a reader that does not. */
async function contextOf(
  { event, record, incoming }: Pick<PipelineState, 'event' | 'record' | 'incoming'>,
  config: Config,
  deps: Pick<PipelineRunnerDeps, 'clock' | 'context'>,
): Promise<Context> {
  if (config.context.messages === 0 || !config.context.kinds.includes(event.kind)) return NO_CONTEXT;
  const limit = config.context.timeout + GRACE_MS;
  // A finish that was on hold is sent later than it came.
  const until = Math.min(incoming.startedAt, event.at);
  return withDeadline(deps.clock, limit, NO_CONTEXT, () => deps.context({ event, record, until }));
}

/** What the event's own notification needs: nothing where nothing is planned. */
async function opened(
  state: PipelineState,
  config: Config,
  deps: PipelineRunnerDeps,
): Promise<{ readonly notifications: readonly Notification[]; readonly deliveries: readonly Delivery[] }> {
  const { event, plan } = state;
  if (plan.length === 0) return { notifications: [], deliveries: [] };
  const context = await contextOf(state, config, deps);
  const now = deps.clock.now();
  const who = deps.agents(event.agent)?.title ?? event.agent.charAt(0).toUpperCase() + event.agent.slice(1);
  const deliveries = buildDeliveries(event, plan, context, who, { config, redactor: deps.redactor(), now });
  const before = await deps.store.notification(notificationIdOf(event.id));
  const title = deliveries[0]?.content.title ?? '';
  const last = Math.max(...plan.map(({ due }) => due));
  return { notifications: [openNotification(event, title, before, now, last)], deliveries };
}

const isSignal = ({ incoming }: PipelineState): boolean => incoming.type === 'hook' && incoming.parsed.isSignal;

/** Writes it; nothing follows from a decision that was made already or must be made again. */
export async function commitDecision(
  entryId: string,
  state: PipelineState,
  config: Config,
  deps: PipelineRunnerDeps,
): Promise<Committed> {
  const own = await opened(state, config, deps);
  const at = deps.clock.now();
  const changes = await Promise.all(
    state.resolved.map(({ notification, plan }) => buildChanges(notification, plan, deps.store, at)),
  );
  const { event, fingerprint, verdicts, record } = state;
  const decision: Decision = {
    ...{ entryId, at },
    events: isSignal(state) ? [] : [{ event, fingerprint, verdicts }],
    notifications: [...state.resolved.map(({ notification }) => notification), ...own.notifications],
    cancel: state.cancel,
    // Changes first: what is over is cleared away before the next thing is shown.
    deliveries: [...changes.flat(), ...own.deliveries],
    timers: { set: state.timersToSet, clear: state.timersToClear },
    sessions: record === null ? [] : [record],
  };
  const settled = await deps.openPrompts.around(decision, () => deps.store.commitDecision(decision));
  if (settled !== 'written') return settled;
  // A mute may have ended while the text was enriched.
  await endStaleMutes(
    decision.deliveries.flatMap(({ heldBy }) => heldBy ?? []),
    deps.store,
    deps.clock.now(),
  );
  const channels = [...new Set(decision.deliveries.map(({ channel }) => channel))];
  if (channels.length > 0) deps.wake(channels);
  deps.decided(decision);
  return settled;
}
