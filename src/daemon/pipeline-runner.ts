// The pipeline runner: takes journal entries through facts, decision, enrichment and rendering into the outbox.
import { withDeadline } from '../enrichment/deadline.ts';
import type { Config } from '../model/config.ts';
import type { Event } from '../model/event.ts';
import { notificationIdOf } from '../model/ids.ts';
import type { Incoming, IncomingEvent } from '../model/incoming.ts';
import type { Context } from '../model/notification.ts';
import type { SessionRecord } from '../model/session.ts';
import type { Timer } from '../model/verdict.ts';
import { decide, decideHeld, type Facts, fingerprintOf, type PipelineState, memoryOf } from '../pipeline/index.ts';
import type { Decision, Store } from '../store/contract.ts';
import { truncateIncoming } from './truncate-incoming.ts';
import { createGivingUp } from './give-up.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import { buildDeliveries } from './build-deliveries.ts';
import { openNotification } from './open-notification.ts';
import { redactIncoming } from './redact-incoming.ts';
import type { PipelineRunnerDeps } from './pipeline-runner-deps.ts';
import { sessionKeyOf } from './session-timer.ts';

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

/** Most events of a session compared, for a second report by another client. */
const RECENT_EVENTS = { ms: 1_500, limit: 20 } as const;
/** Most deliveries read of one event. */
const MOST_CHANNELS = 100;
/** Ms that enrichment is granted beyond its deadline. */
const GRACE_MS = 250;
/** Times that a decision is made again because others wrote what it was made from. */
const MOST_CONFLICTS = 5;
const NO_CONTEXT: Context = { messages: [] };
const NO_PLACE: Facts['place'] = { project: null, branch: null };

/** One key a session; events without a session are ordered by source. */
function orderingKey(incoming: Incoming): string {
  if (incoming.type === 'event') return incoming.event.sessionId ?? incoming.occurrence ?? incoming.entryId;
  return incoming.parsed.sessionId ?? incoming.digest;
}

type Committed = Awaited<ReturnType<Store['commitDecision']>>;

/** Builds the pipeline runner. */
export function createPipelineRunner(deps: PipelineRunnerDeps): PipelineRunner {
  const { store, clock } = deps;
  const givingUp = createGivingUp(deps);

  async function loadFacts(incoming: Incoming): Promise<Facts> {
    const { host, user, agent } = incoming.type === 'hook' ? incoming : incoming.event;
    const sessionId = incoming.type === 'hook' ? incoming.parsed.sessionId : incoming.event.sessionId;
    const own = fingerprintOf(incoming);
    const [record, same, recent, silences] = await Promise.all([
      sessionId === null ? null : store.session({ host, user, agent, sessionId }),
      own === null ? null : store.byFingerprint(own.fingerprint, own.since),
      sessionId === null
        ? []
        : store.events({
            session: sessionId,
            since: incoming.receivedAt - RECENT_EVENTS.ms,
            limit: RECENT_EVENTS.limit,
          }),
      store.silences(clock.now()),
    ]);
    const cwd =
      incoming.type === 'hook'
        ? (incoming.parsed.cwd ?? incoming.origin.cwd ?? record?.cwd ?? null)
        : incoming.event.cwd;
    const known = deps.agents(agent);
    const [planned, place, process] = await Promise.all([
      same === null ? null : withChannels(same.event, agent),
      cwd === null ? NO_PLACE : deps.place(cwd),
      incoming.type === 'hook' && sessionId !== null && known ? deps.client(known, incoming.origin) : null,
    ]);
    const events = await Promise.all(recent.map(({ event }) => withChannels(event, agent)));
    return { record, same: planned, recent: events, silences, place, process, home: deps.home };
  }

  /** Asked only of what another client reported: that is rare. */
  async function withChannels(event: Event, agent: string): Promise<Facts['recent'][number]> {
    const rows = event.agent === agent ? [] : await store.deliveries({ eventId: event.id, limit: MOST_CHANNELS });
    return { event, channels: rows.map(({ channel }) => channel) };
  }

  /** The reader keeps its own deadline; this one is for a reader that does not. */
  async function contextOf(event: Event, record: SessionRecord | null, config: Config): Promise<Context> {
    if (config.context.messages === 0 || !config.context.kinds.includes(event.kind)) return NO_CONTEXT;
    return withDeadline(clock, config.context.timeout + GRACE_MS, NO_CONTEXT, () => deps.context({ event, record }));
  }

  async function commit(entryId: string, state: PipelineState, config: Config): Promise<Committed> {
    const hasChannels = state.channels.length > 0;
    const context = hasChannels ? await contextOf(state.event, state.record, config) : NO_CONTEXT;
    const at = clock.now();
    const to = { config, redactor: deps.redactor(), now: at };
    const who = displayName(state.event.agent);
    const deliveries = buildDeliveries(state.event, state.channels, context, who, to);
    const title = deliveries[0]?.content.title;
    const before = title === undefined ? null : await store.notification(notificationIdOf(state.event.id));
    const notifications = title === undefined ? [] : [openNotification(state.event, title, before, at)];
    const decision: Decision = {
      entryId,
      at,
      events: [{ event: state.event, fingerprint: state.fingerprint, verdicts: state.verdicts }],
      deliveries,
      timers: { set: state.timersToSet, clear: state.timersToClear },
      sessions: state.record === null ? [] : [state.record],
      notifications,
      cancel: state.cancel.map(({ eventId, channels }) => ({
        notificationId: notificationIdOf(eventId),
        because: 'superseded',
        channels,
      })),
    };
    const result = await store.commitDecision(decision);
    if (result !== 'written') return result; // nothing follows from it
    if (hasChannels) deps.wake(state.channels);
    deps.decided(decision);
    return result;
  }

  const displayName = (agent: string): string =>
    deps.agents(agent)?.title ?? agent.charAt(0).toUpperCase() + agent.slice(1);

  async function processIncoming(incoming: Incoming): Promise<void> {
    const safe = redactIncoming(incoming, deps.redactor());
    await decideAgain(async () => {
      const facts = await loadFacts(safe);
      const config = deps.config();
      const state = decide(safe, { facts, config, now: clock.now() });
      return commit(incoming.entryId, state, config);
    });
  }

  /** Another process may have written the session's row meanwhile: then from its facts on. */
  async function decideAgain(once: () => Promise<Committed>): Promise<void> {
    for (let attempt = 1; (await once()) === 'conflict'; attempt++)
      if (attempt === MOST_CONFLICTS) throw new Error(`its session was written by others ${MOST_CONFLICTS} times`);
  }

  const processHeld = (timer: Timer): Promise<void> => decideAgain(() => decideHeldOnce(timer));

  async function decideHeldOnce(timer: Timer): Promise<Committed> {
    const { event: eventId } = timer.data;
    const record = await store.session(sessionKeyOf(timer));
    const stored = await store.event(String(eventId));
    if (stored === null || record === null || memoryOf(record).held?.id !== eventId) return moot(timer);
    const now = clock.now();
    const entryId = `${timer.id}:${timer.due}`;
    const { event } = stored;
    const incoming: IncomingEvent = {
      type: 'event',
      entryId,
      source: 'belfry',
      startedAt: now,
      receivedAt: now,
      event,
      occurrence: null,
    };
    const silences = await store.silences(now);
    const facts: Facts = { record, same: null, recent: [], silences, place: NO_PLACE, process: null, home: deps.home };
    const config = deps.config();
    const state = decideHeld(incoming, event, { facts, config, now });
    if (state === null) return moot(timer);
    return commit(entryId, { ...state, timersToClear: [...state.timersToClear, timer.id] }, config);
  }

  async function moot(timer: Timer): Promise<Committed> {
    await store.clearTimer(timer.id);
    return 'already';
  }

  /** Rejects when it is to be tried again. */
  async function releaseHeld(timer: Timer): Promise<void> {
    const key = `release ${timer.id}`; // not part of the queue's task, which completes either way
    try {
      await processHeld(timer);
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
      key: orderingKey(incoming),
      order: incoming.startedAt,
      work: () => processIncoming(bounded),
    };
  };

  const queue = createKeyedQueue({
    backlog: async (limit) => (await deps.backlog(limit)).map(toTask),
    givingUp,
    clock,
    log: deps.log,
  });

  return {
    take: (incoming) => void queue.offer(toTask(incoming)),
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
