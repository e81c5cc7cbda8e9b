// Rows of one kind by their ids, each a signal: what shows one of them is drawn when that one changes.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';

export class RowTable<T> {
  readonly #idOf: (row: T) => string;
  readonly #rows = new Map<string, Signal<T>>();
  /** Grows when rows are added or removed. */
  readonly #changes = signal(0);

  /** All of them, in the order in which they came. */
  readonly all: ReadonlySignal<readonly T[]>;

  constructor(idOf: (row: T) => string) {
    this.#idOf = idOf;
    this.all = computed(() => (this.#changes.value, [...this.#rows.values()].map((row) => row.value)));
  }

  get(id: string): T | undefined {
    return this.#rows.get(id)?.value;
  }

  /** Adds rows, or puts them in the place of those with their ids. */
  put(rows: readonly T[]): void {
    let added = false;
    for (const row of rows) {
      const known = this.#rows.get(this.#idOf(row));
      if (known !== undefined) known.value = row;
      else {
        this.#rows.set(this.#idOf(row), signal(row));
        added = true;
      }
    }
    if (added) this.#changes.value += 1;
  }

  remove(id: string): void {
    if (this.#rows.delete(id)) this.#changes.value += 1;
  }
}
