// A file system that stops answering: its sessions are reported without what lies there, all others as if it were not there.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
