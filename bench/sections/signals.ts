// From which moment on a hook that is killed has kept its event: the bytes are in its stdin, which stays open.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchHome, DIST, openHome, startDaemon } from '../home.ts';
import type { Measure, Section } from '../measure.ts';

/** Ms after the start at which the signal is sent. */
const MOMENTS = [5, 10, 15, 20, 30, 40, 50, 60, 80, 100, 150, 200];
const INPUT = '{"hook_event_name":"Stop","session_id":"killed"}';

/** Whether a hook that gets the signal after `ms` leaves its input in the spool; no daemon takes it away. */
async function kept(home: BenchHome, argv: readonly string[], signal: NodeJS.Signals, ms: number): Promise<boolean> {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { env: home.env, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.on('error', () => undefined); // it may be gone before it has read
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.stdin.write(INPUT);
  setTimeout(() => child.kill(signal), ms);
  setTimeout(() => child.stdin.destroy(), ms + 50); // the shell hook minds SIGKILL only
  await ended;
  const files = readdirSync(home.paths.spool).map((name) => join(home.paths.spool, name));
  const found = files.some((file) => readFileSync(file, 'utf8').includes(INPUT));
  for (const file of files) rmSync(file);
  return found;
}

/** The first of the moments from which on every run kept its event. */
async function firstKept(
  home: BenchHome,
  argv: readonly string[],
  signal: NodeJS.Signals,
  runs: number,
): Promise<number> {
  let first = Number.NaN;
  for (const ms of MOMENTS) {
    let all = true;
    for (let i = 0; i < runs && all; i++) all = await kept(home, argv, signal, ms);
    if (!all) first = Number.NaN;
    else if (Number.isNaN(first)) first = ms;
  }
  return first;
}

async function signals(full: boolean): Promise<Measure[]> {
  const home = openHome();
  const runs = full ? 20 : 5;
  const daemon = await startDaemon(home);
  process.kill(daemon.pid, 'SIGSTOP'); // alive, but it takes nothing out of the spool
  try {
    const fast = ['/bin/sh', '-c', home.command('fast')];
    const node = [process.execPath, join(DIST, 'belfry-hook.cjs'), '--agent', 'generic'];
    const common = { section: 'signals', unit: 'ms', runs } as const;
    return [
      {
        ...common,
        name: 'fast, SIGKILL: kept from',
        value: await firstKept(home, fast, 'SIGKILL', runs),
        goal: '<= 20',
      },
      { ...common, name: 'belfry-hook, SIGTERM: kept from', value: await firstKept(home, node, 'SIGTERM', runs) },
    ].map((measure) => ('goal' in measure ? { ...measure, met: measure.value <= 20 } : measure));
  } finally {
    process.kill(daemon.pid, 'SIGCONT');
    await daemon.stop();
    home.remove();
  }
}

export const SIGNAL_SECTIONS: readonly Section[] = [
  {
    name: 'signals',
    about:
      'A hook is killed so many ms after its start, with its input written and stdin open; the first of the moments 5 to 200 ms from which on every run had kept it.',
    run: ({ full }) => signals(full),
  },
];
