// Which file of the spool comes next: the backlog in order, new ones not behind a long backlog.

/** Up to this many files of a backlog are taken before anything new, so that each session stays in order. */
const SHORT = 2_000;

/** Names, each at most once. */
export class SpoolQueue {
  #backlog: string[] = [];
  #at = 0;
  readonly #fresh: string[] = [];
  readonly #known = new Set<string>();
  #turn = false;

  /** Sorted already. */
  addBacklog(names: readonly string[]): void {
    const more = names.filter((name) => this.#remember(name));
    this.#backlog = [...this.#backlog.slice(this.#at), ...more];
    this.#at = 0;
  }

  addFresh(name: string): void {
    if (this.#remember(name)) this.#fresh.push(name);
  }

  clear(): void {
    this.#backlog = [];
    this.#at = 0;
    this.#fresh.length = 0;
    this.#known.clear();
  }

  /** The next name, which may be added again from now on. */
  next(): string | undefined {
    const name = this.#preferFresh() ? this.#fresh.shift() : (this.#fromBacklog() ?? this.#fresh.shift());
    if (name !== undefined) this.#known.delete(name);
    return name;
  }

  get size(): number {
    return this.#backlog.length - this.#at + this.#fresh.length;
  }

  #preferFresh(): boolean {
    this.#turn = !this.#turn;
    return this.#turn && this.#fresh.length > 0 && this.#backlog.length - this.#at > SHORT;
  }

  #fromBacklog(): string | undefined {
    return this.#at < this.#backlog.length ? this.#backlog[this.#at++] : undefined;
  }

  #remember(name: string): boolean {
    if (this.#known.has(name)) return false;
    this.#known.add(name);
    return true;
  }
}
