// Stopped sessions go on: after a reset, after pauses, by a person's wish; one of an account first, never twice, never against their client. Real store and pipeline, virtual time; only who hands the instruction over is a stand-in.
import { expect, onTestFinished, test } from 'vitest';
import type { Event } from '../../../src/model/event/event.ts';
import { notificationIdOf } from '../../../src/model/ids.ts';
import {
  type Bench,
  bench,
  feed,
  finished,
  limited,
  MINUTE,
  nexts,
  overloaded,
  prompt,
} from '../../support/going-on.ts';
import { timersDue } from '../../support/timers.ts';
import { seeded } from '../../torture/size.ts';

/** Each that is given its instruction works, and fails with this a second later; false: it does not fail. */
function stopsAgain(at: Bench, failure: (session: string) => Record<string, unknown> | false): void {
  at.client = async (session) => {
    await at.feed(prompt(session), { agent: 'claude' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await at.clock.advance(1_000);
    const failed = failure(session);
    if (failed) await at.feed(failed, { agent: 'claude' });
  };
}

test('of three sessions at the reset one goes first, and the others a minute later', async () => {
  const at = await bench();
  await feed(at, prompt('a'), prompt('b'), prompt('c'));
  await feed(at, limited('a', '12:10pm'), limited('b', '12:10pm'), limited('c', '12:10pm'));
  expect(await nexts(at)).toEqual(['a planned', 'b planned', 'c planned']);
  await at.pass(10 * MINUTE);
  expect(at.given).toEqual([]);
  await at.pass(2 * MINUTE);
  expect(at.given).toEqual(['a']);
  await at.pass(5 * MINUTE);
  expect([...at.given].sort()).toEqual(['a', 'b', 'c']);
  const events = await at.store.events({ kinds: ['agent.other'] });
  const went = events.flatMap(({ event }) => (event.detail === 'continued' ? [event.message] : []));
  expect(went).toHaveLength(3);
  expect(went[0]).toMatch(/^It goes on by itself after it had stopped for 1[12] min\.$/);
  expect(await timersDue(at.store)).toEqual([]);
});

test('a limit that is reached again stops the others until it resets, and people are notified of it once', async () => {
  const at = await bench();
  await feed(at, prompt('a'), prompt('b'));
  await feed(at, limited('a', '12:10pm'), limited('b', '12:10pm'));
  stopsAgain(at, (session) => at.given.length === 1 && limited(session, '2:10pm'));
  await at.pass(12 * MINUTE);
  expect(at.given).toEqual(['a']);
  await at.pass(60 * MINUTE);
  expect(at.given).toEqual(['a']);
  await at.pass(62 * MINUTE);
  expect(at.given.slice(1).sort()).toEqual(['a', 'b']);
  const reached = (await at.notified()).filter(({ content }) => content.event.kind === 'limit.reached');
  expect(reached).toHaveLength(2); // the first time, and the second
});

test('after an overload it goes on by growing pauses, at most so often a day', async () => {
  const at = await bench('[resume]\non = ["overloaded"]\nmost = 2\n');
  await feed(at, prompt('a'), overloaded('a'));
  stopsAgain(at, overloaded);
  await at.pass(2 * MINUTE);
  expect(at.given).toHaveLength(0);
  await at.pass(MINUTE);
  expect(at.given).toHaveLength(1);
  await at.pass(4 * MINUTE);
  expect(at.given).toHaveLength(1);
  await at.pass(3 * MINUTE);
  expect(at.given).toHaveLength(2);
  await at.pass(120 * MINUTE);
  expect(at.given).toHaveLength(2);
  expect(await nexts(at)).toEqual(['a ready']);
});

test('nothing goes on by itself unless the settings say so, and people hear beforehand where they do', async () => {
  const off = await bench('');
  await feed(off, prompt('a'), overloaded('a'));
  expect(await nexts(off)).toEqual(['a ready']);
  await off.pass(60 * MINUTE);
  expect(off.given).toEqual([]);
  const bodies = async (at: Bench) => (await at.notified()).map(({ content }) => content.body).join('\n');
  expect(await bodies(off)).not.toContain('not-now');
  const on = await bench();
  await feed(on, prompt('a'), overloaded('a'));
  expect((await bodies(on)).match(/`belfry continue --not-now` prevents that/g)).toHaveLength(1);
  // Nothing is promised of what only its terminal can go on with.
  const others = await bench();
  await feed(others, prompt('b'), limited('b', '2pm'));
  const failed = { sessionId: 'c', cwd: '/home/dev/c', error: { message: '503 Overloaded' }, recoverable: true };
  await others.feed({ hookName: 'errorOccurred', timestamp: 1, ...failed }, { agent: 'copilot' });
  await others.settled();
  for (const notified of ['hit your session limit', '503 Overloaded']) expect(await bodies(others)).toContain(notified);
  expect(await bodies(others)).not.toContain('not-now');
});

test('one that somebody touched since, or that is held, is never instructed', async () => {
  const at = await bench();
  await feed(at, prompt('a'), prompt('b'), overloaded('a'), overloaded('b'));
  await feed(at, prompt('a'));
  expect((await at.goingOn.hold(null)).map(({ sessionId }) => sessionId)).toEqual(['b']);
  await at.pass(60 * MINUTE);
  expect(at.given).toEqual([]);
  expect(await nexts(at)).toEqual(['b ready']);
  expect(await timersDue(at.store)).toEqual([]);
});

test('an instruction that no prompt follows is held: said once, and never given again, after a restart either', async () => {
  const at = await bench();
  at.client = async () => undefined;
  await feed(at, prompt('a'), overloaded('a'));
  await at.pass(4 * MINUTE);
  expect(at.given).toEqual(['a']);
  const titles = (await at.notified()).map(({ content }) => content.title);
  expect(titles.filter((title) => title.includes('did not go on'))).toHaveLength(1);
  await at.restart();
  await at.pass(60 * MINUTE);
  expect(at.given).toEqual(['a']);
  expect(await nexts(at)).toEqual(['a terminal']);
});

test('a person lets one go on now, or at the reset; what its client or its terminal alone can do is refused', async () => {
  const at = await bench('');
  await feed(at, prompt('a'), prompt('b'));
  await feed(at, limited('a', '12:10pm'), overloaded('b'));
  const keys = (await at.goingOn.stopped()).map(({ record }) => record);
  const later = await at.goingOn.goOn(keys, 'reset', 'mara');
  expect(later.map(({ result, why }) => [result, why])).toEqual([
    ['planned', null],
    ['refused', 'no limit stopped it'],
  ]);
  const now = at.goingOn.goOn(keys.slice(1), 'now', 'mara');
  await at.settled();
  expect(await now).toMatchObject([{ result: 'continued', why: null }]);
  expect(at.given).toEqual(['b']);
  await at.pass(12 * MINUTE);
  expect(at.given).toEqual(['b', 'a']);
});

test('a daemon that is killed with a plan goes on with it; one that is killed while it sends sends nothing twice', async () => {
  const at = await bench();
  await feed(at, prompt('a'), overloaded('a'));
  await at.restart();
  await at.pass(4 * MINUTE);
  expect(at.given).toEqual(['a']);
  await at.restart();
  await at.pass(60 * MINUTE);
  expect(at.given).toEqual(['a']);
});

test('a plan that outlived its instruction, as its daemon was killed in between, gives no other one and says so', async () => {
  const at = await bench();
  at.client = async () => undefined;
  await feed(at, prompt('a'), overloaded('a'));
  const [plan] = (await timersDue(at.store)).filter(({ kind }) => kind === 'go-on');
  if (plan === undefined) throw new Error('nothing is planned');
  await at.pass(plan.due - at.clock.now() + 1);
  expect(at.given).toEqual(['a']);
  // As it stood before the instruction was known to be with its client.
  await at.store.setTimer(plan, at.clock.now());
  await at.restart();
  await at.pass(60 * MINUTE);
  expect(at.given).toEqual(['a']);
  const said = (await at.notified()).filter(({ content }) => content.title.includes('did not go on'));
  expect(said.map(({ content }) => content.body)).toEqual([expect.stringContaining('no prompt followed')]);
  expect(await timersDue(at.store)).toEqual([]);
});

test('while something of it is not decided yet, nothing is given and nothing is said', async () => {
  const at = await bench();
  await feed(at, prompt('a'), overloaded('a'));
  const planned = async () => (await timersDue(at.store)).filter(({ kind }) => kind === 'go-on');
  const [first] = await planned();
  await at.clock.advance((first?.due ?? 0) - at.clock.now() - 10);
  let decide: () => void = () => undefined;
  at.deciding = new Promise((resolve) => {
    decide = resolve;
  });
  onTestFinished(() => decide());
  await at.feed(prompt('a'), { agent: 'claude' });
  for (let look = 0; look < 5; look++) {
    const [plan] = await planned();
    if (plan === undefined) throw new Error('nothing is planned any more');
    await at.clock.advance(plan.due - at.clock.now());
    await at.goingOn.check(plan);
  }
  decide();
  await at.pass(60 * MINUTE);
  expect(at.given).toEqual([]);
  expect((await at.notified()).filter(({ content }) => content.title.includes('did not go on'))).toEqual([]);
  expect(await timersDue(at.store)).toEqual([]);
});

test('what was planned and cannot be any more is said, once', async () => {
  const at = await bench();
  await feed(at, prompt('a'), overloaded('a'));
  expect(await nexts(at)).toEqual(['a planned']);
  for (const { id } of await at.store.questions({ states: ['open'] }))
    await at.store.closeQuestion(id, 'its hook left');
  await at.pass(60 * MINUTE);
  expect(at.given).toEqual([]);
  const said = (await at.notified()).filter(({ content }) => content.title.includes('did not go on'));
  expect(said.map(({ content }) => content.body)).toEqual([expect.stringContaining('nothing takes an instruction')]);
  expect(await nexts(at)).toEqual(['a terminal']);
});

/** Twenty sessions of one account that a limit has stopped until 12:10pm. */
async function twenty(random: () => number): Promise<Bench> {
  const at = await bench(undefined, random);
  const names = Array.from({ length: 20 }, (_, i) => `s${String(i).padStart(2, '0')}`);
  await feed(at, ...names.map(prompt));
  await feed(at, ...names.map((name) => limited(name, '12:10pm')));
  expect(await nexts(at)).toEqual(names.map((name) => `${name} planned`));
  return at;
}

test.each([
  ['at one moment', () => () => 0.5],
  ['one after the other', () => seeded(20)],
])('of twenty sessions that are due %s one goes first, and all the others a minute later', async (_, random) => {
  const at = await twenty(random());
  const went: number[] = [];
  const { client } = at;
  at.client = async (session) => {
    went.push(at.clock.now());
    await client(session);
  };
  await at.pass(15 * MINUTE);
  expect(new Set(at.given).size).toBe(20);
  expect(at.given).toHaveLength(20);
  const [first = 0, ...others] = went;
  expect(first).toBeGreaterThan(Date.UTC(2026, 5, 1, 12, 11));
  for (const one of others) {
    expect(one - first).toBeGreaterThanOrEqual(MINUTE);
    expect(one - first).toBeLessThan(MINUTE + 2_000);
  }
  expect(await timersDue(at.store)).toEqual([]);
});

test('of twenty that are overdue after a restart one goes first, too', async () => {
  const at = await twenty(seeded(21));
  await at.clock.advance(60 * MINUTE);
  await at.restart();
  await at.pass(30_000);
  expect(at.given).toHaveLength(1);
  await at.pass(MINUTE);
  expect(new Set(at.given).size).toBe(20);
});

test('where the first of twenty is stopped again at once, the others wait for the next reset, and people are notified once more', async () => {
  const at = await twenty(seeded(22));
  stopsAgain(at, (session) => at.given.length === 1 && limited(session, '2:10pm'));
  await at.pass(100 * MINUTE);
  expect(at.given).toHaveLength(1);
  const sent = (await at.notified()).filter(({ operation }) => operation === 'send');
  const ofLimits = sent.filter(({ content }) => content.event.kind.startsWith('limit.'));
  expect(ofLimits.map(({ content }) => content.event.kind)).toEqual(['limit.reached', 'limit.reset', 'limit.reached']);
  // The twenty failures before and the one after are part of them.
  expect(sent.filter(({ content }) => content.event.kind === 'session.failed')).toEqual([]);
  expect((await nexts(at)).map((one) => one.split(' ')[1])).toEqual(Array(20).fill('planned'));
  await at.pass(35 * MINUTE);
  expect(new Set(at.given.slice(1)).size).toBe(20);
});

test('once the first one has finished a turn nobody waits for it any more', async () => {
  const at = await twenty(() => 0.5);
  at.client = async (session) => {
    await at.feed(prompt(session), { agent: 'claude' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await at.clock.advance(1_000);
    if (at.given.length === 1) await at.feed(finished(session), { agent: 'claude' });
  };
  await at.pass(11 * MINUTE + 40_000);
  expect(at.given).toHaveLength(1);
  const two = (await at.goingOn.stopped()).slice(0, 2).map(({ record }) => record);
  const asked = at.goingOn.goOn(two, 'now', 'mara');
  expect((await asked).map(({ result }) => result)).toEqual(['continued', 'continued']);
});

test('the buttons of a limit and of a failure offer what can be done now, and do it', async () => {
  const at = await bench('');
  await feed(at, prompt('a'), prompt('b'), prompt('c'));
  await feed(at, limited('a', '12:10pm'), limited('b', '12:10pm'), overloaded('c'));
  const eventOf = async (kind: 'limit.reached' | 'limit.reset' | 'session.failed', session: string | null) => {
    const found = (await at.store.events({ kinds: [kind] })).find(({ event }) => event.sessionId === session);
    if (found === undefined) throw new Error(`there is no ${kind}`);
    return found.event;
  };
  const labels = async (event: Event): Promise<readonly string[]> =>
    (await at.buttons.offered(event)).map(({ label }) => label);
  const reached = await eventOf('limit.reached', null);
  expect(at.offered).toContain(notificationIdOf(reached.id));
  expect(await labels(reached)).toEqual(['Continue at reset']);
  expect(await labels(await eventOf('session.failed', 'c'))).toEqual(['Continue']);

  const before = at.offered.length;
  const planned = await at.buttons.press('reset', reached, 'mara', 'full');
  expect(planned).toMatch(/^a: goes on at \d\d:\d\d; b: goes on at \d\d:\d\d$/);
  expect(at.offered.slice(before)).toContain(notificationIdOf(reached.id));
  expect(await labels(reached)).toEqual(["Don't continue"]);
  expect(await at.buttons.press('hold', reached, 'mara', 'full')).toBe('Belfry will not continue a and b.');
  expect(await labels(reached)).toEqual(['Continue at reset']);
  expect(await at.buttons.press('reset', reached, 'mara', 'title')).toBe('2 to be continued later');
  expect(await at.buttons.press('hold', reached, 'mara', 'title')).toBe('Belfry will not continue them.');
  expect(await at.buttons.press('continue', reached, 'mara', 'full')).toBe(
    'Nothing was sent: the limit is not over yet.',
  );

  await at.pass(11 * MINUTE);
  const reset = await eventOf('limit.reset', null);
  expect(await labels(reset)).toEqual(['Continue 2']);
  const pressed = at.buttons.press('continue', reset, 'mara', 'full');
  await at.settled();
  expect(await pressed).toMatch(/^a: goes on; b: goes on at \d\d:\d\d: after a, which goes first$/);
  expect(await labels(reset)).toEqual(['Continue', "Don't continue"]);
  await at.pass(2 * MINUTE);
  expect(at.given).toEqual(['a', 'b']);
  expect(await labels(reset)).toEqual([]);
  expect(await at.buttons.press('continue', reset, 'mara', 'full')).toMatch(/^Nothing to do/);
});

test('what is said while an account is asked for room counts: held, or prompted and finished, it is not instructed', async () => {
  const held = await bench();
  await feed(held, prompt('a'), limited('a', '12:10pm'));
  held.asking = async () => void (await held.goingOn.hold(null));
  await held.pass(30 * MINUTE);
  expect(held.given).toEqual([]);
  expect(await nexts(held)).toEqual(['a ready']);
  const used = await bench();
  await feed(used, prompt('a'), limited('a', '12:10pm'));
  used.asking = async () => {
    await used.feed(prompt('a'), { agent: 'claude' });
    await used.feed(finished('a'), { agent: 'claude' });
    await used.settle();
  };
  await used.pass(30 * MINUTE);
  expect(used.given).toEqual([]);
});

test('a wish that nothing takes leaves the plan, which can still be prevented', async () => {
  const at = await bench();
  await feed(at, prompt('a'), overloaded('a'));
  at.refusal = 'its session can no longer be reached';
  const [stopped] = await at.goingOn.stopped();
  const refused = await at.goingOn.goOn(stopped === undefined ? [] : [stopped.record], 'now', 'mara');
  expect(refused).toMatchObject([{ result: 'refused', why: at.refusal }]);
  expect(await nexts(at)).toEqual(['a planned']);
  expect((await at.goingOn.hold(null)).map(({ sessionId }) => sessionId)).toEqual(['a']);
  at.refusal = null;
  await at.pass(60 * MINUTE);
  expect(at.given).toEqual([]);
});
