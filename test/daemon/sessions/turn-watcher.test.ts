// The watcher of transcripts: real files that grow, are replaced, vanish, are huge or hostile; virtual time; what it costs is counted.
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { agentByName } from '../../../src/agents/index.ts';
import { createTurnEvidence } from '../../../src/daemon/sessions/turn-evidence.ts';
import { createTurnWatcher } from '../../../src/daemon/sessions/turn-watcher.ts';
import type { SessionRecord, SessionState } from '../../../src/model/session/session.ts';
import { type VirtualClock, virtualClock } from '../../support/clock.ts';
import { realFiles } from '../../support/files.ts';
import { temporaryFolder } from '../../support/home.ts';
import { madeDecision, madeSession } from '../../support/made.ts';

const REFUSED = {
  message: 'unexpected status 401',
  codex_error_info: { http_connection_failed: { http_status_code: 401 } },
};
const line = (payload: Record<string, unknown>): string =>
  `${JSON.stringify({ timestamp: '2026-06-01T12:00:05.000Z', type: 'event_msg', payload })}\n`;
const STARTED = line({ type: 'task_started', turn_id: 't1' });
const FAILED = line({ type: 'task_complete', turn_id: 't1', error: REFUSED });
const DONE = line({ type: 'task_complete', turn_id: 't1', error: null });
const WORD = line({ type: 'agent_message', message: 'Working' });

interface Bench {
  readonly clock: VirtualClock;
  readonly file: string;
  readonly home: string;
  /** Causes of what was raised. */
  readonly raised: (string | null)[];
  /** Times that a transcript was read. */
  reads(): number;
  /** The session's row after a decision. */
  decided(state: SessionState, more?: Partial<SessionRecord>): void;
  pass(seconds: number): Promise<void>;
}

/** A watcher, and the transcript of one session of Codex. */
function bench(sessions: readonly SessionRecord[] = [], home = temporaryFolder()): Bench & { start(): Promise<void> } {
  const clock = virtualClock();
  const began = clock.now();
  const file = join(home, '.codex', 'sessions', '2026', '06', '01', 'rollout-1.jsonl');
  mkdirSync(dirname(file), { recursive: true });
  const raised: (string | null)[] = [];
  let reads = 0;
  const files = realFiles();
  const evidence = createTurnEvidence({
    store: { session: async () => null },
    clock,
    agents: agentByName,
    home,
    files,
    temporary: home,
    used: () => undefined,
  });
  const watcher = createTurnWatcher({
    clock,
    files,
    agents: agentByName,
    store: { sessions: async () => sessions },
    evidence: {
      ...evidence,
      of: (record) => {
        reads += 1;
        return evidence.of(record);
      },
    },
    raise: async (event) => void raised.push(event.detail),
    log: (message) => {
      throw new Error(message);
    },
  });
  onTestFinished(() => watcher.stop());
  const record = (state: SessionState, more: Partial<SessionRecord> = {}): SessionRecord =>
    madeSession({
      agent: 'codex',
      state,
      transcript: file,
      turnStarted: began,
      lastEvent: clock.now(),
      ...more,
    });
  return {
    clock,
    file,
    home,
    raised,
    start: () => watcher.start(),
    reads: () => reads,
    decided: (state, more) => watcher.decided(madeDecision({ sessions: [record(state, more)] })),
    pass: async (seconds) => {
      for (let i = 0; i < seconds; i++) {
        await clock.advance(1_000);
        await watcher.idle();
      }
      await clock.advance(0);
    },
  };
}

test('a failure is raised within a second of being written, and once', async () => {
  const { file, raised, decided, pass } = bench();
  writeFileSync(file, STARTED);
  decided('working');
  await pass(5);
  expect(raised).toEqual([]);
  appendFileSync(file, FAILED);
  await pass(1);
  expect(raised).toEqual(['auth']);
  appendFileSync(file, WORD);
  await pass(30);
  expect(raised).toEqual(['auth']);
});

type Change = readonly [name: string, expected: readonly string[], change: (bench: Bench) => void];

const CHANGES: readonly Change[] = [
  ['a turn that is done', [], ({ file }) => appendFileSync(file, DONE)],
  [
    'a failure of an earlier turn',
    [],
    ({ file }) => writeFileSync(file, FAILED.replace('12:00:05', '11:59:00') + WORD),
  ],
  ['half a line', [], ({ file }) => appendFileSync(file, FAILED.slice(0, -20))],
  [
    'a file that is replaced by another',
    ['auth'],
    ({ file, home }) => {
      writeFileSync(join(home, 'next'), STARTED + FAILED);
      renameSync(join(home, 'next'), file);
    },
  ],
  [
    'a file that is cut short and written anew',
    ['auth'],
    ({ file }) => {
      truncateSync(file, 0);
      appendFileSync(file, FAILED);
    },
  ],
  ['a file that vanishes', [], ({ file }) => rmSync(file)],
  [
    'a folder in its place',
    [],
    ({ file }) => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
  [
    'a pipe in its place',
    [],
    ({ file }) => {
      rmSync(file);
      spawnSync('mkfifo', [file]);
    },
  ],
  [
    'a link out of the home',
    [],
    ({ file }) => {
      const elsewhere = join(temporaryFolder(), 'secret.jsonl');
      writeFileSync(elsewhere, STARTED + FAILED);
      rmSync(file);
      symlinkSync(elsewhere, file);
    },
  ],
  [
    'records of other forms',
    [],
    ({ file }) =>
      appendFileSync(
        file,
        '7\nnull\n[]\n"x"\n{"type":"event_msg","payload":null}\n{"type":"event_msg","payload":{"type":["error"]}}\n',
      ),
  ],
  ['bytes that are no text', [], ({ file }) => appendFileSync(file, Buffer.from([0xff, 0xfe, 0, 10, 0xc3, 0x28, 10]))],
  ['nested a hundred thousand deep', [], ({ file }) => appendFileSync(file, `${'['.repeat(100_000)}\n`)],
  [
    'a failure after 64 MB',
    ['auth'],
    ({ file }) => {
      truncateSync(file, 64 * 1024 * 1024);
      appendFileSync(file, `\n${FAILED}`);
    },
  ],
  ['a failure more than 128 KB before the end', [], ({ file }) => appendFileSync(file, FAILED + WORD.repeat(2_000))],
];

test.each(CHANGES)('%s', async (_name, expected, change) => {
  const made = bench();
  writeFileSync(made.file, STARTED);
  made.decided('working');
  await made.pass(2);
  change(made);
  await made.pass(3);
  expect(made.raised).toEqual(expected);
});

test('a file that only comes later', async () => {
  const { file, raised, decided, pass } = bench();
  decided('working');
  await pass(3);
  writeFileSync(file, STARTED + FAILED);
  await pass(1);
  expect(raised).toEqual(['auth']);
});

test.each<[name: string, state: SessionState, more: Partial<SessionRecord>]>([
  ['a session at rest', 'finished', {}],
  ['one that waits for the user', 'waiting', {}],
  ['one that has ended', 'ended', {}],
  ['a client that has an event for its failures', 'working', { agent: 'claude' }],
  ['a client whose file is read at its end only', 'working', { agent: 'gemini' }],
  ['a session without a transcript', 'working', { transcript: null }],
])('%s costs nothing: no timer, no read', async (_name, state, more) => {
  const { clock, file, reads, decided, pass } = bench();
  writeFileSync(file, STARTED + FAILED);
  decided(state, more);
  expect(clock.pending).toBe(0);
  await pass(60);
  expect([reads(), clock.pending]).toEqual([0, 0]);
});

test('a turn that is over is watched no more, and a file that does not grow is not read again', async () => {
  const { clock, file, reads, decided, pass } = bench();
  writeFileSync(file, STARTED);
  decided('working');
  await pass(60);
  expect([reads(), clock.pending]).toEqual([1, 1]);
  decided('finished');
  await pass(2);
  expect([reads(), clock.pending]).toEqual([1, 0]);
});

test('a turn that has been silent for an hour is watched no more', async () => {
  const { clock, file, decided, pass } = bench();
  writeFileSync(file, STARTED);
  decided('working');
  clock.jump(3_601_000);
  await pass(2);
  expect(clock.pending).toBe(0);
});

test('goes on with the turns that were under way when the daemon stopped', async () => {
  const home = temporaryFolder();
  const first = bench([], home);
  writeFileSync(first.file, STARTED + FAILED);
  const row = madeSession({ agent: 'codex', state: 'working', transcript: first.file, lastEvent: first.clock.now() });
  const { start, raised, pass } = bench([row], home);
  await start();
  await pass(1);
  expect(raised).toEqual(['auth']);
});

test('of more turns than fifty the others are left to their end', async () => {
  const { file, raised, reads, decided, pass } = bench();
  writeFileSync(file, STARTED);
  for (let n = 0; n < 80; n++) decided('working', { sessionId: `session-${n}` });
  await pass(1);
  expect([raised, reads()]).toEqual([[], 50]);
});

test('where the folder of the client was moved, only a file that is called as its own is read', async () => {
  const moved = temporaryFolder();
  const path = (name: string): string => join(moved, 'sessions', '2026', '06', '01', name);
  mkdirSync(dirname(path('x')), { recursive: true });
  for (const name of ['rollout-1.jsonl', 'notes.jsonl']) writeFileSync(path(name), STARTED + FAILED);
  symlinkSync(path('notes.jsonl'), path('rollout-2.jsonl'));
  const { raised, decided, pass } = bench();
  for (const name of ['notes.jsonl', 'rollout-2.jsonl', '../../../../sessions/2026/06/01/notes.jsonl']) {
    decided('working', { sessionId: name, transcript: path(name) });
    await pass(2);
  }
  expect(raised).toEqual([]);
  decided('working', { sessionId: 'moved', transcript: path('rollout-1.jsonl') });
  await pass(2);
  expect(raised).toEqual(['auth']);
});
