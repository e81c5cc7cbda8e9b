// The queue of what is to be decided: tasks of one key run in order, keys run side by side; what exceeds the capacity stays in the journal,
// and so does what something that began before may still precede.
import type { Clock } from '../../lib/clock.ts';
import type { GivingUp } from './give-up.ts';
import type { Place } from '../../sources/may-still-arrive.ts';

/** Something to do, in order with the others of its key. */
export interface Task {
  readonly id: string;
  /** Tasks of one key run one after the other. */
  readonly key: string;
  /** Order among the waiting tasks of a key: when it began, Unix ms. */
  readonly order: number;
  /** Its place among what may still arrive; without one it waits for nothing. */
  readonly place?: Place;
  /** Rejects when it could not be done: it is tried again, and given up after a while. */
  readonly work: () => Promise<void>;
}

/** Tasks waiting in lines, one line a key, of which one task runs at a time; who runs tasks asks for the next one and says when it has ended. */
class TaskLines {
  readonly #waiting = new Map<string, Task[]>();
  /** Keys with waiting tasks of which none runs. */
  readonly #ready: string[] = [];
  readonly #running = new Set<string>();

  /** Adds a task to its line, behind those that come before it. */
  add(task: Task): void {
    const line = this.#waiting.get(task.key);
    if (line) {
      const at = line.findLastIndex((other) => other.order <= task.order) + 1;
      line.splice(at, 0, task);
      return;
    }
    this.#waiting.set(task.key, [task]);
    if (!this.#running.has(task.key)) this.#ready.push(task.key);
  }

  /** The next task that may run, which from now on holds up its line. */
  next(): Task | undefined {
    const key = this.#ready.shift();
    const line = key === undefined ? undefined : this.#waiting.get(key);
    const task = line?.shift();
    if (task === undefined) return undefined;
    if (line?.length === 0) this.#waiting.delete(task.key);
    this.#running.add(task.key);
    return task;
  }

  /** Whether there is a task that may run. */
  get hasNext(): boolean {
    return this.#ready.length > 0;
  }

  /** A task has ended: its line goes on. */
  end({ key }: Task): void {
    this.#running.delete(key);
    if (this.#waiting.has(key)) this.#ready.push(key);
  }

  /** How many run. */
  get running(): number {
    return this.#running.size;
  }
}

/** Pieces of work begun in a turn at most. */
const MOST_BEGUN = 2;
/** Turns in a row that are left to what arrives, at most: then some work is done even so. */
const MOST_SKIPPED = 3;

/** How much may be begun in the turns of the event loop. */
export class TurnBudget {
  readonly #arriving: () => boolean;
  readonly #resume: () => void;
  #used = 0;
  #skipped = 0;
  #isScheduled = false;

  /** `arriving`: whether something came since it was last asked for which a hook waits. `resume`: called in the next turn that has room, after something was asked for. */
  constructor(arriving: () => boolean, resume: () => void) {
    this.#arriving = arriving;
    this.#resume = resume;
  }

  /** Whether one more may be begun in this turn, which counts. */
  take(): boolean {
    this.#scheduleTurn();
    return this.#used++ < MOST_BEGUN;
  }

  #scheduleTurn(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    if (this.#arriving()) {
      this.#skipped = (this.#skipped + 1) % (MOST_SKIPPED + 1);
      this.#used = this.#skipped === 0 ? MOST_BEGUN - 1 : MOST_BEGUN;
      this.#scheduleTurn();
    } else this.#skipped = this.#used = 0;
    if (this.#used < MOST_BEGUN) this.#resume();
  }
}

interface KeyedQueueDeps {
  /** The oldest of the journal that are not `known`, oldest first: at most `limit`, and none only where there are no others. */
  readonly backlog: (limit: number, known: ReadonlySet<string>) => Promise<readonly Task[]>;
  /** Whether something of its key that began before is still on its way into the journal. */
  readonly isEarly: (task: Task) => boolean;
  readonly givingUp: GivingUp;
  /** Whether anything came since it was last asked for which a hook waits. */
  readonly arriving: () => boolean;
  /** There is a backlog, or no longer: called when that changes. */
  readonly backlogged: (is: boolean) => void;
  readonly clock: Clock;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Keys at work at once. */
const CONCURRENCY = 32;
/** Tasks in flight (waiting or running) at most. */
const MAX_IN_FLIGHT = 1_000;
/** The queue reads the journal when no more than this many are in flight. */
const REFILL_BELOW = 100;
/** Tasks fetched from the journal at once, beyond those in flight. */
const FETCH_SIZE = 200;
/** Ms until a task that failed is tried again. */
const RETRY_MS = 5_000;
/** Ms until what came early is looked at again, if nothing arrives before: what it waits for may turn out to be nothing. */
const EARLY_MS = 50;

/**
 * What is known of the journal besides what is in flight; one of these at a time. Only `caught-up` takes what is offered, unless that
 * came early: everything else is left to the journal, so that nothing overtakes what lies there.
 *
 * | state      | the journal                            | becomes                                                             |
 * |------------|----------------------------------------|---------------------------------------------------------------------|
 * | caught-up  | holds nothing else                     | behind: by an offer at capacity or early, by `catchUp`, by a retry  |
 * | behind     | may hold more; read while few in flight | when a read brings nothing new: early or caught-up; unreadable: it failed |
 * | early      | holds what something older may precede | behind: by an offer, and every EARLY_MS                             |
 * | unreadable | could not be read                      | behind: by its retry                                                |
 * | stopped    | keeps everything                       | the end, from every state                                           |
 */
type JournalState = 'caught-up' | 'behind' | 'early' | 'unreadable' | 'stopped';

/** The queue. */
export class KeyedQueue {
  readonly #deps: KeyedQueueDeps;
  readonly #lines = new TaskLines();
  readonly #inFlight = new Set<string>();
  readonly #backingOff = new Set<string>();
  readonly #retryTimers = new Set<() => void>();
  #state: JournalState = 'caught-up';
  /** An offer was left to the journal since it was last read. */
  #sawOverflow = false;
  /** How many came early when the journal was read last. */
  #early = 0;
  #fetching: Promise<void> | null = null;
  #isBacklogged = false;
  readonly #budget: TurnBudget;
  #idleListeners: (() => void)[] = [];

  constructor(deps: KeyedQueueDeps) {
    this.#deps = deps;
    this.#budget = new TurnBudget(deps.arriving, () => this.#pump());
  }

  /** Takes a task that is in the journal, or leaves it there for now. */
  offer(task: Task): void {
    if (this.#inFlight.has(task.id)) return;
    if (this.#state === 'caught-up' && this.#inFlight.size < MAX_IN_FLIGHT && !this.#deps.isEarly(task)) {
      this.add(task);
      return;
    }
    this.#sawOverflow = true;
    if (this.#state === 'caught-up' || this.#state === 'early') this.#state = 'behind';
    this.#refill();
  }

  /** Adds a task that is in no journal, whatever is in flight. */
  add(task: Task): void {
    if (this.#state === 'stopped') return;
    this.#inFlight.add(task.id);
    this.#lines.add(task);
    this.#pump();
  }

  /** Reads the journal for pending entries. */
  catchUp(): void {
    if (this.#state === 'stopped') return;
    this.#state = 'behind';
    this.#refill();
  }

  /** Resolves when nothing is in flight or behind. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleListeners.push(resolve);
      this.#announceIdle();
    });
  }

  /** Finishes the running tasks; those that wait stay in the journal. */
  async stop(): Promise<void> {
    this.#state = 'stopped';
    for (const cancel of this.#retryTimers) cancel();
    await this.idle();
    await this.#fetching;
  }

  #pump(): void {
    const mayRun = (): boolean => this.#state !== 'stopped' && this.#lines.running < CONCURRENCY;
    while (mayRun() && this.#lines.hasNext && this.#budget.take()) {
      const task = this.#lines.next();
      if (task !== undefined) void this.#run(task); // never rejects; `idle` waits for it
    }
  }

  async #run(task: Task): Promise<void> {
    const { givingUp } = this.#deps;
    try {
      await task.work();
      givingUp.done(task.id);
    } catch (error) {
      if (!(await givingUp.failed(task.id, error))) this.#retryLater(task.id);
    }
    this.#inFlight.delete(task.id);
    this.#lines.end(task);
    this.#pump();
    this.#refill();
    this.#announceIdle();
  }

  /** Left to the journal until then; '' stands for the journal itself. */
  #retryLater(id: string): void {
    this.#backingOff.add(id);
    const cancel = this.#deps.clock.setTimer(RETRY_MS, () => {
      this.#retryTimers.delete(cancel);
      this.#backingOff.delete(id);
      this.catchUp();
    });
    this.#retryTimers.add(cancel);
  }

  /** Reads the journal when that is due. */
  #refill(): void {
    if (this.#fetching !== null || !this.#wantsMore()) return;
    this.#fetching = this.#fetch()
      .catch((error: unknown) => {
        this.#deps.log('the journal could not be read; tried again', { error: String(error) });
        if (this.#state !== 'stopped') this.#state = 'unreadable';
        this.#retryLater('');
      })
      .finally(() => {
        this.#fetching = null;
        this.#refill();
        this.#announceIdle();
      });
  }

  #wantsMore(): boolean {
    return this.#state === 'behind' && this.#inFlight.size <= REFILL_BELOW;
  }

  async #fetch(): Promise<void> {
    while (this.#wantsMore()) {
      this.#sawOverflow = false;
      const known = new Set([...this.#inFlight, ...this.#backingOff]);
      const tasks = await this.#deps.backlog(this.#early + FETCH_SIZE, known);
      if (tasks.length >= FETCH_SIZE) this.#note(true);
      const ready = this.#notEarly(tasks);
      this.#early = tasks.length - ready.length;
      for (const task of ready) this.add(task);
      if (this.#state !== 'behind' || ready.length > 0 || this.#sawOverflow) continue;
      if (this.#early > 0) this.#waitForEarlier();
      else {
        this.#state = 'caught-up';
        this.#note(false);
      }
    }
  }

  #note(isBacklogged: boolean): void {
    if (isBacklogged === this.#isBacklogged) return;
    this.#isBacklogged = isBacklogged;
    this.#deps.backlogged(isBacklogged);
  }

  /** What follows one that came early waits with it. */
  #notEarly(tasks: readonly Task[]): readonly Task[] {
    const waiting = new Set<string>();
    return tasks.filter((task) => {
      if (waiting.has(task.key) || this.#deps.isEarly(task)) waiting.add(task.key);
      return !waiting.has(task.key);
    });
  }

  #waitForEarlier(): void {
    this.#state = 'early';
    const cancel = this.#deps.clock.setTimer(EARLY_MS, () => {
      this.#retryTimers.delete(cancel);
      if (this.#state === 'early') this.catchUp();
    });
    this.#retryTimers.add(cancel);
  }

  #announceIdle(): void {
    const { size } = this.#inFlight;
    const isIdle =
      this.#state === 'stopped'
        ? this.#lines.running === 0
        : this.#state === 'caught-up' && size === 0 && this.#fetching === null;
    if (!isIdle) return;
    for (const listener of this.#idleListeners) listener();
    this.#idleListeners = [];
  }
}
