// A keyed queue: tasks of one key run in order, keys run side by side, and what exceeds the capacity stays in the journal.
import type { Clock } from '../lib/clock.ts';
import type { GivingUp } from './give-up.ts';

/** Something to do, in order with the others of its key. */
export interface Task {
  readonly id: string;
  /** Tasks of one key run one after the other. */
  readonly key: string;
  /** Order among the waiting tasks of a key. */
  readonly order: number;
  /** Rejects when it could not be done: it is tried again, and given up after a while. */
  readonly work: () => Promise<void>;
}

interface KeyedQueueDeps {
  /** What was left to the journal, oldest first. */
  readonly backlog: (limit: number) => Promise<readonly Task[]>;
  readonly givingUp: GivingUp;
  readonly clock: Clock;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

export interface KeyedQueue {
  /** False: too much is in flight; it comes with the backlog. */
  offer(task: Task): boolean;
  /** Adds a task that is in no journal, whatever is in flight. */
  add(task: Task): void;
  /** Reads the journal for pending entries. */
  catchUp(): void;
  idle(): Promise<void>;
  /** Finishes the running tasks; those that wait stay in the journal. */
  stop(): Promise<void>;
}

/** Keys at work at once. */
const CONCURRENCY = 32;
/** Tasks in flight at most. */
const MAX_IN_FLIGHT = 1_000;
/** The queue refills from the journal when no more than this many are in flight. */
const REFILL_BELOW = 100;
/** Tasks fetched from the journal at once, beyond those in flight. */
const FETCH_SIZE = 200;
/** Ms until a task that failed is tried again. */
const RETRY_MS = 5_000;

/** Builds the queue. */
export function createKeyedQueue(deps: KeyedQueueDeps): KeyedQueue {
  const queued = new Map<string, Task[]>();
  const ready: string[] = [];
  const running = new Set<string>();
  const inFlight = new Set<string>();
  const backingOff = new Set<string>();
  const retryTimers = new Set<() => void>();
  let hasBacklog = false;
  let sawOverflow = false;
  let fetching: Promise<void> | null = null;
  let stopped = false;
  let listeners: (() => void)[] = [];

  /** Refill threshold; 0 while the journal returns only entries already in flight. */
  let refillBelow = REFILL_BELOW;

  const hasCapacity = (): boolean => inFlight.size <= refillBelow;

  function enqueue(task: Task): void {
    inFlight.add(task.id);
    const queue = queued.get(task.key);
    if (queue) {
      const at = queue.findLastIndex((other) => other.order <= task.order) + 1;
      queue.splice(at, 0, task);
      return;
    }
    queued.set(task.key, [task]);
    if (!running.has(task.key)) ready.push(task.key);
    pump();
  }

  function pump(): void {
    while (!stopped && running.size < CONCURRENCY) {
      const key = ready.shift();
      if (key === undefined) break;
      const queue = queued.get(key);
      const task = queue?.shift();
      if (queue?.length === 0) queued.delete(key);
      if (task === undefined) continue;
      running.add(key);
      void run(task);
    }
  }

  async function run(task: Task): Promise<void> {
    try {
      await task.work();
      deps.givingUp.done(task.id);
    } catch (error) {
      if (!(await deps.givingUp.failed(task.id, error))) retryLater(task.id);
    }
    inFlight.delete(task.id);
    running.delete(task.key);
    if (queued.has(task.key)) ready.push(task.key);
    pump();
    if (hasBacklog && hasCapacity()) fetch();
    settle();
  }

  function retryLater(id: string): void {
    backingOff.add(id);
    const cancel = deps.clock.setTimer(RETRY_MS, () => {
      retryTimers.delete(cancel);
      backingOff.delete(id);
      hasBacklog = true;
      fetch();
    });
    retryTimers.add(cancel);
  }

  function fetch(): void {
    if (fetching !== null || stopped) return;
    fetching = fill()
      .catch((error: unknown) => {
        deps.log('the journal could not be read; tried again', { error: String(error) });
        retryLater('');
        hasBacklog = false;
      })
      .finally(() => {
        fetching = null;
        if (hasBacklog && hasCapacity()) fetch();
        settle();
      });
  }

  /** Takes from the journal until there is nothing new or no capacity. */
  async function fill(): Promise<void> {
    while (hasBacklog && hasCapacity() && !stopped) {
      sawOverflow = false;
      const found = await deps.backlog(inFlight.size + backingOff.size + FETCH_SIZE);
      const unseen = found.filter((task) => !inFlight.has(task.id) && !backingOff.has(task.id));
      for (const task of unseen) enqueue(task);
      refillBelow = unseen.length > 0 || sawOverflow ? REFILL_BELOW : 0;
      if (unseen.length === 0 && inFlight.size === 0 && !sawOverflow) hasBacklog = false;
      if (unseen.length === 0 && inFlight.size > 0) return;
    }
  }

  function settle(): void {
    if (!stopped && (inFlight.size > 0 || hasBacklog || fetching !== null)) return;
    if (stopped && running.size > 0) return;
    for (const listener of listeners) listener();
    listeners = [];
  }

  const settled = (): Promise<void> =>
    new Promise((resolve) => {
      listeners.push(resolve);
      settle();
    });

  return {
    offer: (task) => {
      if (stopped || hasBacklog || inFlight.size >= MAX_IN_FLIGHT) {
        hasBacklog = true;
        sawOverflow = true;
        if (hasCapacity()) fetch();
        return false;
      }
      if (!inFlight.has(task.id)) enqueue(task);
      return true;
    },
    add: (task) => {
      if (!stopped) enqueue(task);
    },
    catchUp: () => {
      hasBacklog = true;
      fetch();
    },
    idle: settled,
    stop: async () => {
      stopped = true;
      for (const cancel of retryTimers) cancel();
      await settled();
      await fetching;
    },
  };
}
