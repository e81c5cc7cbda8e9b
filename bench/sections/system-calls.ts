// Where the fast path's time goes: its system calls, counted by strace.
import { spawnSync } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHome, startDaemon } from '../home.ts';
import type { Measure, Section } from '../measure.ts';

const COUNTED = [
  'execve',
  'vfork|fork|clone|clone3',
  'openat|open',
  'read',
  'write',
  'stat|newfstatat|lstat|faccessat2|access',
];

async function counts(): Promise<Measure[]> {
  if (spawnSync('strace', ['-V']).status !== 0) return [];
  const home = openHome();
  const daemon = await startDaemon(home);
  try {
    const input = home.input(1_000);
    const run = (command: string): Map<string, number> => {
      const report = join(home.folder, 'strace');
      const stdin = openSync(input, 'r');
      spawnSync('strace', ['-f', '-c', '-o', report, '/bin/sh', '-c', command], {
        env: home.env,
        stdio: [stdin, 'ignore', 'ignore'],
      });
      return parse(readFileSync(report, 'utf8'));
    };
    const found = { "sh -c 'cat > FILE'": run(`cat > '${home.folder}/out'`), fast: run(home.command('fast')) };
    return Object.entries(found).flatMap(([program, calls]) =>
      [...COUNTED, 'total'].map((names): Measure => {
        const value = names.split('|').reduce((sum, name) => sum + (calls.get(name) ?? 0), 0);
        return { section: 'calls', name: `${program}: ${names.replaceAll('|', ', ')}`, unit: 'count', runs: 1, value };
      }),
    );
  } finally {
    await daemon.stop();
    home.remove();
  }
}

/** Calls by name from the table that `strace -c` writes. */
function parse(report: string): Map<string, number> {
  const rows = report.split('\n').map((line) => line.trim().split(/\s+/));
  return new Map(rows.flatMap((row) => (Number(row[3]) > 0 ? [[row.at(-1) ?? '', Number(row[3])] as const] : [])));
}

export const CALL_SECTIONS: readonly Section[] = [
  {
    name: 'calls',
    about:
      'System calls of one run with its children (strace -f -c). Most are the loading of sh and cat; what the fast path adds to `cat > FILE` is the look at the sign of life, its own text and two writes.',
    run: counts,
  },
];
