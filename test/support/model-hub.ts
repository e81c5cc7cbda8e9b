// A hub as the link sees it, in a few lines: the chain of batches, rows of which the latest stays, and whom it would page. It can be away, lose
// answers, be rolled back, and belong to somebody else.
import type { HttpResult } from '../../src/lib/net/http.ts';
import { batchHash, batchSchema } from '../../src/model/link/batch.ts';
import { type Fact, factName, factSchema } from '../../src/model/link/fact.ts';
import { helloSchema } from '../../src/model/link/hello.ts';

/** What happens to a request: the hub cannot be reached, has no room, takes it and its answer is lost or replaced by a proxy's, or answers with a status. */
export type Fault = 'away' | 'busy' | 'answer lost' | 'answer replaced' | number;

interface Rows {
  readonly last: string | null;
  readonly facts: ReadonlyMap<string, Fact>;
}

export class ModelHub {
  /** For each request to come, in order; beyond them none. */
  faults: (Fault | null)[] = [];
  /** A fault for all of them. */
  always: Fault | null = null;
  /** What it says to each hello. */
  says: object = {};
  last: string | null = null;
  facts = new Map<string, Fact>();
  /** Notifications that were open when it first heard of them. */
  readonly paged: string[] = [];
  /** Every batch that it took: its facts. */
  readonly batches: (readonly Fact[])[] = [];
  /** Everything that was on the wire. */
  readonly wire: string[] = [];

  /** As of a backup. */
  snapshot(): Rows {
    return { last: this.last, facts: new Map(this.facts) };
  }

  restore({ last, facts }: Rows): void {
    this.last = last;
    this.facts = new Map(facts);
  }

  /** `now`: Unix ms by its own clock. */
  post(path: string, body: unknown, now: number): HttpResult {
    const text = JSON.stringify(body);
    this.wire.push(text);
    const fault = this.faults.shift() ?? this.always;
    if (fault === 'away') return { kind: 'network', error: 'the hub refused the connection', written: false };
    if (fault === 'busy') return answer(503, {}, 10_000);
    if (typeof fault === 'number') return answer(fault, { update: 'npm install -g belfry' });
    const given: unknown = JSON.parse(text);
    const result = path === '/hello' ? this.#hello(given, now) : this.#take(given, now);
    if (fault === 'answer replaced') return answer(503, {});
    return fault === 'answer lost' ? { kind: 'timeout', error: 'no answer', written: true } : result;
  }

  #hello(body: unknown, now: number): HttpResult {
    const { previous } = helloSchema.parse(body);
    return this.#conflict(previous) ?? answer(200, { machine: 'm1', v: 1, server_time: now, ...this.says });
  }

  #take(body: unknown, now: number): HttpResult {
    const { batch, previous, facts } = batchSchema.parse(body);
    if (batch === this.last) return answer(200, { batch, server_time: now }); // a repeat
    const conflict = this.#conflict(previous);
    if (conflict !== null) return conflict;
    const read = facts.map((fact) => factSchema.parse(fact));
    this.batches.push(read);
    for (const fact of read) this.#put(fact);
    this.last = batch;
    return answer(200, { batch, server_time: now });
  }

  #conflict(previous: string | null): HttpResult | null {
    if (previous === this.last) return null;
    return answer(409, { last_batch_hash: this.last === null ? null : batchHash(this.last) });
  }

  #put(fact: Fact): void {
    const name = factName(fact);
    const known = this.facts.get(name);
    if (known !== undefined && versionOf(fact) <= versionOf(known)) return;
    if (known === undefined && fact.type === 'notification' && fact.state === 'open') this.paged.push(fact.id);
    this.facts.set(name, fact);
  }
}

const versionOf = (fact: Fact): number => (fact.type === 'event' ? 0 : fact.version);

function answer(status: number, body: object, retryAfter?: number): HttpResult {
  return { kind: 'answer', status, headers: {}, body: JSON.stringify(body), retryAfter };
}
