// A hook starts a missing daemon: once however many ask, not when forbidden, not holding the client's pipes open.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, onTestFinished, test } from 'vitest';
import { daemonLock } from '../../src/runtime/autostart.ts';
import { autostartForbidden } from '../../src/runtime/autostart-setting.ts';
import { runningDaemon } from '../../src/runtime/daemon-file.ts';
import { readLock } from '../../src/runtime/lock.ts';
import type { Paths } from '../../src/runtime/paths.ts';
import { isAlive } from '../../src/runtime/process-table.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { belfry, hook } from '../support/programs.ts';
import { until } from '../support/wait.ts';

const ALLOWED = { env: { BELFRY_NO_AUTOSTART: undefined } };

/** A home whose daemon, if one was started, is ended with the test. */
function home(): { folder: string; paths: Paths } {
  const folder = temporaryFolder();
  const paths = pathsBelow(folder);
  onTestFinished(async () => {
    const pid = readLock(daemonLock(paths))?.pid;
    if (pid === undefined || !isAlive(pid, null)) return;
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid, null), 'its end');
  });
  return { folder, paths };
}

async function eventCount(folder: string): Promise<number> {
  const { stdout } = await belfry(folder, ['events', '--kind', 'agent.finished', '--json']);
  try {
    return (JSON.parse(stdout) as unknown[]).length;
  } catch {
    return 0;
  }
}

function starts(paths: Paths): number {
  return readFileSync(paths.hookLog, 'utf8').match(/daemon: started/g)?.length ?? 0;
}

test('twelve hooks at once start one daemon, which gets all their events', async () => {
  const { folder, paths } = home();
  const env = { ...ALLOWED.env, BELFRY_DEBUG: '1' };
  const ran = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      hook(folder, JSON.stringify({ session_id: `s${i}`, hook_event_name: 'Stop' }), ['--agent', 'generic'], { env }),
    ),
  );
  expect(ran.map(({ code, stdout, stderr }) => `${code}${stdout}${stderr}`)).toEqual(ran.map(() => '0'));
  expect(starts(paths)).toBe(1);
  const info = await until(() => runningDaemon(paths), 'the daemon');
  await until(async () => (await eventCount(folder)) === 12, 'all events');
  process.kill(info.pid, 'SIGKILL');
  await until(() => !isAlive(info.pid, info.start), 'its end');
  await hook(folder, '{}', ['--agent', 'generic'], { env });
  await until(() => runningDaemon(paths) && runningDaemon(paths)?.pid !== info.pid, 'another daemon after a kill');
  expect(starts(paths)).toBe(2);
});

test.each<[string, (folder: string) => Record<string, string | undefined>]>([
  ['BELFRY_NO_AUTOSTART', () => ({ BELFRY_NO_AUTOSTART: '1' })],
  [
    'the settings',
    (folder) => {
      writeFileSync(join(folder, 'config.toml'), '[daemon]\nautostart = false\n');
      return ALLOWED.env;
    },
  ],
])('no start when %s forbids it', async (_name, forbid) => {
  const { folder, paths } = home();
  await hook(folder, '{}', [], { env: { ...forbid(folder), BELFRY_DEBUG: '1' } });
  expect(starts(paths)).toBe(0);
  expect(existsSync(paths.run)).toBe(false);
});

test.each<[string, boolean]>([
  ['', false],
  ['[daemon]\nautostart = false', true],
  ['[daemon]\nautostart = true', false],
  ['[ daemon ]\r\n  metrics = "127.0.0.1:1"\r\n\tautostart=false # mine\r\n', true],
  ['daemon.autostart = false', true],
  ['daemon = { metrics = "x", autostart = false }', true],
  ['[other]\nautostart = false', false],
  ['[daemon]\n[other]\nautostart = false', false],
  ['[daemon]\n# autostart = false', false],
  ['[daemon]\nautostart = "false"', false],
  ['[daemon]\nmetrics = "[::1]:9464"\nautostart = false', true],
  ['[daemon]\n# see [docs]\nautostart = false', true],
  ['[daemon] # [x]\nautostart = false', true],
  ['["daemon"]\n"autostart" = false', true],
  ["[ 'daemon' ]\n'autostart' = false", true],
  ['"daemon".\'autostart\' = false', true],
  ['daemon . autostart = false', true],
  ['"daemon.autostart" = false', false],
  ["daemon = { metrics = '[::1]:1', 'autostart' = false }", true],
  ['daemon = { metrics = "autostart = false" }', false],
  ['daemon = { x = { autostart = false }, y = [{ autostart = false }] }', false],
  ['daemon = { x = { a = 1 }, y = [{ a = 1 }], autostart = false }', true],
  ['x = """\n[daemon]\nautostart = false\n"""', false],
  ["x = '''\n[daemon]\nautostart = false\n'''", false],
  ['x = """a \\""" b""""\n[daemon]\nautostart = false', true],
  ['[daemon]\nx = [\n  "]", # ]\n  [1],\n  { a = [2] },\n]\nautostart = false', true],
  ['[daemon]\nx = [\n["other"]\n]\nautostart = false', true],
  ['[[routes]]\nto = ["a"]\n[daemon]\nautostart = false', true],
  ['[daemon]\na = 1\n[[routes]]\nautostart = false', false],
  ['[daemon.x]\nautostart = false', false],
  ['[x.daemon]\nautostart = false', false],
  ['[x]\ndaemon.autostart = false', false],
  ['[daemon]\nautostart = [false]', false],
  ['[daemon]\nx.autostart = false', false],
  ['\uFEFF[daemon]\r\nautostart = false', true],
  ['# a\u2028daemon.autostart = false', false],
])('settings %j forbid it: %s', (text, forbidden) => {
  const { folder, paths } = home();
  mkdirSync(folder, { recursive: true });
  writeFileSync(paths.config, text);
  expect(autostartForbidden(paths.config)).toBe(forbidden);
  const { daemon } = parse(text.replace('\uFEFF', '')) as { daemon?: { autostart?: unknown } };
  expect(daemon?.autostart === false).toBe(forbidden);
});

test.each([
  '[[routes]]\nto = ["desk"\n\n[daemon]\nautostart = false',
  'x = "never closed\n[daemon]\nautostart = false',
  '[daemon\n[daemon]\nautostart = false',
])('settings %j, broken in another place, forbid it', (text) => {
  const { paths } = home();
  writeFileSync(paths.config, text);
  expect(autostartForbidden(paths.config)).toBe(true);
});

test('settings that are a pipe are not waited for, and a long file of brackets takes no time', () => {
  const { paths } = home();
  spawnSync('mkfifo', [paths.config]);
  expect(autostartForbidden(paths.config)).toBe(false);
  const other = home().paths;
  for (const piece of ['[', '{', '"', "'", '"""', "'''", 'a=[', 'a={', '\\', '"\\', '""" ']) {
    writeFileSync(other.config, piece.repeat(150_000));
    const began = performance.now();
    expect(autostartForbidden(other.config)).toBe(false);
    expect(performance.now() - began, piece).toBeLessThan(3_000);
  }
});
