// Times whole processes, interleaved so that a noisy moment affects all of them.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchHome } from './home.ts';

/** A program to time; it gets the content of the file `input` on a pipe, as from an agent's client. */
export interface Timed {
  readonly name: string;
  readonly argv: readonly string[];
  readonly input: string;
}

/** Milliseconds of each run of each program, by the order of `programs`. `pause`: ms between two runs. */
export async function time(
  home: BenchHome,
  programs: readonly Timed[],
  rounds: number,
  pause = 0,
): Promise<number[][]> {
  return hasPerl() ? timeByPerl(home, programs, rounds, pause) : timeByNode(home, programs, rounds, pause);
}

/** What the times were taken with, for the page. */
export function timerName(): string {
  return hasPerl() ? 'a small Perl process (bench/timer.pl)' : 'Node spawnSync';
}

function hasPerl(): boolean {
  return spawnSync('perl', ['-MTime::HiRes', '-e', '1']).status === 0;
}

/** A process as large as this one is slow to fork; Perl's is small. The event loop stays free for a receiver. */
async function timeByPerl(
  home: BenchHome,
  programs: readonly Timed[],
  rounds: number,
  pause: number,
): Promise<number[][]> {
  const plan = join(home.folder, 'plan');
  writeFileSync(plan, programs.map(({ input, argv }) => `${[input, ...argv].join('\t')}\n`).join(''));
  const child = spawn('perl', [new URL('timer.pl', import.meta.url).pathname, String(rounds), String(pause), plan], {
    env: home.env,
  });
  let out = '';
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`bench/timer.pl: ${complaint}`);
  const times: number[][] = programs.map(() => []);
  for (const line of out.split('\n').filter(Boolean)) {
    const [index, ms] = line.split('\t').map(Number);
    times[index ?? -1]?.push(ms ?? Number.NaN);
  }
  return times;
}

async function timeByNode(
  home: BenchHome,
  programs: readonly Timed[],
  rounds: number,
  pause: number,
): Promise<number[][]> {
  const times: number[][] = programs.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, { argv, input }] of programs.entries()) {
      const [program = '', ...args] = argv;
      const bytes = readFileSync(input);
      const began = performance.now();
      spawnSync(program, args, { env: home.env, input: bytes, stdio: ['pipe', 'ignore', 'ignore'] });
      times[index]?.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  return times;
}
