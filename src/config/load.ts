// From the text of config.toml to the one normal form, with line and column for every error.
import { readFile } from 'node:fs/promises';
import { TomlError, parse } from 'smol-toml';
import { sleep } from '../lib/clock.ts';
import type { Config } from '../model/settings/config.ts';
import { locate } from './toml/key-positions.ts';
import { configWarnings } from './checks/semantic-checks.ts';
import type { Diagnostic } from './diagnostic.ts';
import { type Registries, registries as registered } from './registries.ts';
import { validate } from './schema.ts';
import { syntaxDiagnostic } from './toml/syntax-errors.ts';

/** Valid settings, or all that is wrong with them. */
export type Loaded =
  | {
      readonly ok: true;
      readonly config: Config;
      readonly warnings: readonly Diagnostic[];
      readonly text: string | null;
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[]; readonly text: string | null };

/** Largest settings file, bytes. */
export const LARGEST_FILE = 1024 * 1024;
/** Ms until an empty file is read once more. */
const SECOND_LOOK = 200;

/** Reads and checks the settings file; one that does not exist gives the defaults. */
export async function readConfig(path: string, registries: Registries = registered): Promise<Loaded> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
    // An editor that writes in place empties the file first.
    if (bytes.byteLength === 0) bytes = await sleep(SECOND_LOOK).then(() => readFile(path));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ENOENT') return loadConfig(null, registries);
    return wrong(`cannot be read (${code}); check its permissions`, null);
  }
  if (bytes.byteLength > LARGEST_FILE) return wrong(`is larger than ${LARGEST_FILE} bytes`, null);
  return loadConfig(bytes.toString('utf8'), registries);
}

/** Checks the text of a settings file; null stands for no file. */
export async function loadConfig(text: string | null, registries: Registries = registered): Promise<Loaded> {
  const clean = (text ?? '').replace(/^\uFEFF/, '');
  let input: unknown;
  try {
    input = parse(clean, { unsafeKeyBehaviour: 'throw' });
  } catch (error) {
    if (!(error instanceof TomlError)) return wrong(error instanceof Error ? error.message : 'cannot be read', text);
    return { ok: false, diagnostics: [syntaxDiagnostic(clean, error)], text };
  }
  const { config, found } = validate(input, registries);
  if (config === null) return { ok: false, diagnostics: await locate(clean, found), text };
  const warnings = await locate(clean, configWarnings(config, registries, definesChannels(clean)));
  return { ok: true, config, warnings, text };
}

/** Whether the text of a valid settings file has channels or routes of its own, instead of the defaults. */
export function definesChannels(text: string): boolean {
  const input = parse(text.replace(/^\uFEFF/, ''));
  return 'channels' in input || 'routes' in input;
}

function wrong(message: string, text: string | null): Loaded {
  return { ok: false, diagnostics: [{ line: 1, column: 1, key: '', message }], text };
}
