// A laptop's link against a hub that fails in every way it may: a real store, a virtual clock, and a hub of a few lines. Nothing is lost, nobody is
// paged for what is over, and nothing on the way has what was to stay.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newLink } from '../../src/link/chain.ts';
import { withMatch } from '../../src/link/forward.ts';
import { Link, type LinkDeps, type Turn } from '../../src/link/link.ts';
import { type LinkMemory, linkMemory } from '../../src/link/memory.ts';
import { notificationIdOf } from '../../src/model/ids.ts';
import { batchHash } from '../../src/model/link/batch.ts';
import type { Fact } from '../../src/model/link/fact.ts';
import type { Level } from '../../src/model/notification/notification.ts';
import { matchSchema } from '../../src/model/settings/routes.ts';
import type { Store } from '../../src/store/contract.ts';
import { openStore } from '../../src/store/open.ts';
import { seeded } from '../redaction/examples.ts';
import { temporaryFolder } from '../support/home.ts';
import { making } from '../support/link.ts';
import { madeDecision, madeEvent, madeNotification, madeSession, NOON, SESSION } from '../support/made.ts';
import { type Fault, ModelHub } from '../support/model-hub.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Turns after which a link is taken to go round in circles. */
const MOST_TURNS = 5_000;

class World {
  readonly hub = new ModelHub();
  level: Level = 'full';
  link: Link | null = null;
  readonly store: Store;
  readonly memory: LinkMemory;
  readonly #clock: { now: number };
  readonly #random: () => number;
  #count = 0;

  private constructor(store: Store, clock: { now: number }, random: () => number) {
    this.store = store;
    this.memory = linkMemory('work', store);
    this.#clock = clock;
    this.#random = random;
  }

  /** A machine that has joined with this match. */
  static async joined(match: object = {}, random = () => 0.5): Promise<World> {
    const clock = { now: NOON };
    const store = await openStore(join(temporaryFolder(), 'belfry.db'), { now: () => clock.now });
    onTestFinished(() => store.close());
    const world = new World(store, clock, random);
    const row = await store.lastEventRow();
    const { cursor } = await store.changesSince(null, 0);
    const forwarding = withMatch(null, { after: row, at: NOON, match: matchSchema.parse(match) });
    await world.memory.save(newLink({ epoch: 'e1', cursor, row, forwarding }, NOON));
    return world;
  }

  get now(): number {
    return this.#clock.now;
  }

  set now(now: number) {
    this.#clock.now = now;
  }

  #deps(): LinkDeps {
    return {
      store: this.store,
      memory: this.memory,
      clock: { now: () => this.now },
      random: this.#random,
      newId: randomUUID,
      post: async (path, body) => this.hub.post(path, body, this.now),
      reading: () => ({
        ...making({ level: this.level }),
        home: '/home/dev',
        machine: { name: 'box', versions: {} },
        presenceOf: () => null,
      }),
      hello: () => ({ name: 'box', os: 'linux', version: '0.3.0', answer: 'own' }),
    };
  }

  /** The daemon begins, with what it remembers. */
  async start(): Promise<Link> {
    const kept = await this.memory.load();
    if (kept === null) throw new Error('it has joined');
    this.link = new Link(kept, this.#deps());
    return this.link;
  }

  /** An event with its notification and its session; its number. */
  async happens(cwd = '/home/dev/work'): Promise<number> {
    this.#count += 1;
    const n = this.#count;
    const sessionId = `s${n % 7}`;
    const event = madeEvent({ id: `e${n}`, sessionId, cwd, at: this.now });
    const known = await this.store.session({ ...SESSION, sessionId });
    const times = { createdAt: this.now, updatedAt: this.now };
    const notification = madeNotification({
      id: notificationIdOf(`e${n}`),
      eventIds: [`e${n}`],
      threadKey: `t${n}`,
      ...times,
    });
    const session = { ...(known ?? madeSession({ sessionId })), cwd, lastEvent: this.now };
    const decision = madeDecision({
      ...{ entryId: `e${n}`, at: this.now, notifications: [notification], sessions: [session] },
      events: [{ event, fingerprint: null, verdicts: [] }],
    });
    expect(await this.store.commit([decision])).toEqual(['written']);
    return n;
  }

  /** It is over. */
  async ends(n: number): Promise<void> {
    const row = await this.store.notification(notificationIdOf(`e${n}`));
    if (row === null || row.state !== 'open') return;
    const resolved = { at: this.now, why: 'answered at the terminal' };
    const done = { ...row, state: 'resolved', resolved, updatedAt: this.now } as const;
    expect(
      await this.store.commit([madeDecision({ entryId: `end${n}`, at: this.now, events: [], notifications: [done] })]),
    ).toEqual(['written']);
  }

  /** Turns until nothing is left to do before a change, or before a time; the clock stands where it waited to. */
  async drain(until = Number.POSITIVE_INFINITY): Promise<Turn> {
    const link = this.link ?? (await this.start());
    for (let turns = 0; turns < MOST_TURNS; turns += 1) {
      const turn = await link.turn();
      if (turn === 'again') continue;
      if (turn.until === null || turn.until > until) return turn;
      this.now = turn.until;
    }
    throw new Error('it does not come to rest');
  }

  /** What the hub knows of each notification, and what is so. */
  async compared(): Promise<{ readonly hub: object; readonly laptop: object }> {
    const here = await this.store.notifications({ limit: 10_000 });
    const there = [...this.hub.facts.values()].filter((fact) => fact.type === 'notification');
    const states = (rows: readonly { readonly id: string; readonly state: string; readonly version: number }[]) =>
      Object.fromEntries(rows.map(({ id, state, version }) => [id, `${state} ${version}`]).sort());
    return { hub: states(there), laptop: states(here) };
  }

  async expectSame(): Promise<void> {
    const { hub, laptop } = await this.compared();
    expect(hub).toEqual(laptop);
  }

  phase(): string | undefined {
    return this.link?.chain.phase.at;
  }
}

const idOf = (n: number): string => notificationIdOf(`e${n}`);
const factsOf = (hub: ModelHub, type: Fact['type']): readonly Fact[] =>
  [...hub.facts.values()].filter((fact) => fact.type === type);

describe('on a good day', () => {
  test('what happens is with the hub at once, and what becomes of it', async () => {
    const world = await World.joined();
    expect(await world.drain()).toEqual({ until: null, orChange: true });
    expect(world.hub.batches).toEqual([]);
    const n = await world.happens();
    await world.drain();
    await world.ends(n);
    await world.drain();
    await world.expectSame();
    expect(world.hub.batches).toHaveLength(2);
    expect(world.hub.paged).toEqual([idOf(n)]);
    expect(world.now).toBe(NOON);
  });

  test('a restart sends nothing again', async () => {
    const world = await World.joined();
    await world.happens();
    await world.drain();
    await world.start();
    await world.drain();
    expect(world.hub.batches).toHaveLength(1);
  });

  test('what is excluded does not leave, and never does', async () => {
    const world = await World.joined({ cwd: '~/work/**' });
    const link = await world.start();
    await world.happens('/home/dev/private-plans');
    await world.drain();
    await link.forward({});
    await world.ends(1);
    await world.happens();
    await world.drain();
    expect(world.hub.wire.join('\n')).not.toContain('private-plans');
    expect(factsOf(world.hub, 'notification')).toMatchObject([{ id: idOf(2) }]);
    expect((await world.memory.load())?.forwarding).toHaveLength(2);
  });

  test('a hub that wants less gets less at once', async () => {
    const world = await World.joined();
    world.hub.says = { level_at_most: 'title' };
    await world.happens();
    await world.drain();
    expect(factsOf(world.hub, 'event')).toMatchObject([{ message: null, cwd: null, attributes: {} }]);
  });

  test('a hub that wants more gets no more', async () => {
    const world = await World.joined();
    world.level = 'title';
    world.hub.says = { level_at_most: 'full' };
    await world.happens();
    await world.drain();
    expect(world.hub.wire.join('\n')).not.toContain('/home/dev/work');
  });
});

describe('other settings while a resync is under way', () => {
  test.each<[string, (world: World, link: Link) => Promise<void>]>([
    ['a folder is excluded', (_world, link) => link.forward(matchSchema.parse({ cwd: '~/play/**' }))],
    [
      'the level is lower',
      async (world) => {
        world.level = 'title';
      },
    ],
  ])('%s: what was read before does not leave any more', async (_name, change) => {
    const world = await World.joined();
    const link = await world.start();
    world.hub.says = { limits: { facts: 10 } };
    for (let i = 0; i < 30; i += 1) await world.happens();
    await world.drain();
    const { length } = world.hub.wire;
    await link.hears({ type: 'resync', what: 'open' });
    await link.turn();
    expect(world.hub.wire.slice(length).join('\n')).toContain('/home/dev/work');
    await change(world, link);
    const after = world.hub.wire.length;
    await world.drain();
    expect(link.chain.kept.backlog).toBeNull();
    expect(world.hub.wire.slice(after).join('\n')).not.toContain('/home/dev/work');
  });

  test('a command that comes while the last batch of what is open is under way is not lost', async () => {
    const world = await World.joined();
    const link = await world.start();
    await world.happens();
    await world.drain();
    const { length } = world.hub.batches;
    const { post } = ModelHub.prototype;
    world.hub.post = (path, sent, now) => {
      world.hub.post = post;
      void link.hears({ type: 'resync', what: 'open' });
      return post.call(world.hub, path, sent, now);
    };
    await link.hears({ type: 'resync', what: 'open' });
    await world.drain();
    const machines = world.hub.batches
      .slice(length)
      .flat()
      .filter(({ type }) => type === 'machine');
    expect(machines).toHaveLength(2);
  });
});

describe('what goes wrong', () => {
  test('hub down for a day: the laptop goes on, facts coalesce, and only what is still open pages', async () => {
    const world = await World.joined();
    await world.drain();
    world.hub.always = 'away';
    for (let i = 0; i < 60; i += 1) {
      const n = await world.happens();
      if (n % 3 !== 0) await world.ends(n);
      await world.drain(world.now + 10 * 60 * SECOND);
    }
    expect(world.phase()).toBe('waiting');
    world.hub.always = null;
    await world.drain();
    await world.expectSame();
    expect(world.hub.paged).toEqual(Array.from({ length: 20 }, (_, i) => idOf(3 * (i + 1))));
    expect(world.hub.batches.length).toBeLessThan(5);
  });

  test('away for longer than the feed is kept: first what is open or over since, then history', async () => {
    const world = await World.joined();
    const before = await world.happens();
    await world.drain();
    world.hub.always = 'away';
    await world.drain(world.now + 60 * SECOND);
    await world.ends(before);
    for (let i = 0; i < 130; i += 1) {
      const n = await world.happens();
      if (n % 10 !== 0) await world.ends(n);
    }
    world.now += 2 * DAY;
    const rules = { maxAgeMs: 30 * DAY, maxBytes: 1e12, rawAgeMs: DAY, deadAgeMs: DAY };
    await world.store.prune({ now: world.now, ...rules });
    world.hub.always = null;
    const began = world.now;
    const { length } = world.hub.batches;
    await world.drain();
    await world.expectSame();
    expect(world.hub.paged).toEqual([before, ...Array.from({ length: 13 }, (_, i) => 10 * (i + 1))].map(idOf));
    const [open = []] = world.hub.batches.slice(length);
    expect(open).toContainEqual(expect.objectContaining({ id: idOf(before), state: 'resolved' }));
    expect(factsOf(world.hub, 'event')).toHaveLength(131);
    // At most 50 events a second.
    expect(world.now - began).toBeGreaterThanOrEqual(2 * SECOND);
  });

  test.each<[string, readonly (Fault | null)[]]>([
    ['the answer to a batch is lost', [null, 'answer lost']],
    ['the answer to a hello is lost', ['answer lost']],
    ['again and again', [null, 'answer lost', null, 'answer lost', 'answer lost', null, 'answer lost']],
    ['and the hub is away then', [null, 'answer lost', 'away', 'away', 'busy', 500, null]],
    ['a proxy answers instead', [502, null, 503, null, 504, null]],
  ])('%s: nothing is lost and nothing pages twice', async (_name, faults) => {
    const world = await World.joined();
    world.hub.faults = [...faults];
    for (let i = 0; i < 6; i += 1) {
      await world.happens();
      if (i === 3) await world.ends(2);
      await world.drain();
    }
    await world.expectSame();
    expect(new Set(world.hub.paged).size).toBe(world.hub.paged.length);
    expect(world.hub.paged).toContain(idOf(6));
  });

  test('the daemon is killed while a batch is under way, and what is over by then does not page', async () => {
    const world = await World.joined();
    await world.drain();
    await world.happens();
    world.hub.faults = ['answer lost'];
    await world.drain(world.now);
    await world.start();
    await world.ends(1);
    await world.happens();
    await world.drain();
    await world.expectSame();
    expect(world.hub.paged).toEqual([idOf(1), idOf(2)]);
  });

  test('no room: it waits as long as it was asked to, and what happens meanwhile is one batch', async () => {
    const world = await World.joined();
    await world.happens();
    world.hub.faults = [null, 'busy', 'busy'];
    await world.drain();
    await world.expectSame();
    expect(world.now).toBe(NOON + 20 * SECOND);
    expect(world.hub.batches).toHaveLength(1);
  });

  test('a proxy says that there is no room for what the hub has taken: what happens meanwhile is not lost', async () => {
    const world = await World.joined();
    await world.happens();
    world.hub.faults = [null, 'answer replaced'];
    await world.drain(world.now);
    expect(world.phase()).toBe('waiting');
    await world.happens();
    await world.drain();
    await world.expectSame();
  });

  test('a resync that is interrupted begins again', async () => {
    const world = await World.joined();
    const link = await world.start();
    world.hub.says = { limits: { facts: 10 } };
    for (let i = 0; i < 30; i += 1) await world.happens();
    await world.drain();
    world.hub.facts.clear();
    world.hub.faults = [null, null, 'busy', null, 'away', null, null, 'answer lost'];
    await link.hears({ type: 'resync', what: 'open' });
    await world.drain();
    await world.expectSame();
  });

  test('a hub that was rolled back gets again what it has lost, and its last batch is the first to go on from', async () => {
    const world = await World.joined();
    for (let i = 0; i < 5; i += 1) {
      await world.happens();
      await world.drain();
    }
    const yesterday = world.hub.snapshot();
    for (let i = 0; i < 5; i += 1) {
      const n = await world.happens();
      if (n % 2 === 0) await world.ends(n);
      await world.ends(n - 5);
      await world.drain();
    }
    world.hub.restore(yesterday);
    world.hub.paged.length = 0;
    await world.happens();
    await world.drain();
    await world.expectSame();
    expect(world.hub.paged).toEqual([7, 9, 11].map(idOf));
  });

  test('a hub that was rolled back to within a resync gets its history again', async () => {
    const world = await World.joined();
    const link = await world.start();
    for (let i = 0; i < 120; i += 1) await world.happens();
    for (let n = 1; n < 120; n += 1) await world.ends(n);
    world.now += HOUR;
    await world.drain();
    world.hub.facts.clear();
    await link.hears({ type: 'resync', what: 'all' });
    while (link.chain.kept.backlog?.stage !== 'history') await link.turn();
    await world.happens();
    await link.turn();
    const within = world.hub.snapshot();
    await world.drain();
    await world.expectSame();
    world.hub.restore(within);
    await world.happens();
    await world.drain();
    await world.expectSame();
    expect(factsOf(world.hub, 'event')).toHaveLength(122);
  });

  test('a hub that has nothing of this machine any more gets everything since the join', async () => {
    const world = await World.joined();
    for (let i = 0; i < 60; i += 1) await world.happens();
    for (let n = 1; n < 60; n += 1) await world.ends(n);
    await world.drain();
    world.hub.restore({ last: null, facts: new Map() });
    world.hub.paged.length = 0;
    await world.happens();
    await world.drain();
    await world.expectSame();
    expect(factsOf(world.hub, 'event')).toHaveLength(61);
    expect(world.hub.paged).toEqual([60, 61].map(idOf));
  });

  test('a hub that names the same batch again and again is not asked without end', async () => {
    const world = await World.joined();
    await world.happens();
    await world.drain();
    const { last } = world.hub;
    const { post } = ModelHub.prototype;
    let refused = 0;
    world.hub.post = (path, sent, now) => {
      if (path === '/hello') return post.call(world.hub, path, sent, now);
      refused += 1;
      const body = JSON.stringify({ last_batch_hash: batchHash(String(last)) });
      return { kind: 'answer', status: 409, headers: {}, body, retryAfter: undefined };
    };
    await world.happens();
    await world.drain(world.now + HOUR);
    expect(refused).toBeGreaterThan(3);
    expect(refused).toBeLessThan(50);
  });

  test('a fork: the hub has a batch that this machine never sent; nothing leaves until its owner has decided', async () => {
    const world = await World.joined();
    await world.happens();
    await world.drain();
    world.hub.last = randomUUID();
    await world.happens();
    await world.drain(world.now + HOUR);
    expect(world.phase()).toBe('forked');
    expect(world.hub.batches).toHaveLength(1);
    world.hub.last = null;
    await world.drain();
    await world.expectSame();
  });

  test('the laptop’s disk is restored, or its image is cloned: a fork, and not sent over what the hub has', async () => {
    const world = await World.joined();
    await world.happens();
    await world.drain();
    const backup = await world.memory.load();
    if (backup === null) throw new Error('it is there');
    await world.happens();
    await world.drain();
    // As the backup has it: without the batches since.
    await world.store.setCursor(`link:work:${backup.serial}`, null);
    await world.memory.save(backup);
    await world.start();
    await world.happens();
    await world.drain(world.now + HOUR);
    expect(world.phase()).toBe('forked');
    expect(world.hub.batches).toHaveLength(2);
  });

  test.each([
    ['outdated', 426],
    ['refused', 401],
    ['refused', 403],
  ] as const)('%s by %i: nothing leaves, and an hour later it is asked again', async (phase, status) => {
    const world = await World.joined();
    world.hub.always = status;
    await world.happens();
    const requests = world.hub.wire.length;
    await world.drain(world.now + 3 * HOUR);
    expect(world.phase()).toBe(phase);
    expect(world.hub.wire.length - requests).toBeLessThanOrEqual(5);
    expect(world.hub.batches).toEqual([]);
    world.hub.always = null;
    await world.drain();
    await world.expectSame();
  });

  test('the hub asks for everything, and for everything again', async () => {
    const world = await World.joined();
    const link = await world.start();
    for (let i = 0; i < 3; i += 1) await world.happens();
    await world.drain();
    const { length } = world.hub.batches;
    await link.hears({ type: 'resync', what: 'all' });
    await world.drain();
    const all = world.hub.batches.slice(length).flat();
    expect(all.filter(({ type }) => type === 'event').length).toBeGreaterThanOrEqual(3);
    await link.hears({ type: 'resync', what: 'all' });
    await world.drain();
    expect(link.chain.kept).toMatchObject({ resyncedAt: NOON, backlog: null });
    await world.expectSame();
  });

  test('a token that is revoked on the way ends it', async () => {
    const world = await World.joined();
    const link = await world.start();
    await world.drain();
    await link.hears({ type: 'refused', why: 'the laptop was stolen' });
    await world.happens();
    expect(await world.drain(world.now)).toMatchObject({ orChange: false });
    expect(world.hub.batches).toEqual([]);
  });

  test.each([
    ['500 bytes that are no JSON', 'x'.repeat(500)],
    ['JSON of another kind', '[1]'],
    ['the answer to another batch', JSON.stringify({ batch: randomUUID(), server_time: 1 })],
  ])('a hub that answers with %s is taken to have said nothing', async (_name, body) => {
    const world = await World.joined();
    await world.happens();
    const { post } = ModelHub.prototype;
    world.hub.post = (path, sent, now) => {
      const result = post.call(world.hub, path, sent, now);
      return path === '/facts' && result.kind === 'answer' ? { ...result, body } : result;
    };
    await world.drain(world.now);
    expect(world.phase()).toBe('waiting');
    world.hub.post = post;
    await world.drain();
    await world.expectSame();
  });

  test.each([
    ['2035', Date.UTC(2035, 0, 1)],
    ['1970', 5_000],
  ])('the laptop’s clock is in %s for a while', async (_name, then) => {
    const world = await World.joined();
    await world.drain();
    world.now = then;
    world.hub.faults = ['away'];
    await world.happens();
    await world.drain();
    await world.expectSame();
    world.now = NOON + HOUR;
    await world.happens();
    await world.drain(NOON + 2 * HOUR);
    await world.expectSame();
  });
});

test.each(Array.from({ length: 12 }, (_, seed) => [seed]))(
  'whatever goes wrong, in whatever order, both sides agree in the end (seed %i)',
  async (seed) => {
    const draw = seeded(seed + 1);
    const world = await World.joined({}, () => draw(1_000) / 1_000);
    const faults: readonly Fault[] = ['away', 'busy', 'answer lost', 'answer lost', 'answer replaced', 500, 503];
    const backups = [world.hub.snapshot()];
    let happened = 0;
    for (let step = 0; step < 80; step += 1) {
      const what = draw(10);
      if (what < 4) happened = await world.happens();
      else if (what < 6 && happened > 0) await world.ends(1 + draw(happened));
      else if (what === 6) world.hub.faults.push(faults[draw(faults.length)] ?? null);
      else if (what === 7) await world.start();
      else if (what === 8) backups.push(world.hub.snapshot());
      else if (draw(4) === 0) world.hub.restore(backups[draw(backups.length)] ?? { last: null, facts: new Map() });
      world.now += draw(20) * SECOND;
      await world.drain(world.now + draw(30) * SECOND);
    }
    world.hub.faults = [];
    await world.happens();
    await world.drain();
    await world.expectSame();
    expect(world.phase()).toBe('following');
  },
);
