// The machine a figure was measured on.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type as systemName } from 'node:os';
import { timerName } from './timer.ts';

/** What the page says about the machine. */
export interface Machine {
  readonly system: string;
  readonly processor: string;
  readonly memory: string;
  readonly node: string;
  readonly sh: string;
  /** Load averages when the run began: a figure from a busy machine says little. */
  readonly load: string;
  readonly timer: string;
}

/** Describes this machine. */
export function describeMachine(): Machine {
  const processors = cpus();
  return {
    system: `${distribution()} (${systemName()} ${release()})`,
    processor: `${processors.length} x ${processors[0]?.model.trim() || process.arch}`,
    memory: `${(totalmem() / 2 ** 30).toFixed(1)} GB`,
    node: process.version,
    sh: spawnSync('readlink', ['-f', '/bin/sh'], { encoding: 'utf8' }).stdout.trim() || '/bin/sh',
    load: loadavg()
      .map((load) => load.toFixed(2))
      .join(' '),
    timer: timerName(),
  };
}

function distribution(): string {
  if (!existsSync('/etc/os-release')) return process.platform;
  return /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform;
}
