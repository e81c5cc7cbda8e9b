// A file system that stops answering: its sessions are reported without what lies there, all others as if it were not there.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { filesOfThisMachine } from '../../src/files/index.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { DIST } from '../support/files.ts';
import { temporaryFolder } from '../support/home.ts';
import { CANNOT_MOUNT, mountFolder } from '../support/mount.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';
import { settleIn } from './senders.ts';
import { figures, size } from './size.ts';

const SESSIONS = 20;
/** Rounds of them. */
const ROUNDS = size(10, 2);
/** Hooks that run at once. */
const AT_ONCE = 4;
/** Longest a stop takes while the mount hangs, ms. */
const STOP = 5_000;

if (CANNOT_MOUNT !== null)
  process.stdout.write(
    `\n  mounts: left out, as ${CANNOT_MOUNT}; test/files has a reader that never answers instead\n`,
  );

interface Reported {
  readonly session: string;
  readonly branch: string | null;
  readonly at: number;
}

function finishes({ requests }: Receiver): readonly Reported[] {
  return requests.flatMap(({ body, at }) => {
    const { type, data } = JSON.parse(body) as {
      type: string;
      data: { event: { session_id: string; branch: string | null } };
    };
    const { session_id: session, branch } = data.event;
    return type === 'agent.finished' ? [{ session, branch, at }] : [];
  });
}

/** A repository with a branch, and a transcript in it. */
function project(folder: string): string {
  mkdirSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/feature\n');
  writeFileSync(
    join(folder, 'transcript.jsonl'),
    `${JSON.stringify({ type: 'message', message: { role: 'assistant', content: 'Done.' } })}\n`,
  );
  return folder;
}

interface Turn {
  readonly session: string;
  readonly cwd: string;
}

/** A prompt and a finish. Returns when the finish was handed over, Unix ms. */
async function takeTurn(home: string, { session, cwd }: Turn): Promise<number> {
  const common = { session_id: session, cwd, transcript_path: join(cwd, 'transcript.jsonl') };
  for (const more of [{ hook_event_name: 'UserPromptSubmit', prompt: 'Go on' }, { hook_event_name: 'Stop' }]) {
    const ran = await hook(home, JSON.stringify({ ...common, ...more }), ['--agent', 'droid']);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, '', '']);
  }
  return Date.now();
}

/** All turns, some at once; ms from each session's handing over to its report, by session. */
async function play(home: string, receiver: Receiver, turns: readonly Turn[]): Promise<ReadonlyMap<string, number>> {
  const handed = new Map<string, number>();
  const left = [...turns];
  const line = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) handed.set(next.session, await takeTurn(home, next));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
  const arrived = (): ReadonlyMap<string, number> =>
    new Map(finishes(receiver).map(({ session, at }) => [session, at]));
  await until(
    () => [...handed.keys()].every((session) => arrived().has(session)),
    'every finish to be reported',
    60_000,
  );
  const at = arrived();
  return new Map([...handed].map(([session, from]) => [session, Math.max(0, (at.get(session) ?? 0) - from)]));
}

function spread(delays: readonly number[]): { readonly p50: number; readonly max: number } {
  const sorted = delays.toSorted((a, b) => a - b);
  return { p50: sorted[Math.floor(sorted.length / 2)] ?? 0, max: sorted.at(-1) ?? 0 };
}

test.skipIf(CANNOT_MOUNT !== null)(
  `${SESSIONS} sessions on a file system that never answers, ${SESSIONS} beside it`,
  async () => {
    const home = temporaryFolder();
    const receiver = await startReceiver();
    settleIn(home, `${receiver.url}/audit`);
    const [beside, remote] = [join(home, 'beside'), join(home, 'remote')];
    const names = (name: string): readonly string[] =>
      Array.from({ length: SESSIONS * ROUNDS }, (_, i) => `${name}-${i}`);
    for (const name of ['before', 'after'].flatMap(names))
      for (const folder of [beside, remote]) project(join(folder, name));
    const daemon = await startDaemon(home);
    const mount = await mountFolder(remote, home); // and unmounted before it: what waits for the mount cannot be killed
    const mixed = (round: string): readonly Turn[] =>
      names(round).flatMap((name) => [
        { session: `beside-${name}`, cwd: join(beside, name) },
        { session: `there-${name}`, cwd: join(mount.path, name) },
      ]);
    const only = (delays: ReadonlyMap<string, number>, name: string): readonly number[] =>
      [...delays].filter(([session]) => session.startsWith(name)).map(([, ms]) => ms);

    const before = await play(home, receiver, mixed('before'));
    await mount.hang();
    const after = await play(home, receiver, mixed('after'));

    const began = performance.now();
    await daemon.stop();
    const stopped = performance.now() - began;
    const all = finishes(receiver);
    const named = (name: string): number =>
      all.filter(({ session, branch }) => session.startsWith(name) && branch === 'feature').length;
    const [free, hung] = [spread(only(before, 'beside-before')), spread(only(after, 'beside-after'))];
    const there = spread(only(after, 'there-after'));
    figures('mounts', {
      events: all.length,
      'beside, answering p50': free.p50,
      'beside, answering max': free.max,
      'beside, hanging p50': hung.p50,
      'beside, hanging max': hung.max,
      'there, hanging p50': there.p50,
      'there, hanging max': there.max,
      'stop ms': stopped,
      'with branch, before': `${named('beside-before')} and ${named('there-before')}`,
      'with branch, hanging': `${named('beside-after')} and ${named('there-after')}`,
    });
    // A machine as busy as this reads a branch too late now and then.
    const most = (SESSIONS * ROUNDS) / 2;
    expect(named('beside-before')).toBeGreaterThan(most);
    expect(named('there-before')).toBeGreaterThan(most);
    expect(named('beside-after')).toBeGreaterThan(most);
    expect(named('there-after')).toBe(0);
    expect(all.length).toBe(new Set(all.map(({ session }) => session)).size);
    // Hooks and daemon share the machine with whatever else runs: what hangs costs seconds, or all of it.
    expect(hung.p50).toBeLessThan(2 * free.p50 + 100);
    expect(hung.max).toBeLessThan(2 * free.max + 500);
    expect(stopped).toBeLessThan(STOP);
  },
);

/** Ten times as fast. */
const HURRIED: Clock = {
  now: () => Date.now() * 10,
  setTimer: (ms, wake) => systemClock.setTimer(ms / 10, wake),
};

/** Processes that look at files for this one. */
function readers(): readonly number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
  const isReader = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('file-reader');
    } catch {
      return false; // it has just ended
    }
  };
  return children.filter(isReader).map(Number);
}

test.skipIf(CANNOT_MOUNT !== null)(
  'a file system that hangs is asked by one process, left alone for a while, and asked again',
  async () => {
    const mount = await mountFolder(project(temporaryFolder()));
    const logged: string[] = [];
    const files = filesOfThisMachine(DIST, { clock: HURRIED, log: (message) => void logged.push(message) });
    onTestFinished(() => files.stop());
    const head = (): Promise<string | null> => files.start(join(mount.path, '.git', 'HEAD'), 100);
    await until(head, 'the mount to be read');
    expect(readers()).toHaveLength(1);
    await mount.hang();
    const all = await Promise.all(Array.from({ length: 30 }, head));
    expect(new Set(all)).toEqual(new Set([null]));
    await until(() => logged.length > 0, 'it to be given up');
    expect(logged).toEqual(['a file system does not answer: what lies there is left out']);
    const began = performance.now();
    for (let i = 0; i < 100; i++) expect(await head()).toBeNull();
    expect(performance.now() - began).toBeLessThan(2_000);
    // Longer than the pause: the process that hangs cannot be killed yet, and no second one joins it.
    await until(() => performance.now() - began > 5_000, 'the pause to be over');
    expect(await head()).toBeNull();
    expect(readers().length).toBeLessThan(2);
    await mount.answer();
    expect(await until(head, 'the mount to be read again')).toBe('ref: refs/heads/feature\n');
    expect(logged.at(-1)).toBe('a file system answers again');
    expect(readers()).toHaveLength(1);
    await mount.hang();
    expect(await head()).toBeNull();
    const stopping = performance.now();
    files.stop();
    expect(performance.now() - stopping).toBeLessThan(500);
  },
);

interface Ended {
  readonly code: number | null;
  readonly timedOut: boolean;
  readonly longest: number;
}

/** How a program ended that another process has started; null: that one hangs itself. */
async function started(program: string, cwd: string, path: string): Promise<Ended | null> {
  const script = new URL('mounts-process.ts', import.meta.url).pathname;
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', script, program, cwd, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const said: string[] = [];
  lines.on('line', (line) => void said.push(line));
  await until(() => said.length > 0, 'the process to begin');
  const line = await until(() => said[1], 'the program to end', 20_000).catch(() => null);
  return line === null ? null : (JSON.parse(line) as Ended);
}

test.skipIf(CANNOT_MOUNT !== null)(
  'a program is looked for and started without waiting for a folder that hangs',
  async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'bin'));
    for (const name of ['only-there', 'true']) {
      writeFileSync(join(folder, 'bin', name), '#!/bin/sh\nexit 3\n');
      chmodSync(join(folder, 'bin', name), 0o755);
    }
    const mount = await mountFolder(folder);
    const [bin, path] = [join(mount.path, 'bin'), '/usr/bin:/bin'];
    expect(await started('only-there', mount.path, bin)).toMatchObject({ code: 3 });
    await mount.hang();
    const [inside, named, sought, besides] = await Promise.all([
      started('true', bin, path),
      started(join(bin, 'only-there'), '/', path),
      started('only-there', '/', `${bin}:${path}`),
      started('true', '/', `${bin}:${path}`),
    ]);
    for (const hung of [inside, named, sought]) expect(hung).toMatchObject({ code: null, timedOut: true });
    expect(besides).toMatchObject({ code: 0, timedOut: false });
    for (const ended of [inside, named, sought, besides]) expect(ended?.longest).toBeLessThan(2_000);
  },
);
