// The settings a daemon starts with. Started by a person, it refuses a broken file; by a hook, it takes the last good one and says so.
import type { Config } from '../../model/settings/config.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { lastGood } from './last-good.ts';
import { loadConfig, readConfig } from '../load.ts';
import { formatDiagnostic, type Diagnostic } from '../diagnostic.ts';

/** Where the settings in force come from. */
export type ConfigOrigin = 'file' | 'defaults' | 'last good';

/** The file as it is now is broken. */
export interface InvalidConfig {
  readonly diagnostics: readonly Diagnostic[];
  /** The first error with file, line and column, on one line. */
  readonly line: string;
  /** Unix ms. */
  readonly since: number;
}

/** Settings and the state of the file. */
export interface InitialConfig {
  readonly config: Config;
  readonly origin: ConfigOrigin;
  readonly invalid: InvalidConfig | null;
  readonly warnings: readonly Diagnostic[];
  /** Text of the file, for the last good copy; null: there is none. */
  readonly text: string | null;
}

/** `auto`: started by a hook. Throws UserError with line and column for a broken file otherwise. */
export async function loadInitial(file: string, state: string, auto: boolean, now: number): Promise<InitialConfig> {
  const loaded = await readConfig(file);
  if (loaded.ok) {
    const { config, warnings, text } = loaded;
    return { config, warnings, text, origin: text === null ? 'defaults' : 'file', invalid: null };
  }
  const invalid = invalidConfig(file, loaded.diagnostics, now);
  if (!auto)
    throw new UserError(
      `${invalid.line}; fix it, then start again (\`belfry config check\` shows all errors)`,
      EXIT.usage,
    );
  const kept = await loadConfig(await lastGood(state));
  // A copy that an older version kept may be invalid by now.
  const fallback = kept.ok ? kept : await loadConfig(null);
  if (!fallback.ok) throw new UserError('the built-in settings are invalid; please report this', EXIT.other);
  const { config, text } = fallback;
  return { config, text, warnings: [], origin: text === null ? 'defaults' : 'last good', invalid };
}

/** The errors as status, log and notification show them. */
export function invalidConfig(file: string, diagnostics: readonly Diagnostic[], now: number): InvalidConfig {
  const [first = { line: 1, column: 1, key: '', message: 'cannot be read' }] = diagnostics;
  return { diagnostics, line: formatDiagnostic(file, first), since: now };
}
