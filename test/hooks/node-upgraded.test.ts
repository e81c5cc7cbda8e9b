// Node was upgraded, the package moved or removed while agents run: the installed command line finds what works now, or says so once.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runningDaemon } from '../../src/runtime/daemon-file.ts';
import { leaveFallback } from '../../src/runtime/fallback-files.ts';
import { hookCommand } from '../../src/runtime/hook-command.ts';
import { isAlive } from '../../src/runtime/process-table.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { CAN_HIDE_NODE, WITHOUT_NODE } from '../support/hidden-node.ts';
import { bareEnv, run } from '../support/programs.ts';
import { SHELLS } from '../support/shells.ts';
import { until } from '../support/wait.ts';

const packageDir = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');
const INPUT = '{"hook_event_name":"Stop","session_id":"s"}';
const FORMS = ['fast', 'socket'] as const;

interface World {
  readonly home: string;
  /** A PATH of its own: nothing of this machine but what a shell needs. */
  readonly bin: string;
  readonly hook: (options?: {
    shell?: readonly string[];
    form?: 'fast' | 'socket';
    packageDir?: string;
  }) => Promise<void>;
  readonly spooled: () => string[];
  /** What the desktop was asked to show. */
  readonly shown: () => string[];
}

/** A home in which hooks were installed by a Node that is gone. */
function world(): World {
  const home = temporaryFolder();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  mkdirSync(join(home, 'run'), { mode: 0o700 });
  for (const name of ['rm', 'ls', 'cat', 'sleep']) symlinkSync(`/bin/${name}`, join(bin, name));
  program(join(bin, 'notify-send'), `printf '%s\\n' "$*" >>'${home}/shown'`);
  onTestFinished(async () => {
    const own = runningDaemon(pathsBelow(home));
    if (!own) return;
    process.kill(own.pid, 'SIGKILL');
    await until(() => !isAlive(own.pid, own.start), 'its end');
  });
  const fallback = { path: join(home, 'run', 'belfry-fallback.sh'), home };
  return {
    home,
    bin,
    hook: async ({ shell = ['/bin/sh'], form = 'fast', packageDir: folder = packageDir } = {}) => {
      const line = hookCommand({ form, agent: 'claude', node: '/gone/v20.1.0/node', packageDir: folder, fallback });
      const [name = '', ...args] = [...shell, '-c', line];
      const env = bareEnv(home, { PATH: bin, BELFRY_NO_AUTOSTART: undefined, HOME: home });
      const ran = await run(name, args, env, { input: INPUT });
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, '', '']);
    },
    spooled: () => (existsSync(join(home, 'spool')) ? readdirSync(join(home, 'spool')) : []),
    shown: () => (existsSync(join(home, 'shown')) ? readFileSync(join(home, 'shown'), 'utf8').trim().split('\n') : []),
  };
}

function program(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

test.each(FORMS)('%s: the Node on PATH keeps the event and starts the daemon', async (form) => {
  const w = world();
  symlinkSync(process.execPath, join(w.bin, 'node'));
  await w.hook({ form });
  const daemon = await until(() => runningDaemon(pathsBelow(w.home)), 'the daemon');
  expect(isAlive(daemon.pid, daemon.start)).toBe(true);
  await until(() => w.spooled().length === 0, 'the event to be taken over');
  expect(w.shown()).toEqual([]);
});

test.each(FORMS)(
  '%s: with the package gone too, what the last installation left leads to the new one',
  async (form) => {
    const w = world();
    symlinkSync(process.execPath, join(w.bin, 'node'));
    leaveFallback(pathsBelow(w.home), join(packageDir, 'dist', 'daemon.js'));
    await w.hook({ form, packageDir: '/gone/belfry' });
    await until(() => runningDaemon(pathsBelow(w.home)), 'the daemon');
    await until(() => w.spooled().length === 0, 'the event to be taken over');
  },
);

test('or `belfry-hook` on PATH does', async () => {
  const w = world();
  leaveFallback(pathsBelow(w.home), join(packageDir, 'dist', 'daemon.js'));
  writeFileSync(join(w.home, 'run', 'program'), '/gone/node\n/gone/belfry/dist\n');
  symlinkSync(process.execPath, join(w.bin, 'node'));
  symlinkSync(join(packageDir, 'dist', 'belfry-hook.cjs'), join(w.bin, 'belfry-hook'));
  symlinkSync('/usr/bin/env', join(w.bin, 'env'));
  await w.hook({ packageDir: '/gone/belfry' });
  await until(() => runningDaemon(pathsBelow(w.home)), 'the daemon');
});

test.runIf(CAN_HIDE_NODE).each(SHELLS)(
  '$name: no Node but one that is too old: events are kept, the desktop says so once',
  async ({ shell }) => {
    const w = world();
    mkdirSync(join(w.home, 'spool'), { mode: 0o700 });
    program(join(w.bin, 'node'), `[ "$1" = -v ] && echo v18.20.1 || echo run >>'${w.home}/ran'`);
    for (let i = 0; i < 3; i++) await w.hook({ shell: [...WITHOUT_NODE, ...shell] });
    await until(() => w.shown().length > 0, 'the notification');
    expect(w.spooled()).toHaveLength(3);
    expect(w.shown()).toEqual([expect.stringMatching(/^-a Belfry -u critical Belfry cannot run No Node\.js/)]);
    expect(existsSync(join(w.home, 'ran'))).toBe(false);
  },
);

test('nothing of the package is left: the desktop says so once, in every shell, and again after it was mended', async () => {
  const w = world();
  leaveFallback(pathsBelow(w.home), join(packageDir, 'dist', 'daemon.js'));
  const forget = (): void => writeFileSync(join(w.home, 'run', 'program'), '/gone/node\n/gone/belfry/dist\n');
  forget();
  for (const { shell } of SHELLS) await w.hook({ shell, packageDir: '/gone/belfry' });
  await until(() => w.shown().length > 0, 'the notification');
  expect(w.shown()).toEqual([expect.stringContaining('Belfry cannot run')]);
  leaveFallback(pathsBelow(w.home), join(packageDir, 'dist', 'daemon.js')); // as a daemon does
  forget();
  await w.hook({ packageDir: '/gone/belfry' });
  await until(() => w.shown().length > 1, 'the second notification');
});

test('a desktop that shows nothing is asked again by the next hook', async () => {
  const w = world();
  leaveFallback(pathsBelow(w.home), join(packageDir, 'dist', 'daemon.js'));
  writeFileSync(join(w.home, 'run', 'program'), '/gone/node\n/gone/belfry/dist\n');
  program(join(w.bin, 'notify-send'), `printf 'x\\n' >>'${w.home}/shown'; exit 1`);
  await w.hook({ packageDir: '/gone/belfry' });
  await until(() => w.shown().length === 1 && !existsSync(join(w.home, 'run', 'no-node')), 'the first attempt');
  await w.hook({ packageDir: '/gone/belfry' });
  await until(() => w.shown().length === 2, 'the second attempt');
});

test('a home that was moved: the copy below it is found by HOME', async () => {
  const line = hookCommand({
    form: 'fast',
    agent: 'claude',
    node: '/old/home/node',
    packageDir: '/old/home/belfry',
    fallback: { path: "/old/home/it's/run/belfry-fallback.sh", home: '/old/home' },
  });
  expect(line).toContain(`"$HOME"'/it'\\''s/run/belfry-fallback.sh'`);
});

test.each(SHELLS)(
  '$name: a hook that fails is not followed by its copy, which would find no arguments',
  async ({ shell }) => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'dist'));
    const said = join(home, 'said');
    writeFileSync(join(home, 'dist', 'belfry-hook.sh'), `shift 2; echo "first $*" >>'${said}'; false\n`);
    writeFileSync(join(home, 'copy.sh'), `echo "copy $*" >>'${said}'\n`);
    const fallback = { path: join(home, 'copy.sh'), home };
    const line = hookCommand({ form: 'fast', agent: 'claude', node: '/gone/node', packageDir: home, fallback });
    const [program = '', ...args] = [...shell, '-c', line];
    expect((await run(program, args, bareEnv(home, { HOME: home }), { input: INPUT })).code).toBe(0);
    expect(readFileSync(said, 'utf8')).toBe('first --agent claude\n');
  },
);
