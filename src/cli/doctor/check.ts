// The contract of a check: one link of the chain from hook to channel, what is checked, and how to fix it.
import type { Config } from '../../model/settings/config.ts';
import type { CheckResult } from '../../model/channel/channel.ts';
import type { Diagnostic } from '../../config/diagnostic.ts';
import type { MachineState } from '../../config/machine/machine-config.ts';
import type { Paths } from '../../runtime/paths.ts';
import type { Machine } from '../../../installers/settings-file.ts';
import type { Io } from '../io.ts';

export type { CheckResult };

/** What checks work with; read once. */
export interface DoctorContext {
  readonly paths: Paths;
  readonly machine: Machine;
  readonly io: Io;
  /** Unix ms. */
  readonly now: number;
  /** The settings of the file; null when it is invalid. */
  readonly config: Config | null;
  /** Errors of an invalid file, warnings of a valid one. */
  readonly diagnostics: readonly Diagnostic[];
  /** The machine-wide settings. */
  readonly machineConfig: MachineState;
  /** There is a settings file of one's own. */
  readonly configured: boolean;
}

/** One link. */
export interface Check {
  readonly name: string;
  /** For docs/reference/doctor.md: what is checked. */
  readonly inspects: string;
  /** For docs/reference/doctor.md: problems it finds, each with its fix. */
  readonly fixes: readonly (readonly [fault: string, fix: string])[];
  /** No result where there is nothing of it here; never throws for expected trouble. */
  readonly run: (context: DoctorContext) => Promise<readonly CheckResult[]>;
}

/** Declares a check; the type is checked, nothing else happens. */
export function defineCheck(check: Check): Check {
  return check;
}

/** Nothing to do. */
export const ok = (text: string): CheckResult => ({ level: 'ok', text });
/** Worth a look; may be intended. */
export const warn = (text: string, fix: string): CheckResult => ({ level: 'warn', text, fix });
/** A failed check. */
export const fail = (text: string, fix: string): CheckResult => ({ level: 'fail', text, fix });
