// Which file of the spool comes next: the one whose event began first.

/** A file's name, and what it is sorted by: its event's id without separators, which begins with a time in 12 hexadecimal digits. */
export interface SpoolName {
  readonly name: string;
  readonly order: string;
}

/** Unix ms in the first digits of what a file is sorted by; NaN: it has none, as its name is none of ours. */
export const begunAt = ({ order }: SpoolName): number =>
  Number(/^[\da-f]{12}/.test(order) ? `0x${order.slice(0, 12)}` : NaN);

/** Compares by what names are sorted by. */
export const bySpoolOrder = (a: SpoolName, b: SpoolName): number =>
  a.order < b.order ? -1 : a.order > b.order ? 1 : 0;

/** After so many names taken the room of those is given back. */
const COMPACTED = 1_024;

/** Names in order, each at most once. */
export class SpoolQueue {
  #names: SpoolName[] = [];
  /** Place of the next one. */
  #next = 0;
  readonly #known = new Set<string>();

  /** A whole folder, in order. */
  addAll(names: readonly SpoolName[]): void {
    const more = names.filter(({ name }) => this.#remember(name));
    this.#names = this.#names.slice(this.#next).concat(more);
    if (this.#next < this.#names.length - more.length) this.#names.sort(bySpoolOrder);
    this.#next = 0;
  }

  /** After those that are sorted alike. */
  add(added: SpoolName): void {
    if (!this.#remember(added.name)) return;
    const isBefore = (at: number): boolean => bySpoolOrder(this.#names[at] ?? added, added) <= 0;
    let [from, to] = [this.#next, this.#names.length];
    if (to > from && isBefore(to - 1)) from = to; // most often it is the latest
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (isBefore(middle)) from = middle + 1;
      else to = middle;
    }
    this.#names.splice(from, 0, added);
  }

  clear(): void {
    this.#names = [];
    this.#next = 0;
    this.#known.clear();
  }

  /** The next one, which may be added again from now on. */
  take(): SpoolName | undefined {
    const found = this.first;
    if (found === undefined) return undefined;
    this.#known.delete(found.name);
    this.#next += 1;
    if (this.#next >= COMPACTED || this.#next === this.#names.length) {
      this.#names = this.#names.slice(this.#next);
      this.#next = 0;
    }
    return found;
  }

  /** The next one. */
  get first(): SpoolName | undefined {
    return this.#names[this.#next];
  }

  get size(): number {
    return this.#names.length - this.#next;
  }

  #remember(name: string): boolean {
    if (this.#known.has(name)) return false;
    this.#known.add(name);
    return true;
  }
}
