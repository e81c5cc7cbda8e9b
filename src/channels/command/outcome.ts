// What the end of a program means for a delivery: its exit code says so, as sysexits.h has it.
import { basename } from 'node:path';
import type { ProgramResult } from '../../lib/programs/run-program.ts';
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { Outcome, Reason } from '../../model/delivery/delivery.ts';
import { checkCommand } from './check.ts';

const EX_TEMPFAIL = 75;
const EX_CONFIG = 78;

/** The machine has no room for another process just now. */
const BUSY = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** What is run. */
export interface CommandCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** `limit`: ms it had. What it printed is kept as its answer: errors first. */
export function commandOutcome(ended: ProgramResult, { program, cwd, env }: CommandCall, limit: number): Outcome {
  const { code, fault } = ended;
  const name = cutGraphemes(oneLine(basename(program)), 60) || 'the program';
  const answer = ended.stderr.trim() || ended.stdout.trim();
  const failed = (reason: Reason, error: string): Extract<Outcome, { ok: false }> => ({
    ok: false,
    reason,
    error,
    ...(answer === '' ? {} : { answer }),
  });
  if (code === 0) return answer === '' ? { ok: true } : { ok: true, answer };
  if (fault !== null && BUSY.has(fault)) return failed('server', `${name} could not be started (${fault})`);
  if (fault !== null) {
    const { text, fix } = checkCommand(program, cwd, env['PATH'] ?? '');
    return failed('invalid-config', fix === undefined ? `${name} could not be started (${fault})` : `${text}; ${fix}`);
  }
  if (ended.cancelled) return { ...failed('timeout', `${name} was ended before it had finished`), unknown: true };
  if (ended.timedOut)
    return {
      ...failed('timeout', `${name} did not end within ${limit / 1_000} s; it may have done its work`),
      unknown: true,
    };
  if (code === EX_TEMPFAIL) return failed('server', `${name} asked for another try (exit code ${code})`);
  if (code === EX_CONFIG)
    return failed('invalid-config', `${name} says that its settings are wrong (exit code ${code})`);
  if (code === null)
    return { ...failed('server', `${name} was ended by a signal; it may have done its work`), unknown: true };
  return failed('client', `${name} refused this event (exit code ${code})`);
}
