// The workers, one a channel: each begins with its channel, is retired some time after it, and begins again when it comes back.
import { Accounts } from '../channel/accounts.ts';
import type { ConfiguredChannel } from '../channel/configured-channel.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { RemovedChannels } from '../policy/removed-channels.ts';
import { startWorker, type Worker } from './worker.ts';

/** Ms that a worker may take to finish what it is sending. */
export const GRACE = 5_000;

/** Ms that a removed channel's worker goes on: what was decided before the settings changed may be written after, and still goes out. */
const RETIREMENT = 10_000;

/** One channel's place. */
type Place =
  | { readonly state: 'working'; readonly worker: Worker }
  /** The channel was removed; the worker still goes on. */
  | { readonly state: 'retiring'; readonly worker: Worker; readonly cancel: () => void }
  /** The worker finishes what it sends: the channel begins again only afterwards. */
  | { readonly state: 'ending'; readonly ended: Promise<void> };

/** Begins with a worker for each channel. */
export class WorkerPool {
  readonly #deps: DeliveryDeps;
  readonly #removed: RemovedChannels;
  readonly #accounts: Accounts;
  readonly #places = new Map<string, Place>();
  #channels: ReadonlyMap<string, ConfiguredChannel>;
  #stopped = false;

  constructor(channels: ReadonlyMap<string, ConfiguredChannel>, deps: DeliveryDeps, removed: RemovedChannels) {
    this.#deps = deps;
    this.#accounts = new Accounts(deps.clock);
    this.#removed = removed;
    this.#channels = channels;
    for (const configured of channels.values()) this.#begin(configured);
  }

  /** Those of the settings. */
  get channels(): ReadonlyMap<string, ConfiguredChannel> {
    return this.#channels;
  }

  /** True when nothing is being sent. */
  get idle(): boolean {
    return [...this.#places.values()].every((place) => place.state !== 'ending' && place.worker.idle);
  }

  /** The workers that go on, by channel. */
  workers(): ReadonlyMap<string, Worker> {
    const found = [...this.#places].flatMap(([name, place]) =>
      place.state === 'ending' ? [] : [[name, place.worker] as const],
    );
    return new Map(found);
  }

  /** The worker of a channel that is in the settings, once one that ends is through. */
  async workerOf(name: string): Promise<Worker | undefined> {
    const place = this.#places.get(name);
    if (place?.state === 'ending') await place.ended;
    return this.#channels.has(name) ? this.workers().get(name) : undefined;
  }

  readonly isServed = (name: string): boolean => this.#channels.has(name) || this.#places.has(name);

  configure(next: ReadonlyMap<string, ConfiguredChannel>): void {
    if (this.#stopped) return;
    this.#channels = next;
    for (const configured of next.values()) this.#take(configured);
    for (const [name, place] of this.#places)
      if (place.state === 'working' && !next.has(name)) this.#retire(name, place.worker);
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    const places = [...this.#places.values()];
    for (const place of places) if (place.state === 'retiring') place.cancel();
    await Promise.all(places.map((place) => (place.state === 'ending' ? place.ended : place.worker.stop(graceMs))));
  }

  #begin(configured: ConfiguredChannel): void {
    this.#places.set(configured.name, {
      state: 'working',
      worker: startWorker(configured, this.#deps, this.#accounts),
    });
  }

  #take(configured: ConfiguredChannel): void {
    const place = this.#places.get(configured.name);
    if (place?.state === 'ending') return; // begins with these settings when it is through
    if (place === undefined) {
      this.#begin(configured);
      return;
    }
    if (place.state === 'retiring') place.cancel();
    this.#places.set(configured.name, { state: 'working', worker: place.worker });
    place.worker.configure(configured);
    place.worker.probe();
  }

  #retire(name: string, worker: Worker): void {
    const end = (): void => void this.#places.set(name, { state: 'ending', ended: this.#end(name, worker) });
    this.#places.set(name, { state: 'retiring', worker, cancel: this.#deps.clock.setTimer(RETIREMENT, end) });
  }

  async #end(name: string, worker: Worker): Promise<void> {
    await worker.stop(GRACE);
    this.#places.delete(name);
    const back = this.#channels.get(name);
    if (back && !this.#stopped) this.#begin(back);
    else await this.#removed.giveUp(this.isServed);
  }
}
