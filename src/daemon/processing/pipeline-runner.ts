// The pipeline runner: takes journal entries in order, redacts them, keeps no text longer than what is sent, and has each decided.
import { decideHeld, decideInput, type LateContext, type LateContexts } from '../../decisions/input/decide-input.ts';
import type { Written } from '../../decisions/writer.ts';
import { orderingKeyOf } from '../../ingest/ordering-key.ts';
import type { Incoming } from '../../model/event/incoming.ts';
import type { Context } from '../../model/notification/notification.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import type { Timer } from '../../model/event/verdict.ts';
import { createGivingUp } from './give-up.ts';
import { KeyedQueue } from './keyed-queue.ts';
import type { PipelineRunnerDeps } from './pipeline-runner-deps.ts';
import { createSessionFamilies } from './session-families.ts';
import { sessionKeyOf } from '../../model/session/session-timer.ts';
import { endStaleMutes } from '../../decisions/batch/stale-holds.ts';
import { cutAtSpace } from '../../lib/text/text.ts';
import { redactEvent, type Redactor } from '../../redaction/index.ts';

function redactFields(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactFields(item, redactor));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactFields(item, redactor)]));
}

/** The same input with every text of it redacted; expects one that is bounded. */
export function redactIncoming(incoming: Incoming, redactor: Redactor): Incoming {
  if (incoming.type === 'event') return { ...incoming, event: redactEvent(incoming.event, redactor) };
  const { parsed } = incoming;
  const maybe = (text: string | null): string | null => (text === null ? null : redactor.text(text));
  return {
    ...incoming,
    parsed: {
      ...parsed,
      message: maybe(parsed.message),
      reason: maybe(parsed.reason),
      lastAssistantMessage: maybe(parsed.lastAssistantMessage),
      prompt: maybe(parsed.prompt),
      title: maybe(parsed.title),
      tool: parsed.tool === null ? null : { ...parsed.tool, summary: maybe(parsed.tool.summary) },
      running: parsed.running?.map((work) => ({ ...work, label: maybe(work.label) })) ?? null,
      unknown: redactFields(parsed.unknown, redactor) as Readonly<Record<string, unknown>>, // an object stays one
    },
  };
}

/** More than this of one text (UTF-16 units) is used nowhere. */
const MAX_LENGTH = 16_000;
/** Bounds on fields no adapter knows: units in all, nodes in all, depth. */
const UNKNOWN_LIMITS = { units: 32_000, nodes: 1_000, depth: 8, key: 200 } as const;
const MAX_TASKS = 50;
const OMITTED = '(left out)';

/** A copy, as a slice would keep the whole text in memory. */
function truncate(text: string): string {
  return text.length > MAX_LENGTH ? Buffer.from(cutAtSpace(text, MAX_LENGTH), 'utf16le').toString('utf16le') : text;
}

const truncateOrNull = (text: string | null): string | null => (text === null ? null : truncate(text));

type Fields = Readonly<Record<string, unknown>>;

function truncateFields(fields: Fields): Fields {
  let units = 0;
  let nodes = 0;
  const walk = (value: unknown, depth: number): unknown => {
    nodes += 1;
    if (nodes > UNKNOWN_LIMITS.nodes) return OMITTED;
    if (typeof value === 'string') {
      const text = truncate(value);
      units += text.length;
      return units > UNKNOWN_LIMITS.units ? OMITTED : text;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= UNKNOWN_LIMITS.depth) return OMITTED;
    if (Array.isArray(value)) return value.slice(0, UNKNOWN_LIMITS.nodes).map((item) => walk(item, depth + 1));
    const entries = Object.entries(value).slice(0, UNKNOWN_LIMITS.nodes);
    return Object.fromEntries(entries.map(([key, item]) => [key.slice(0, UNKNOWN_LIMITS.key), walk(item, depth + 1)]));
  };
  return walk(fields, 0) as Fields; // an object stays one
}

/** The same input, bounded. */
export function truncateIncoming(incoming: Incoming): Incoming {
  if (incoming.type === 'event') {
    const { event } = incoming;
    return {
      ...incoming,
      event: { ...event, message: truncateOrNull(event.message), attributes: truncateFields(event.attributes) },
    };
  }
  const { parsed } = incoming;
  return {
    ...incoming,
    parsed: {
      ...parsed,
      message: truncateOrNull(parsed.message),
      reason: truncateOrNull(parsed.reason),
      lastAssistantMessage: truncateOrNull(parsed.lastAssistantMessage),
      prompt: truncateOrNull(parsed.prompt),
      title: truncateOrNull(parsed.title),
      tool:
        parsed.tool === null
          ? null
          : { name: truncate(parsed.tool.name), summary: truncateOrNull(parsed.tool.summary) },
      running:
        parsed.running?.slice(0, MAX_TASKS).map((work) => ({ ...work, label: truncateOrNull(work.label) })) ?? null,
      unknown: truncateFields(parsed.unknown),
    },
  };
}

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

/** A mute may have ended while something was decided that it holds. */
async function endStale(written: Written, { store, clock, wakeTimers }: PipelineRunnerDeps): Promise<void> {
  if (written.result !== 'written') return;
  const holds = written.decision.deliveries.flatMap(({ heldBy }) => heldBy ?? []);
  if (holds.length > 0 && (await endStaleMutes(holds, store, clock.now()))) wakeTimers();
}

/** Decides about one input, after what other evidence tells before it; rejects when it is to be tried again. */
async function processIncoming(incoming: Incoming, deps: PipelineRunnerDeps): Promise<void> {
  const safe = redactIncoming(incoming, deps.redactor());
  const safeToo = (judged: Incoming): Incoming => (judged === safe ? safe : redactIncoming(judged, deps.redactor()));
  const { before, incoming: judged, byRow } = await deps.judge(safe);
  if (before !== undefined) {
    const { startedAt, receivedAt } = safe;
    const own = { entryId: before.id, source: 'belfry', startedAt, receivedAt, occurrence: before.id } as const;
    await endStale(await decideInput(safeToo({ type: 'event', event: before, ...own }), deps), deps);
  }
  const asRowSays = byRow && ((record: SessionRecord | null) => safeToo(byRow(record)));
  await endStale(await decideInput(safeToo(judged), deps, asRowSays), deps);
}

/** None is late yet. At a stop they are left: what waits for them goes out when it is due. */
function createLateContexts(log: PipelineRunnerDeps['log']): LateContexts & { readonly stop: () => Promise<void> } {
  const latest = new Map<string, LateContext>();
  const writing = new Set<Promise<unknown>>();
  let stopped = false;

  async function finish(context: Promise<Context>, write: (context: Context) => Promise<unknown>): Promise<void> {
    const found = await context; // never rejects: it keeps a deadline of its own
    if (stopped) return;
    const written = write(found).catch((error: unknown) =>
      log('a message goes out without its context', { error: String(error) }),
    );
    writing.add(written);
    await written;
    writing.delete(written);
  }

  return {
    of: (threadKey) => latest.get(threadKey) ?? null,
    add: ({ threadKey, until, context }, write) => {
      const done = finish(context, write).then(() => {
        if (latest.get(threadKey)?.done === done) latest.delete(threadKey);
      });
      latest.set(threadKey, { until, done });
    },
    stop: async () => {
      stopped = true;
      await Promise.all(writing);
    },
  };
}

/** Builds the pipeline runner. */
export function createPipelineRunner(given: Omit<PipelineRunnerDeps, 'late'>): PipelineRunner {
  const late = createLateContexts(given.log);
  const deps: PipelineRunnerDeps = { ...given, late };
  const { store, clock } = deps;
  const givingUp = createGivingUp(deps);
  const familyOf = createSessionFamilies();

  /** Rejects when it is to be tried again. */
  async function releaseHeld(timer: Timer): Promise<void> {
    const key = `release ${timer.id}`; // not part of the queue's task, which completes either way
    try {
      await endStale(await decideHeld(timer, sessionKeyOf(timer), deps), deps);
      givingUp.done(key);
    } catch (error) {
      if (!(await givingUp.failed(key, error, String(timer.data['event'])))) throw error;
      await store.clearTimer(timer.id);
    }
  }

  const toTask = (incoming: Incoming) => {
    const bounded = truncateIncoming(incoming);
    const own = orderingKeyOf(incoming);
    const key = familyOf(own, incoming);
    const { entryId: id, startedAt } = incoming;
    const place = { keys: [own, key], startedAt };
    return { id, key, place, order: startedAt, work: () => processIncoming(bounded, deps) };
  };

  const queue = new KeyedQueue({
    backlog: async (limit, known) => (await deps.backlog(limit, known)).map(toTask),
    isEarly: ({ place }) => place !== undefined && deps.precedes(place),
    givingUp,
    arriving: deps.arriving,
    backlogged: deps.backlogged,
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
    stop: async () => {
      await queue.stop();
      await late.stop();
    },
  };
}
