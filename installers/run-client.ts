// Runs a client's own program to its end, for what only the client can do.
import { delimiter, dirname } from 'node:path';
import { type ProgramResult, runProgram } from '../src/lib/programs/run-program.ts';
import type { Machine } from './settings-file.ts';

/** `program`: its full path, as `findProgram` has it. Never throws; ended after `limit` ms. */
export function runClient(
  program: string,
  args: readonly string[],
  machine: Machine,
  limit: number,
): Promise<Pick<ProgramResult, 'stdout' | 'timedOut'>> {
  if (machine.run !== undefined) return machine.run(program, args, limit);
  return runProgram({ program, args, env: clientEnv(program, machine), cwd: machine.home, limit });
}

/** What a version manager installed needs the Node beside it. */
export function clientEnv(program: string, { env }: Machine): Record<string, string | undefined> {
  const path = [env['PATH'] ?? '', dirname(program)].filter((part) => part !== '').join(delimiter);
  return { ...env, PATH: path };
}
