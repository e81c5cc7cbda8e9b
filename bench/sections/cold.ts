// The first run after a boot: nothing of the programs is in the system's file cache.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, openHome } from '../home.ts';
import { type Measure, type Section, spread } from '../measure.ts';
import { time } from '../timer.ts';

/** Empties the file cache; false where that is not allowed (not Linux, not root). */
function emptyCache(): boolean {
  spawnSync('sync');
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3');
    return true;
  } catch {
    return false;
  }
}

async function cold(full: boolean): Promise<Measure[]> {
  const home = openHome();
  try {
    const input = home.input(1_000);
    const programs = [
      { name: 'empty Node program', argv: [process.execPath, '-e', ''], input },
      { name: 'hook command: fast, daemon down', argv: ['/bin/sh', '-c', home.command('fast')], input },
      { name: 'belfry-hook, daemon down', argv: [process.execPath, join(DIST, 'belfry-hook.cjs')], input },
      { name: 'belfry --help', argv: [process.execPath, join(DIST, 'belfry.js'), '--help'], input },
    ];
    const measures: Measure[] = [];
    for (const program of programs) {
      const times: number[] = [];
      for (let i = 0; i < (full ? 8 : 3); i++) {
        if (!emptyCache()) return [];
        times.push(...((await time(home, [program], 1))[0] ?? []));
      }
      measures.push(spread('cold', program.name, 'ms', times));
    }
    return measures;
  } finally {
    home.remove();
  }
}

export const COLD_SECTIONS: readonly Section[] = [
  {
    name: 'cold',
    about: 'The same programs with an empty file cache (Linux, as root; otherwise left out), daemon down.',
    run: ({ full }) => cold(full),
  },
];
