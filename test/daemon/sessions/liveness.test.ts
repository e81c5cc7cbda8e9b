// Clients that are gone without a word: real processes, killed for real; the clock alone is virtual.
import { HERE } from '../../../src/model/session/whereabouts.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { agentByName } from '../../../src/agents/index.ts';
import { LIVENESS_TIMER, createLivenessMonitor, type LivenessMonitor } from '../../../src/daemon/sessions/liveness.ts';
import { createProcessInspector } from '../../../src/daemon/sessions/process-inspector.ts';
import { stallHandler } from '../../../src/daemon/sessions/stall-check.ts';
import { createScheduler } from '../../../src/daemon/processing/scheduler.ts';
import { parseCim, parsePs } from '../../../src/lib/programs/processes.ts';
import { STALL } from '../../../src/pipeline/index.ts';
import { startTime } from '../../../src/runtime/process-table.ts';
import { realFiles } from '../../support/files.ts';
import { madeDecision, madeSession } from '../../support/made.ts';
import { CATCH_ALL, type PipelineHarness, pipelineHarness } from '../../support/pipeline-harness.ts';
import { until } from '../../support/wait.ts';
import { commitOne, keepSession } from '../../support/store-writes.ts';
import { nextTimer } from '../../support/timers.ts';

/** A process that waits until it is killed. */
function standIn(): ChildProcess & { pid: number } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child as ChildProcess & { pid: number }; // spawned: it has one
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** A harness with the liveness monitor. */
async function watched(toml = CATCH_ALL): Promise<PipelineHarness & { living: LivenessMonitor }> {
  const inspector = createProcessInspector(process.platform, hostname(), Date.now);
  let living: LivenessMonitor | null = null;
  const bench = await pipelineHarness(toml, {
    client: (agent, origin) => inspector.findClient(origin, agent.processNames),
  });
  bench.writer.onDecided((decision) => {
    living?.decided(decision);
    timers.wake();
  });
  const raise: Parameters<typeof createLivenessMonitor>[0]['raise'] = (event, occurrence) =>
    bench.ingest.acceptEvent({ event, source: 'belfry', occurrence });
  const { store, writer, clock } = bench;
  const made = createLivenessMonitor({
    store,
    writer,
    clock,
    inspector,
    agents: agentByName,
    evidence: async () => null,
    raise,
    wake: () => timers.wake(),
  });
  living = made;
  const timers = createScheduler({
    store,
    clock,
    handlers: {
      [LIVENESS_TIMER]: made.check,
      [STALL]: stallHandler({ store, clock, config: () => bench.config, files: realFiles(), raise }),
    },
    log: (message) => void bench.logged.push(message),
  });
  onTestFinished(() => timers.stop());
  timers.start();
  return { ...bench, living: made };
}

const origin = (child: { pid: number }, name: string, host = hostname()) => ({
  host,
  ancestors: [
    { pid: process.pid, start: startTime(process.pid) ?? '', name: 'sh' },
    { pid: child.pid, start: startTime(child.pid) ?? '', name },
  ],
});
const input = (event: string, session = 's1') => ({
  hook_event_name: event,
  session_id: session,
  cwd: '/home/dev/payments',
  prompt: 'Go',
});

/** Lets virtual time pass while the real processes are looked at. */
async function pass(bench: PipelineHarness, seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i += 5) {
    await bench.clock.advance(5_000);
    await bench.settle();
  }
}

test.runIf(process.platform === 'linux')('killed in the middle of work: notified within 30 seconds, once', async () => {
  const bench = await watched();
  const child = standIn();
  await bench.feed(input('UserPromptSubmit'), { agent: 'droid', origin: origin(child, 'droid') });
  await bench.settle();
  await pass(bench, 60);
  expect(await bench.titles()).toEqual([]);
  await kill(child);
  await pass(bench, 30);
  expect(await bench.titles()).toEqual(['payments: Droid is gone [urgent]']);
  await pass(bench, 60);
  expect(await bench.notified()).toHaveLength(1);
  expect(await nextTimer(bench.store)).toBeNull();
});

test
  .runIf(process.platform === 'linux')
  .each<[name: string, notified: readonly string[], agent: string, events: readonly string[]]>([
    [
      'an end that people were notified of',
      ["payments: Claude's session ended (exit) [low]"],
      'claude',
      ['UserPromptSubmit', 'SessionEnd'],
    ],
    [
      'a finish notified, of a client that always says its end',
      ['payments: Claude finished [normal]', 'payments: Claude is gone [low]'],
      'claude',
      ['UserPromptSubmit', 'Stop'],
    ],
    [
      'a finish notified, of a client that reports no prompts',
      ['payments: Claude finished [normal]', 'payments: Claude is gone [urgent]'],
      'claude',
      ['Stop'],
    ],
    [
      'a finish notified, of a client that leaves silently',
      ['opencode finished [normal]'],
      'opencode',
      ['session.status', 'session.idle'],
    ],
    [
      'the same, reporting no prompts',
      ['opencode finished [normal]', 'opencode is gone [urgent]'],
      'opencode',
      ['session.idle'],
    ],
    ['opened and left without a prompt, of a client that leaves silently', [], 'qwen', ['SessionStart']],
  ])('%s, then gone', async (_name, notified, agent, events) => {
  const bench = await watched();
  const child = standIn();
  for (const event of events) {
    const raw =
      agent === 'opencode'
        ? { id: event, type: event, properties: { sessionID: 's1', status: { type: 'busy' } } }
        : { ...input(event), reason: 'exit' };
    await bench.feed(raw, { agent, origin: origin(child, agentByName(agent)?.processNames[0] ?? '') });
    await bench.settle();
  }
  await kill(child);
  await pass(bench, 60);
  expect(await bench.titles()).toEqual(notified);
});

test
  .runIf(process.platform === 'linux')
  .each<[name: string, notified: readonly string[], agent: string, events: readonly string[]]>([
    ['a prompt', ['payments: Codex is gone [urgent]'], 'codex', ['UserPromptSubmit']],
    ['a start and a prompt', ['payments: Droid is gone [urgent]'], 'droid', ['SessionStart', 'UserPromptSubmit']],
    [
      'a whole session',
      ['payments: Claude finished [normal]', "payments: Claude's session ended (other) [low]"],
      'claude',
      ['UserPromptSubmit', 'Stop', 'SessionEnd'],
    ],
    [
      'a turn of a client that leaves silently',
      ['payments: Codex finished [normal]'],
      'codex',
      ['UserPromptSubmit', 'Stop'],
    ],
    ['a start', [], 'codex', ['SessionStart']],
  ])('gone before its first input is decided, after %s', async (_name, notified, agent, events) => {
  const bench = await watched();
  const child = standIn();
  const seen = { ...origin(child, agentByName(agent)?.processNames[0] ?? ''), seen: true as const };
  await kill(child);
  for (const event of events) await bench.feed({ ...input(event), reason: 'other' }, { agent, origin: seen });
  await bench.settle();
  await pass(bench, 60);
  expect(await bench.titles()).toEqual(notified);
  expect(await nextTimer(bench.store)).toBeNull();
});

test.runIf(process.platform === 'linux')('gone by then and not seen here: nobody calls it gone', async () => {
  const bench = await watched();
  const child = standIn();
  const here = origin(child, 'droid');
  await kill(child);
  const strangers = [
    ['a container with the name of this machine', here],
    ['another machine', { ...here, host: 'another-machine', seen: true as const }],
    ['behind SSH, where no client is among the ancestors', { ...origin(child, 'sshd'), seen: true as const }],
  ] as const;
  for (const [name, stranger] of strangers)
    await bench.feed(input('UserPromptSubmit', name), { agent: 'droid', origin: stranger });
  await bench.settle();
  await pass(bench, 60);
  expect(await bench.titles()).toEqual([]);
  expect((await bench.store.sessions({})).map((s) => s.process)).toEqual([null, null, null]);
});

test.runIf(process.platform === 'linux')('what cannot be seen from here is not called gone', async () => {
  const bench = await watched();
  const child = standIn();
  const here = origin(child, 'droid');
  const strangers = [
    { ...here, host: 'another-machine' },
    { ...here, ancestors: here.ancestors.map((a) => ({ ...a, start: '1' })) },
    origin(child, 'bash'),
    {},
  ];
  for (const [i, stranger] of strangers.entries())
    await bench.feed(input('UserPromptSubmit', `s${i}`), { agent: 'droid', origin: stranger });
  await bench.settle();
  await kill(child);
  await pass(bench, 60);
  expect(await bench.titles()).toEqual([]);
  expect((await bench.store.sessions({})).map((s) => s.process)).toEqual([null, null, null, null]);
  expect(await nextTimer(bench.store)).toBeNull();
});

test.runIf(process.platform === 'linux')(
  'one process, a session left behind and one ended in order: nobody is gone',
  async () => {
    const bench = await watched();
    const child = standIn();
    const at = { agent: 'claude', origin: origin(child, 'claude') };
    await bench.feed(input('Stop', 'left-behind'), at);
    await bench.settle();
    await bench.feed(input('UserPromptSubmit', 'next'), at);
    await bench.feed({ ...input('SessionEnd', 'next'), reason: 'exit' }, at);
    await bench.settle();
    await kill(child);
    await pass(bench, 40);
    expect(await bench.titles()).toEqual([
      'payments: Claude finished [normal]',
      "payments: Claude's session ended (exit) [low]",
    ]);
    expect((await bench.store.session({ ...HERE, agent: 'claude', sessionId: 'left-behind' }))?.state).toBe('ended');
  },
);

test.runIf(process.platform === 'linux')('killed while the daemon was down: notified after its start', async () => {
  const bench = await watched();
  const child = standIn();
  await bench.feed(input('UserPromptSubmit'), { agent: 'droid', origin: origin(child, 'droid') });
  await bench.settle();
  await kill(child);
  await bench.living.start();
  await pass(bench, 30);
  expect(await bench.titles()).toEqual(['payments: Droid is gone [urgent]']);
});

test.runIf(process.platform === 'linux')(
  'silent for days before a start: one whose process is gone is forgotten unreported, another is watched',
  async () => {
    const bench = await watched();
    const [gone, there] = [standIn(), standIn()];
    const lastEvent = bench.clock.now() - 3 * 86_400_000;
    for (const [sessionId, { pid }] of [
      ['one', gone],
      ['two', there],
    ] as const) {
      const process = { pid, start: startTime(pid) ?? '', name: 'droid' };
      await keepSession(
        bench.store,
        madeSession({ ...HERE, agent: 'droid', sessionId, lastEvent, promptedAt: lastEvent, process }),
      );
    }
    await kill(gone);
    await bench.living.start();
    await pass(bench, 30);
    expect(await bench.titles()).toEqual([]);
    const processOf = async (sessionId: string) =>
      (await bench.store.session({ ...HERE, agent: 'droid', sessionId }))?.process?.pid ?? null;
    expect([await processOf('one'), await processOf('two')]).toEqual([null, there.pid]);
    await kill(there);
    await pass(bench, 30);
    expect(await bench.titles()).toEqual(['payments: Droid is gone [urgent]']);
  },
);

test.runIf(process.platform === 'linux')(
  'the machine was off for longer than a month: what is gone is forgotten, however old',
  async () => {
    const bench = await watched();
    const gone = standIn();
    const process = { pid: gone.pid, start: startTime(gone.pid) ?? '', name: 'droid' };
    const lastEvent = bench.clock.now() - 40 * 86_400_000;
    await keepSession(bench.store, madeSession({ ...HERE, agent: 'droid', sessionId: 'one', lastEvent, process }));
    await kill(gone);
    await bench.living.start();
    expect((await bench.store.sessions({})).map((session) => session.process)).toEqual([null]);
  },
);

test.each([3, 40])('what is decided while the start looks at a session silent for %d days stays', async (days) => {
  const { store, writer, clock } = await pipelineHarness(CATCH_ALL);
  const client = { pid: 7, start: '1', name: 'droid' };
  const session = { ...HERE, agent: 'droid', sessionId: 'one' };
  await keepSession(store, madeSession({ ...session, lastEvent: clock.now() - days * 86_400_000, process: client }));
  const again = { ...client, pid: 8 };
  const raised: string[] = [];
  const living = createLivenessMonitor({
    store,
    writer,
    clock,
    agents: agentByName,
    evidence: async () => null,
    wake: () => undefined,
    raise: async ({ kind }) => void raised.push(kind),
    inspector: {
      ...createProcessInspector(process.platform, hostname(), Date.now),
      findExited: async (processes) => {
        const [found] = await store.sessions({});
        if (found?.version === 1) {
          const record = { ...found, lastEvent: clock.now(), process: again };
          const decision = madeDecision({ entryId: 'meanwhile', sessions: [record] });
          expect(await commitOne(store, decision)).toBe('written');
          living.decided(decision);
        }
        return processes.filter(({ pid }) => pid === client.pid);
      },
    },
  });
  await living.start();
  expect((await store.session(session))?.process).toEqual(again);
  for (let i = 0; i < 3; i++) await living.check({ id: LIVENESS_TIMER, kind: LIVENESS_TIMER, due: 0, data: {} });
  expect(raised).toEqual([]);
});

test('a stall is reported when neither events nor the transcript moved on', async () => {
  const bench = await watched(`${CATCH_ALL}\n[agents.claude]\nstalled_after = "10m"\n`);
  await bench.feed(input('UserPromptSubmit'), { agent: 'claude' });
  await bench.settle();
  await pass(bench, 595);
  expect(await bench.titles()).toEqual([]);
  await pass(bench, 10);
  expect(await bench.titles()).toEqual(['payments: Claude is stalled, silent for 10 min [normal]']);
  await bench.feed(input('UserPromptSubmit', 's2'), { agent: 'claude' });
  await bench.feed({ ...input('Notification', 's2'), message: 'hm' }, { agent: 'claude' });
  await bench.settle();
  await pass(bench, 900);
  expect(await bench.notified()).toHaveLength(2);
});

test('a process of this machine is found and known by its start', async () => {
  const look = createProcessInspector(process.platform, hostname(), Date.now);
  const child = standIn();
  const found = await until(() => startTime(child.pid), 'the process');
  const reused = { pid: child.pid, start: `${found}0`, name: 'droid' };
  const real = { pid: child.pid, start: found, name: 'droid' };
  expect(await look.findExited([reused, real])).toEqual([reused]);
});

test('the list of ps', () => {
  const table = parsePs(`    1     0 Mon Jun  1 09:00:00 2026     /sbin/launchd
  501     1 Mon Jun  1 09:01:02 2026     /Applications/My Tools/claude
  bad line
  777   501 Tue Jun  2 10:11:12 2026     -zsh
`);
  expect([...table.values()]).toEqual([
    { pid: 1, ppid: 0, start: 'Mon Jun 1 09:00:00 2026', name: 'launchd' },
    { pid: 501, ppid: 1, start: 'Mon Jun 1 09:01:02 2026', name: 'claude' },
    { pid: 777, ppid: 501, start: 'Tue Jun 2 10:11:12 2026', name: '-zsh' },
  ]);
});

test('the list of CIM', () => {
  const row = { ProcessId: 4, ParentProcessId: 0, CreationDate: '/Date(1780300800000)/', Name: 'droid.exe' };
  const expected = { pid: 4, ppid: 0, start: '/Date(1780300800000)/', name: 'droid' };
  expect([...parseCim(JSON.stringify([row, null, { ProcessId: 'x' }])).values()]).toEqual([expected]);
  expect([...parseCim(JSON.stringify(row)).values()]).toEqual([expected]);
  expect(parseCim('Get-CimInstance: access denied').size).toBe(0);
});
