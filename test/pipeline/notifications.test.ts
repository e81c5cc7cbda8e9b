// The pipeline runner with a real store: one decision an entry, order by key, the backlog, failing enrichment, holds and crashes.
import { notificationIdOf } from '../../src/model/ids.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import { expect, test } from 'vitest';
import { HOLD } from '../../src/model/delivery/holds.ts';
import { CATCH_ALL, pipelineHarness } from '../support/pipeline-harness.ts';
import { commitOne } from '../support/store-writes.ts';
import { nextTimer, timersDue } from '../support/timers.ts';

const stop = (session: string, more: Record<string, unknown> = {}) => ({
  session_id: session,
  hook_event_name: 'Stop',
  cwd: '/home/dev/payments',
  ...more,
});

test('four hundred sessions at once, three times, more than fits in memory: all sent, each session in order', async () => {
  const bench = await pipelineHarness();
  for (let turn = 0; turn < 3; turn++) {
    const all = Array.from({ length: 400 }, (_, i) => stop(`s${i}`, { last_assistant_message: `turn ${turn}` }));
    await Promise.all(all.map((input) => bench.feed(input, { agent: 'claude' })));
    await bench.clock.advance(10);
  }
  await bench.settle();
  const bodies = new Map<string, string[]>();
  for (const { threadKey, content } of await bench.notified())
    bodies.set(threadKey, [...(bodies.get(threadKey) ?? []), content.body]);
  expect(bodies.size).toBe(400);
  for (const turns of bodies.values()) expect(turns).toEqual(['turn 0', 'turn 1', 'turn 2']);
});

test('a backlog of large inputs is taken up piece by piece, and all of it', async () => {
  const bench = await pipelineHarness();
  await bench.runner.stop();
  const large = 'x'.repeat(9_000_000);
  for (let n = 0; n < 12; n++) await bench.feed(stop(`s${n}`, { last_assistant_message: large }), { agent: 'claude' });
  await bench.ingest.idle();
  expect((await bench.store.pendingEntries(12)).entries.length).toBeLessThan(12);
  const next = await pipelineHarness(CATCH_ALL, { store: bench.store, backlog: bench.ingest.backlog });
  next.runner.start();
  await next.runner.idle();
  expect(await next.notified()).toHaveLength(12);
  expect(JSON.stringify(await next.notified()).length).toBeLessThan(2_000_000);
});

test('what was left undecided comes first at the start, in order', async () => {
  const bench = await pipelineHarness();
  await bench.runner.stop();
  for (const n of [1, 2, 3]) {
    await bench.feed(stop('s', { last_assistant_message: `turn ${n}` }), { agent: 'claude' });
    await bench.clock.advance(1_000);
  }
  await bench.ingest.idle();
  expect(await bench.notified()).toEqual([]);
  const next = await pipelineHarness(CATCH_ALL, { store: bench.store, backlog: bench.ingest.backlog });
  next.runner.start();
  await next.runner.idle();
  expect((await next.notified()).map((d) => d.content.body)).toEqual(['turn 1', 'turn 2', 'turn 3']);
});

test('a context that hangs, throws or gives rubbish delays and loses nothing', async () => {
  for (const context of [
    () => new Promise<never>(() => undefined),
    () => Promise.reject(new Error('no')),
    async () => ({
      messages: [{ role: 'assistant' as const, text: '\u001b[31mred', at: null, from: 'service' as const }],
    }),
  ]) {
    const bench = await pipelineHarness(CATCH_ALL, { context });
    await bench.feed(stop('s'), { agent: 'claude' });
    await bench.ingest.idle();
    await bench.clock.advance(3_500);
    await bench.settle();
    expect(await bench.titles()).toEqual(['payments: Claude finished [normal]']);
    expect((await bench.notified())[0]?.content.body).not.toContain('\u001b');
  }
});

test('enrichment runs only for what will be sent, and only for the configured kinds', async () => {
  const asked: string[] = [];
  const context = async ({ event }: { event: { kind: string } }) => {
    asked.push(event.kind);
    return { messages: [] };
  };
  const bench = await pipelineHarness(CATCH_ALL, { context });
  await bench.feed(stop('s', { hook_event_name: 'SubagentStop' }), { agent: 'claude' });
  await bench.feed(stop('s', { hook_event_name: 'Notification', message: 'hi' }), { agent: 'claude' });
  await bench.feed(stop('s'), { agent: 'claude' });
  await bench.settle();
  expect(asked).toEqual(['agent.finished']);
});

test('a store that fails for a while: nothing is lost, nothing sent twice', async () => {
  const bench = await pipelineHarness();
  const failing = { ...bench.store, commit: bench.store.commit };
  let broken = true;
  failing.commit = async (decisions) => {
    if (broken) throw new Error('database or disk is full');
    return bench.store.commit(decisions);
  };
  const next = await pipelineHarness(CATCH_ALL, { store: failing, backlog: bench.ingest.backlog });
  await bench.runner.stop();
  await bench.feed(stop('s'), { agent: 'claude' });
  await bench.ingest.idle();
  next.runner.start();
  await next.clock.advance(20_000);
  expect(await next.notified()).toEqual([]);
  expect(next.logged.join()).toContain('"next":"again"');
  broken = false;
  await next.clock.advance(20_000);
  await next.runner.idle();
  expect(await next.titles()).toEqual(['payments: Claude finished [normal]']);
});

test('a held finish is released when its wait is over, once, and the session counts as notified', async () => {
  const bench = await pipelineHarness();
  await bench.feed(stop('s', { hook_event_name: 'UserPromptSubmit', prompt: 'Go' }), { agent: 'claude' });
  await bench.settle();
  const background_tasks = [{ id: 'x', type: 'shell', status: 'running', command: 'npm run dev' }];
  await bench.feed(stop('s', { background_tasks, last_assistant_message: 'Server is up.' }), { agent: 'claude' });
  await bench.settle();
  expect(await bench.notified()).toEqual([]);
  const [timer] = await timersDue(bench.store, bench.clock.now() + 600_000, 10);
  expect(timer).toMatchObject({ kind: HOLD, due: bench.clock.now() + 600_000 });
  await bench.clock.advance(600_000);
  if (timer) await bench.runner.releaseHeld(timer);
  if (timer) await bench.runner.releaseHeld(timer);
  expect(await bench.titles()).toEqual(['payments: Claude finished, background work still runs [normal]']);
  expect((await bench.notified())[0]?.content.body).toContain('Still running: npm run dev (shell)');
  expect(await nextTimer(bench.store)).toBeNull();
  await bench.feed(stop('s', { hook_event_name: 'SessionEnd', reason: 'other' }), { agent: 'claude' });
  await bench.settle();
  expect((await bench.titles())[1]).toBe("payments: Claude's session ended (other) [low]");
  const why = await bench.store.event((await bench.notified())[0]?.eventId ?? '');
  expect(why?.verdicts.map((v) => `${v.stage} ${v.verdict}`)).toEqual([
    'classify pass',
    'dedupe pass',
    'session change',
    'correlate pass',
    'hold stop',
    'hold change',
    'route route',
  ]);
});

test('a held finish whose last subagent has ended is sent as finished', async () => {
  const bench = await pipelineHarness();
  const own = { agent: 'codex' };
  await bench.feed(stop('s', { hook_event_name: 'SubagentStart', agent_id: 'a' }), own);
  await bench.feed(stop('s', { turn_id: 't' }), own);
  await bench.feed(stop('s', { hook_event_name: 'SubagentStop', agent_id: 'a' }), own);
  await bench.settle();
  const [timer] = await timersDue(bench.store, bench.clock.now() + 20_000, 10);
  await bench.clock.advance(20_000);
  if (timer) await bench.runner.releaseHeld(timer);
  expect(await bench.titles()).toEqual(['payments: Codex finished [normal]']);
  expect((await bench.store.session({ ...HERE, agent: 'codex', sessionId: 's' }))?.state).toBe('finished');
});

test('a finish that a hook turned into more work is not sent once the next one is there', async () => {
  const bench = await pipelineHarness();
  await bench.feed(stop('s', { hook_event_name: 'UserPromptSubmit', prompt: 'Go' }), { agent: 'claude' });
  await bench.clock.advance(5_000);
  await bench.feed(stop('s', { last_assistant_message: 'first' }), { agent: 'claude' });
  await bench.clock.advance(5_000);
  await bench.feed(stop('s', { last_assistant_message: 'second', stop_hook_active: true }), { agent: 'claude' });
  await bench.settle();
  const states = (await bench.store.deliveries({})).map((d) => `${d.content.body.split('\n')[0]}: ${d.state}`);
  expect(states.sort()).toEqual(['first: superseded', 'second: pending']);
});

test('a finish is taken back only where the next one goes, and with its decision or not at all', async () => {
  const channels = ['one', 'two']
    .map((name) => `[channels.${name}]\ntype = "webhook"\nurl = "http://127.0.0.1:9/"\nallow_private = true\n`)
    .join('');
  const routes = '[[routes]]\nto = ["one", "two"]\nmatch = { cwd = ["/src/both"] }\n[[routes]]\nto = ["two"]\n';
  const bench = await pipelineHarness(`${channels}${routes}`);
  const own = { agent: 'claude' };
  await bench.feed(stop('s', { hook_event_name: 'UserPromptSubmit', prompt: 'Go' }), own);
  await bench.clock.advance(5_000);
  await bench.feed(stop('s', { last_assistant_message: 'first', cwd: '/src/both' }), own);
  await bench.clock.advance(5_000);
  await bench.feed(stop('s', { last_assistant_message: 'second', stop_hook_active: true }), own);
  await bench.settle();
  const state = async () =>
    (await bench.store.deliveries({})).map((d) => `${d.content.body.split('\n')[0]} ${d.channel}: ${d.state}`);
  expect((await state()).sort()).toEqual(['first one: pending', 'first two: superseded', 'second two: pending']);
  const [decision] = bench.decisions.slice(-1);
  expect(decision?.cancel).toEqual([
    {
      notificationId: notificationIdOf('envelope-000002'),
      because: 'superseded',
      channels: ['two'],
      note: expect.any(String),
    },
  ]);
});

test('secrets are in no row: neither event, session nor delivery', async () => {
  const bench = await pipelineHarness();
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const own = { agent: 'claude' };
  await bench.feed(stop('s', { hook_event_name: 'UserPromptSubmit', prompt: `use ${secret}` }), own);
  await bench.feed(stop('s', { last_assistant_message: `done with ${secret}`, odd: { deep: [secret] } }), own);
  await bench.feed(
    stop('s', {
      hook_event_name: 'PermissionRequest',
      tool_name: 'Bash',
      tool_input: { command: `curl -H 'Authorization: Bearer ${secret}' x` },
    }),
    own,
  );
  await bench.settle();
  const rows = [await bench.store.events({}), await bench.store.sessions({}), await bench.store.deliveries({})];
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(await bench.notified()).toHaveLength(2);
});

test('the same entry decided again after a crash writes nothing twice', async () => {
  const bench = await pipelineHarness();
  await bench.feed(stop('s'), { agent: 'claude', id: 'envelope-again' });
  await bench.settle();
  const entry = await bench.store.entry('envelope-again');
  expect(entry).not.toBeNull();
  const parsed = bench.decisions[0];
  if (parsed) expect(await commitOne(bench.store, parsed)).toBe('already');
  expect(await bench.store.deliveries({})).toHaveLength(1);
});

test('an entry that comes by the backlog and once more from ingest cancels no delivery of its own', async () => {
  const bench = await pipelineHarness();
  await bench.feed(stop('s', { hook_event_name: 'UserPromptSubmit', prompt: 'Go' }), { agent: 'claude' });
  await bench.settle();
  await bench.clock.advance(5_000);
  await bench.feed(stop('s'), { agent: 'claude' });
  bench.runner.start(); // reads the journal while ingest acknowledges the hook
  await bench.settle();
  expect((await bench.store.deliveries({})).map((d) => d.state)).toEqual(['pending']);
});
