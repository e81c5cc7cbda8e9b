// Tasks waiting in lines: one line a key, each in order, of which one task runs at a time.

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

/** The lines; who runs tasks asks for the next one and says when it has ended. */
export class TaskLines {
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
