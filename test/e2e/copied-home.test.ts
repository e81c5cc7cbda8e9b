// A home that was copied while its daemon runs, as a backup does: what the copy's files say of the daemon is the original's.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runningDaemon } from '../../src/runtime/daemon-file.ts';
import { isAlive } from '../../src/runtime/process-table.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { bareEnv, belfry, run, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

const dist = new URL('../../dist', import.meta.url).pathname;
const HOOK_LINE = 'set -- "$1" "$2" --agent claude; . "$2/belfry-hook.sh"; exit 0';

/** A home with a daemon, and a copy of all that can be copied. */
async function copied(): Promise<{ original: string; copy: string; pid: number }> {
  const original = temporaryFolder();
  const copy = join(temporaryFolder(), 'copy');
  const { pid } = await startDaemon(original);
  // As a backup program does: Node's own copy goes round for ever where a file is cut short meanwhile, as a write-ahead log is.
  execFileSync('cp', ['-a', original, copy]);
  for (const path of readdirSync(copy, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.sock')) rmSync(join(copy, path));
  onTestFinished(async () => {
    const own = runningDaemon(pathsBelow(copy));
    if (!own || own.pid === pid) return;
    process.kill(own.pid, 'SIGKILL');
    await until(() => !isAlive(own.pid, own.start), 'its end');
  });
  return { original, copy, pid };
}

test('status, stop and mute of the copy do not reach the daemon of the original; start brings one of its own', async () => {
  const { original, copy, pid } = await copied();
  const status = JSON.parse((await belfry(copy, ['status', '--json'])).stdout) as { running: boolean };
  expect(status.running).toBe(false);
  expect((await belfry(copy, ['stop'])).stdout).toBe('no daemon was running\n');
  expect((await belfry(copy, ['mute', '1h', '--all'])).code).toBe(0); // starts a daemon: the copy's own
  expect(isAlive(pid, null)).toBe(true);
  expect(runningDaemon(pathsBelow(original))?.pid).toBe(pid);
  expect(JSON.parse((await belfry(original, ['mute', '--list', '--json'])).stdout)).toEqual([]);
  const own = runningDaemon(pathsBelow(copy));
  expect(own?.pid).not.toBe(pid);
  expect((await belfry(copy, ['stop'])).stdout).toBe(`stopped (pid ${own?.pid})\n`);
  expect(isAlive(pid, null)).toBe(true);
});

test.each(['shell', 'Node'])("the copy's %s hook does not take the original's daemon for its own", async (which) => {
  const { copy, pid } = await copied();
  mkdirSync(join(copy, 'spool'), { recursive: true, mode: 0o700 });
  const env = bareEnv(copy, { BELFRY_NO_AUTOSTART: undefined });
  const input = '{"hook_event_name":"Stop","session_id":"s"}';
  const args = ['-c', HOOK_LINE, 'sh', process.execPath, dist];
  if (which === 'shell') await run('/bin/sh', args, env, { input });
  else await run(process.execPath, [join(dist, 'belfry-hook.cjs'), '--agent', 'claude'], env, { input });
  const own = await until(() => runningDaemon(pathsBelow(copy)), 'a daemon of its own');
  expect(own.pid).not.toBe(pid);
  await until(() => readdirSync(join(copy, 'spool')).length === 0, 'the event to be taken over');
});

test('a home that was moved keeps its daemon', async () => {
  const original = temporaryFolder();
  const moved = join(temporaryFolder(), 'moved');
  const { pid } = await startDaemon(original);
  const log = pathsBelow(original).daemonLog;
  await until(() => existsSync(log) && readFileSync(log, 'utf8').includes('"ready"'), 'all of its files to be written');
  renameSync(original, moved);
  expect((await belfry(moved, ['stop'])).stdout).toBe(`stopped (pid ${pid})\n`);
});
