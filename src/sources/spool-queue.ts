// Which file of the spool comes next: the backlog in order, new ones not behind a long backlog.

/** Up to this many files of a backlog are taken before anything new, so that each session stays in order. */
const SHORT = 2_000;

/** Names, each at most once. */
export class SpoolQueue {
  /** The last one is the next: stored reversed so that pop() is O(1). */
  #backlog: string[] = [];
  readonly #fresh: string[] = [];
  readonly #known = new Set<string>();
  #turn = false;

  /** Sorted already. */
  addBacklog(names: readonly string[]): void {
    const more = names.filter((name) => this.#remember(name));
    this.#backlog = more.reverse().concat(this.#backlog);
  }

  addFresh(name: string): void {
    if (this.#remember(name)) this.#fresh.push(name);
  }

  clear(): void {
    this.#backlog = [];
    this.#fresh.length = 0;
    this.#known.clear();
  }

  /** The next name, which may be added again from now on. */
  next(): string | undefined {
    const name = this.#preferFresh() ? this.#fresh.shift() : (this.#backlog.pop() ?? this.#fresh.shift());
    if (name !== undefined) this.#known.delete(name);
    return name;
  }

  get size(): number {
    return this.#backlog.length + this.#fresh.length;
  }

  #preferFresh(): boolean {
    this.#turn = !this.#turn;
    return this.#turn && this.#fresh.length > 0 && this.#backlog.length > SHORT;
  }

  #remember(name: string): boolean {
    if (this.#known.has(name)) return false;
    this.#known.add(name);
    return true;
  }
}
