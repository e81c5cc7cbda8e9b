// Decides about one input, or about a finish whose hold is over: facts, the pipeline, enrichment and rendering, into one decision.
import { withDeadline } from '../../lib/async/deadline.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Agent, displayName } from '../../model/agent/agent.ts';
import type { Config } from '../../model/settings/config.ts';
import type { Delivery } from '../../model/delivery/delivery.ts';
import type { Event } from '../../model/event/event.ts';
import { type SessionKey, threadKeyOf } from '../../model/ids.ts';
import type { Incoming, IncomingEvent } from '../../model/event/incoming.ts';
import type { Context, Notification } from '../../model/notification/notification.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import type { Timer } from '../../model/event/verdict.ts';
import { begin, beginHeld, heldAgain, type InputState, memoryOf, type Undecided } from '../../pipeline/index.ts';
import type { Redactor } from '../../redaction/index.ts';
import type { Store, StoreReader } from '../../store/contract.ts';
import { buildDeliveries, openNotification } from '../new-rows.ts';
import { type FactsDeps, loadFacts, loadHeldFacts } from './load-facts.ts';
import type { Plan, Writer, Written } from '../writer.ts';

/** What it needs. */
export interface DecideDeps extends FactsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly writer: Pick<Writer, 'write'>;
  /** The settings in force, asked for each event, so that a changed file takes effect. */
  readonly config: () => Config;
  readonly agents: (name: string) => Agent | undefined;
  /** Enrichment beyond the input, of what was said until then (Unix ms); keeps its own deadline; never throws. */
  readonly context: (request: {
    readonly event: Event;
    readonly record: SessionRecord | null;
    readonly until: number;
  }) => Promise<Context>;
  /** Of the patterns in force. */
  readonly redactor: () => Redactor;
  readonly late: LateContexts;
}

/** Decides the rest, knowing when the groups and storms that an event joins go out: their timers are read, and no others, however many are set. */
export async function decideRest({ holds, rest }: Undecided, store: Pick<StoreReader, 'timers'>): Promise<InputState> {
  const timers = holds.length === 0 ? [] : await store.timers(holds);
  return rest(new Map(timers.map((timer) => [timer.id, timer])));
}

/** A context that was not there when its event was decided. */
export interface LateContext {
  /** Unix ms: then it goes out without it. */
  readonly until: number;
  /** Resolves once what it adds is written, or left. */
  readonly done: Promise<void>;
}

/** Contexts that are late. */
export interface LateContexts {
  /** The latest of a thread; null: nothing of it waits. */
  readonly of: (threadKey: string) => LateContext | null;
  /** Writes what one adds, once it is there; unless all this is stopped by then. */
  readonly add: (
    of: { readonly threadKey: string; readonly until: number; readonly context: Promise<Context> },
    write: (context: Context) => Promise<unknown>,
  ) => void;
}

/** Ms that a decision waits for its context: the end of a transcript is there by then. */
const PROMPT_MS = 25;
/** Ms that enrichment is granted beyond its deadline. */
const GRACE_MS = 250;
const NO_CONTEXT: Context = { messages: [] };

/** The reader keeps its own deadline; this one is for a reader that does not. */
async function contextOf(
  { event, record, incoming }: Pick<InputState, 'event' | 'record' | 'incoming'>,
  config: Config,
  deps: Pick<DecideDeps, 'clock' | 'context'>,
): Promise<Context> {
  const limit = config.context.timeout + GRACE_MS;
  // A finish that was on hold is sent later than it came.
  const until = Math.min(incoming.startedAt, event.at);
  return withDeadline(deps.clock, limit, NO_CONTEXT, () => deps.context({ event, record, until }));
}

/** What is planned of the event's own notification, as rows. */
function rowsOf({ event, plan }: InputState, context: Context, deps: DecideDeps): readonly Delivery[] {
  const { title, continues = [] } = deps.agents(event.agent) ?? {};
  const who = displayName(event.agent, title);
  const to = { config: deps.config(), redactor: deps.redactor(), now: deps.clock.now(), continues };
  return buildDeliveries(event, plan, context, who, to);
}

/** What is sent without its context, unless that comes until then (Unix ms). */
interface Unenriched {
  readonly state: InputState;
  readonly context: Promise<Context>;
  readonly until: number;
}

interface Opened extends Pick<Plan, 'notifications' | 'deliveries'> {
  readonly unenriched?: Unenriched;
}

/** What the event's own notification needs: nothing where nothing is planned. */
async function opened(
  state: InputState,
  before: Notification | null,
  config: Config,
  deps: DecideDeps,
): Promise<Opened> {
  const { event, plan } = state;
  if (plan.length === 0) return {};
  const isWanted = config.context.messages > 0 && config.context.kinds.includes(event.kind);
  const own = isWanted ? contextOf(state, config, deps) : Promise.resolve(NO_CONTEXT);
  // What the session said before goes first, also where that waits for its context.
  const earlier = deps.late.of(threadKeyOf(event));
  const limit = isWanted ? config.context.timeout + GRACE_MS : 0;
  const until = Math.max(deps.clock.now() + limit, earlier?.until ?? 0);
  const coming = earlier === null ? own : earlier.done.then(() => own);
  const soon = (): Promise<Context | null> => withDeadline<Context | null>(deps.clock, PROMPT_MS, null, () => own);
  const context = earlier === null ? await soon() : null;
  const now = deps.clock.now();
  const rows = rowsOf(state, context ?? NO_CONTEXT, deps);
  // Nothing waits for a context that is late: neither the session's next event, nor what that takes back.
  const isEarly = ({ heldBy, due }: Delivery): boolean => context === null && heldBy === null && due < until;
  const deliveries = rows.map((row) => (isEarly(row) ? { ...row, due: until, scheduled: true } : row));
  const title = deliveries[0]?.content.title ?? '';
  const last = Math.max(...plan.map(({ due }) => due));
  return {
    notifications: [openNotification(event, title, before, now, last)],
    deliveries,
    ...(context === null && { unenriched: { state, context: coming, until } }),
  };
}

/** Gives what still waits the context that came, and its own time. */
function enrich(entryId: string, { state, until }: Unenriched, context: Context, deps: DecideDeps): Promise<Written> {
  return deps.writer.write(async () => {
    const at = deps.clock.now();
    if (at >= until && context.messages.length === 0) return null;
    const rewrite = rowsOf(state, context, deps).map((row) => ({ ...row, from: until, due: Math.max(at, row.due) }));
    return { entryId: `context:${entryId}`, at, rewrite };
  });
}

interface Made {
  readonly plan: Plan;
  readonly unenriched?: Unenriched;
}

const isSignal = ({ incoming }: InputState): boolean => incoming.type === 'hook' && incoming.parsed.isSignal;

/** `before`: the event's notification as it stands. */
async function made(
  entryId: string,
  { state, before }: { readonly state: InputState; readonly before: Notification | null },
  config: Config,
  deps: DecideDeps,
): Promise<Made> {
  const { unenriched, ...own } = await opened(state, before, config, deps);
  const { event, fingerprint, verdicts, record } = state;
  const plan: Plan = {
    entryId,
    at: deps.clock.now(),
    ...own,
    events: isSignal(state) ? [] : [{ event, fingerprint, verdicts }],
    changed: state.resolved,
    cancel: state.cancel,
    timers: { set: state.timersToSet, clear: state.timersToClear },
    sessions: record === null ? [] : [record],
  };
  return { plan, ...(unenriched && { unenriched }) };
}

/** Writes what `make` makes; a context that is late is written once it is there. */
async function decide(make: () => Promise<Made | null>, deps: DecideDeps): Promise<Written> {
  const last: { made: Made | null } = { made: null };
  const written = await deps.writer.write(async () => {
    last.made = await make();
    return last.made?.plan ?? null;
  });
  const { plan, unenriched } = last.made ?? {};
  if (written.result === 'written' && plan !== undefined && unenriched !== undefined)
    deps.late.add({ threadKey: threadKeyOf(unenriched.state.event), ...unenriched }, (context) =>
      enrich(plan.entryId, unenriched, context, deps),
    );
  return written;
}

/** `byRow`: what the input is by its session's row, as far as that says; of the same session and entry. Rejects when it is to be tried again. */
export function decideInput(
  incoming: Incoming,
  deps: DecideDeps,
  byRow: (record: SessionRecord | null) => Incoming = () => incoming,
): Promise<Written> {
  return decide(async () => {
    const found = await loadFacts(incoming, deps);
    const judged = byRow(found.record);
    // Over the row that it was judged by: where that is another one by now, all this is done again.
    const facts = judged === incoming ? found : { ...(await loadFacts(judged, deps)), record: found.record };
    const config = deps.config();
    const begun = begin(judged, { facts, config, now: deps.clock.now() });
    const state = await decideRest(begun, deps.store);
    return made(judged.entryId, { state, before: facts.before }, config, deps);
  }, deps);
}

/** The timer of a hold is due, of a finish of this session. */
export function decideHeld(timer: Timer, key: SessionKey, deps: DecideDeps): Promise<Written> {
  return decide(() => released(timer, key, deps), deps);
}

/** Null: there is nothing to release, or not yet. */
async function released(timer: Timer, key: SessionKey, deps: DecideDeps): Promise<Made | null> {
  const { store, clock } = deps;
  const moot = async (): Promise<null> => {
    await store.clearTimer(timer.id);
    return null;
  };
  const { event: eventId } = timer.data;
  const record = await store.session(key);
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
    return null;
  }
  const begun = beginHeld(incoming, event, { facts, config, now });
  if (begun === null) return moot();
  const state = await decideRest(begun, store);
  const cleared = { ...state, timersToClear: [...state.timersToClear, timer.id] };
  return made(entryId, { state: cleared, before: facts.before }, config, deps);
}
