// The settings a daemon starts with. Started by a person, it refuses a broken file; by a hook, it takes the last good one and says so.
import type { Config } from '../../model/settings/config.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { lastGood } from './last-good.ts';
import { isSoundText, loadKept, readConfig } from '../load.ts';
import { formatDiagnostic, type Diagnostic } from '../diagnostic.ts';
import type { ConfigFiles, MachineState } from '../machine/machine-config.ts';
import { registries } from '../registries.ts';

/** Where the settings in force come from. */
export type ConfigOrigin = 'file' | 'defaults' | 'last good';

/** A file as it is now is broken: one's own, or that of the machine. */
export interface InvalidConfig {
  readonly diagnostics: readonly Diagnostic[];
  /** The first error with file, line and column, on one line. */
  readonly line: string;
  /** Unix ms. */
  readonly since: number;
  /** The text of one's own file; null: it has none, or cannot be read, or it is the machine's. */
  readonly text: string | null;
  /** Of the machine's file, which its users cannot correct: their own is in force. */
  readonly isMachine: boolean;
}

/** Settings and the state of the file. */
export interface InitialConfig {
  readonly config: Config;
  readonly origin: ConfigOrigin;
  readonly invalid: InvalidConfig | null;
  readonly warnings: readonly Diagnostic[];
  /** Of a text that was valid once, what the machine's file has made invalid, one line each. */
  readonly leftOut: readonly string[];
  /** Text of the file, for the last good copy; null: there is none. */
  readonly text: string | null;
  readonly machine: MachineState;
}

/**
 * `auto`: started by a hook. Throws UserError with line and column for a broken file otherwise. A machine's file that is broken, or has
 * channels no more, keeps nobody from starting.
 */
export async function loadInitial(files: ConfigFiles, auto: boolean, now: number): Promise<InitialConfig> {
  const loaded = await readConfig(files);
  const { machine } = loaded;
  if (loaded.ok) {
    const { config, warnings, text } = loaded;
    const origin = text === null ? 'defaults' : 'file';
    return { config, warnings, leftOut: [], text, origin, machine, invalid: invalidMachine(machine, now) };
  }
  const invalid = invalidConfig(files.config, loaded, now);
  const before = await lastGood(files.state);
  const isSpoilt = before !== null && before === loaded.text && isSoundText(before);
  if (!auto && !isSpoilt)
    throw new UserError(
      `${invalid.line}; fix it, then start again (\`belfry config check\` shows all errors)`,
      EXIT.usage,
    );
  const kept = await loadKept(before, registries, machine.config);
  if (kept === null) throw new UserError('the built-in settings are invalid; please report this', EXIT.other);
  return { ...kept, warnings: [], origin: kept.text === null ? 'defaults' : 'last good', machine, invalid };
}

/** The errors as status, log and notification show them. */
export function invalidConfig(
  file: string,
  { diagnostics, text }: { readonly diagnostics: readonly Diagnostic[]; readonly text: string | null },
  now: number,
): InvalidConfig {
  const [first = { line: 1, column: 1, key: '', message: 'cannot be read' }] = diagnostics;
  return { diagnostics, line: formatDiagnostic(file, first), since: now, text, isMachine: false };
}

/** That of the machine's file; null: it is valid, or there is none. */
export function invalidMachine({ file, faults }: MachineState, now: number): InvalidConfig | null {
  const invalid = invalidConfig(file, { diagnostics: faults, text: null }, now);
  return faults.length === 0 ? null : { ...invalid, isMachine: true };
}
