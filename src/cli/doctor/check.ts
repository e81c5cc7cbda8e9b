// The contract of a check: one link of the chain from hook to channel, what is looked at, and what mends it.
import type { Config } from '../../model/config.ts';
import type { CheckResult } from '../../model/channel.ts';
import type { Diagnostic } from '../../config/diagnostic.ts';
import type { Paths } from '../../runtime/paths.ts';
import type { Machine } from '../../../installers/settings-file.ts';
import type { Io } from '../io.ts';

export type { CheckResult };

/** What checks stand on; read once. */
export interface DoctorContext {
  readonly paths: Paths;
  readonly machine: Machine;
  readonly io: Io;
  /** Unix ms. */
  readonly now: number;
  /** The settings of the file; null when they do not hold. */
  readonly config: Config | null;
  /** Mistakes when they do not hold, warnings when they do. */
  readonly diagnostics: readonly Diagnostic[];
  /** There is a settings file. */
  readonly configured: boolean;
}

/** One link. */
export interface Check {
  readonly name: string;
  /** For docs/doctor.md: what is looked at. */
  readonly inspects: string;
  /** For docs/doctor.md: faults it finds, each with its mend. */
  readonly fixes: readonly (readonly [fault: string, mend: string])[];
  /** At least one finding; never throws for expected trouble. */
  readonly run: (context: DoctorContext) => Promise<readonly CheckResult[]>;
}

/** Declares a check; the type is checked, nothing else happens. */
export function defineCheck(check: Check): Check {
  return check;
}

/** A finding in order. */
export const ok = (text: string): CheckResult => ({ level: 'ok', text });
/** A finding that may be meant so. */
export const warn = (text: string, mend: string): CheckResult => ({ level: 'warn', text, mend });
/** A broken link. */
export const fail = (text: string, mend: string): CheckResult => ({ level: 'fail', text, mend });
