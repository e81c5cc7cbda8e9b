// What an agent waits for: whole processes, start to exit, against the system's own floor.
import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type BenchHome, DIST, openHome, startDaemon } from '../home.ts';
import { type Measure, quantile, type Section, spread } from '../measure.ts';
import { time, type Timed } from '../timer.ts';

const HOOK = join(DIST, 'belfry-hook.cjs');

/** Measures of timed programs, each with its ratio to the one it is compared with. */
function measures(
  section: string,
  programs: readonly Timed[],
  times: readonly number[][],
  against: Readonly<Record<string, string>>,
  judge: (name: string, value: number, ratio: number | undefined) => Partial<Measure>,
): Measure[] {
  return programs.map(({ name }, index) => {
    const numbers = times[index] ?? [];
    const base = programs.findIndex((program) => program.name === against[name]);
    const ratio = base < 0 ? undefined : quantile(numbers, 0.5) / quantile(times[base] ?? [], 0.5);
    return spread(section, name, 'ms', numbers, {
      ...(ratio !== undefined && against[name] !== undefined && { ratio, against: against[name] }),
      ...judge(name, quantile(numbers, 0.5), ratio),
    });
  });
}

/** A socket that takes a request and closes, for curl. */
async function plainSocket(home: BenchHome): Promise<{ path: string; close: () => void }> {
  const path = join(home.folder, 'plain.sock');
  const server = createServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return { path, close: () => void server.close() };
}

async function hooks(full: boolean): Promise<Measure[]> {
  const home = openHome();
  const daemon = await startDaemon(home);
  const socket = await plainSocket(home);
  try {
    const input = home.input(1_000);
    const empty = join(home.folder, 'empty.cjs');
    writeFileSync(empty, '');
    const out = join(home.folder, 'out');
    const shell = (command: string): string[] => ['/bin/sh', '-c', command];
    const curl = ['curl', '-s', '--unix-socket', socket.path, '--data-binary', '@-', 'http://localhost/'];
    const programs: Timed[] = [
      { name: 'sh -c :', argv: shell(':'), input },
      { name: "sh -c 'cat > FILE'", argv: shell(`cat > '${out}'`), input },
      { name: 'hook command: fast', argv: shell(home.command('fast')), input },
      { name: 'curl to a socket', argv: curl, input },
      { name: 'empty Node program', argv: [process.execPath, empty], input },
      { name: 'belfry-hook', argv: [process.execPath, HOOK, '--agent', 'generic'], input },
      { name: 'hook command: socket', argv: shell(home.command('socket')), input },
    ];
    const times = await time(home, programs, full ? 400 : 60);
    const against = { 'hook command: fast': "sh -c 'cat > FILE'", 'belfry-hook': 'empty Node program' };
    return measures('hook', programs, times, against, (name, value, ratio = Number.NaN) => {
      if (name === 'hook command: fast') return { goal: '< 5 ms and <= 1.5 x', met: value < 5 && ratio <= 1.5 };
      return name === 'belfry-hook' ? { goal: '<= 1.15 x', met: ratio <= 1.15 } : {};
    });
  } finally {
    socket.close();
    await daemon.stop();
    home.remove();
  }
}

const SIZES: readonly (readonly [name: string, bytes: number])[] = [
  ['1 KB', 1_000],
  ['100 KB', 100_000],
  ['1 MB', 1_000_000],
  ['10 MB', 10_000_000],
];

/** In this time, ms, the daemon has taken over what a run left, and is not busy when the next begins. */
const TAKEN_OVER = 500;

async function sizes(full: boolean): Promise<Measure[]> {
  const home = openHome();
  const daemon = await startDaemon(home);
  try {
    const programs = SIZES.flatMap(([name, bytes]): Timed[] => [
      { name: `fast, ${name}`, argv: ['/bin/sh', '-c', home.command('fast')], input: home.input(bytes) },
      { name: `belfry-hook, ${name}`, argv: [process.execPath, HOOK], input: home.input(bytes) },
    ]);
    const times = await time(home, programs, full ? 30 : 6, TAKEN_OVER);
    const small = quantile(times[0] ?? [], 0.5);
    return measures('size', programs, times, {}, (name, value) =>
      name === 'fast, 10 MB' ? { goal: '<= 20 ms more than 1 KB', met: value - small <= 20 } : {},
    );
  } finally {
    await daemon.stop();
    home.remove();
  }
}

/** The daemon hangs (a stopped process behind an open socket), then is gone. */
async function unheard(full: boolean): Promise<Measure[]> {
  const home = openHome();
  const daemon = await startDaemon(home);
  const input = home.input(1_000);
  const programs = (state: string): Timed[] => [
    { name: `hook command: fast, daemon ${state}`, argv: ['/bin/sh', '-c', home.command('fast')], input },
    { name: `belfry-hook, daemon ${state}`, argv: [process.execPath, HOOK, '--agent', 'generic'], input },
  ];
  const rounds = full ? 60 : 10;
  const judge = (section: string, of: Timed[], times: number[][]): Measure[] =>
    measures(section, of, times, {}, (_name, value) => ({ goal: '<= 250 ms', met: value <= 250 }));
  try {
    process.kill(daemon.pid, 'SIGSTOP');
    const hung = judge('unheard', programs('hung'), await time(home, programs('hung'), rounds));
    process.kill(daemon.pid, 'SIGCONT');
    await daemon.stop();
    return [...hung, ...judge('unheard', programs('down'), await time(home, programs('down'), rounds))];
  } finally {
    home.remove();
  }
}

async function starts(full: boolean): Promise<Measure[]> {
  const home = openHome();
  const ready: number[] = [];
  for (let i = 0; i < (full ? 10 : 3); i++) {
    const daemon = await startDaemon(home);
    ready.push(daemon.readyMs);
    await daemon.stop();
  }
  const daemon = await startDaemon(home);
  try {
    const input = home.input(10);
    const node = (name: string, ...args: string[]): Timed => ({ name, argv: [process.execPath, ...args], input });
    const programs = [
      node("node -e ''", '-e', ''),
      node('belfry --help', join(DIST, 'belfry.js'), '--help'),
      node('belfry status', join(DIST, 'belfry.js'), 'status'),
    ];
    const times = await time(home, programs, full ? 60 : 12);
    const base = { 'belfry --help': "node -e ''", 'belfry status': "node -e ''" };
    return [
      ...measures('start', programs, times, base, (_name, _value, ratio) =>
        ratio === undefined ? {} : { goal: '<= 2 x', met: ratio <= 2 },
      ),
      spread('start', 'daemon, spawn to ready', 'ms', ready),
    ];
  } finally {
    await daemon.stop();
    home.remove();
  }
}

export const PROCESS_SECTIONS: readonly Section[] = [
  {
    name: 'hook',
    about: 'Whole processes from start to exit, interleaved, 1 KB on a pipe, daemon up.',
    run: async ({ full }) => {
      const size = statSync(HOOK).size;
      const bundle = { section: 'hook', name: 'belfry-hook.cjs', unit: 'bytes', runs: 1, value: size } as const;
      return [...(await hooks(full)), { ...bundle, goal: '<= 12,288', met: size <= 12_288 }];
    },
  },
  {
    name: 'size',
    about:
      'The same with larger inputs, in turns, half a second after one another: while the daemon reads 10 MB, for a tenth of a second, a Node hook would wait 120 ms for its acknowledgement and spool; the fast path waits for nothing.',
    run: ({ full }) => sizes(full),
  },
  {
    name: 'unheard',
    about:
      'Nobody answers: the daemon hangs (stopped by a signal), or is down and is not to be started. The input is spooled.',
    run: ({ full }) => unheard(full),
  },
  {
    name: 'start',
    about: 'Start of the command line, daemon up, and of the daemon.',
    run: ({ full }) => starts(full),
  },
];
