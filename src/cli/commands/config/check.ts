// `belfry config check`: every error and warning of a settings file, and whether its secrets can be found.
import { stat } from 'node:fs/promises';
import { type Diagnostic, formatDiagnostic } from '../../../config/diagnostic.ts';
import { excerpt } from '../../../config/toml/excerpt.ts';
import { loadConfig, locatedIn, readConfig } from '../../../config/load.ts';
import {
  checkMachineConfig,
  type ConfigFiles,
  faultAdvice,
  type MachineConfig,
  machineFileOf,
  type MachineState,
} from '../../../config/machine/machine-config.ts';
import { registries } from '../../../config/registries.ts';
import { secretReferences } from '../../../config/secrets/secret-references.ts';
import { secretRefKind } from '../../../lib/secrets/secret-ref.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { readMachineFile } from '../../../runtime/machine-file.ts';
import type { Paths } from '../../../runtime/paths.ts';
import type { Io } from '../../io.ts';
import { type CheckedBy, checkSecrets } from './check-secrets.ts';
import { settingsText } from './settings-file.ts';

/** What a check found. */
export interface Checked {
  readonly ok: boolean;
  readonly file: string;
  readonly exists: boolean;
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  /** Who looked up the secrets that the file refers to. */
  readonly secrets_checked_by: CheckedBy;
  /** The text of the file, for excerpts. */
  readonly text: string | null;
  /** The machine-wide settings below it; null: the file is checked as such. */
  readonly machine: MachineState | null;
}

/** Checks the settings file, or another one. */
export async function checkFile(paths: Paths, given: string | undefined, env: NodeJS.ProcessEnv): Promise<Checked> {
  const file = given ?? paths.config;
  const loaded = await readConfig({ ...paths, config: file });
  const { machine } = loaded;
  const { faults } = machine;
  const exists = loaded.text !== null;
  if (given !== undefined && loaded.ok && !exists)
    throw new UserError(`${file} does not exist: give the path of a settings file`, EXIT.notFound);
  const about = { file, exists, text: loaded.text, machine };
  if (!loaded.ok) {
    const errors = [...loaded.diagnostics, ...faults];
    return { ...about, ok: false, errors, warnings: [], secrets_checked_by: null };
  }
  const secrets = await checkSecrets(loaded.config, { own: loaded.text, machine: machine.config }, paths, env);
  const warnings = [...loaded.warnings, ...secrets.warnings].sort(byPlace);
  return { ...about, ok: faults.length === 0, errors: faults, warnings, secrets_checked_by: secrets.by };
}

/** Checks the machine-wide file, or another one as such. Of its secrets only files are looked at: the others are each user's own. */
export async function checkMachineFile(files: ConfigFiles, given: string | undefined): Promise<Checked> {
  const file = given ?? machineFileOf(files);
  const read = given === undefined ? readMachineFile(file, files.machineOwner) : { text: await settingsText(given) };
  const text = 'text' in read ? read.text : null;
  if (given !== undefined && text === null)
    throw new UserError(`${file} does not exist: give the path of a settings file`, EXIT.notFound);
  const about = { file, exists: 'fault' in read || text !== null, text, machine: null, secrets_checked_by: null };
  if ('fault' in read)
    return { ...about, ok: false, errors: [{ line: 1, column: 1, key: '', message: read.fault }], warnings: [] };
  if (text === null) return { ...about, ok: true, errors: [], warnings: [] };
  const checked = await checkMachineConfig(text, file, registries);
  if (!checked.ok) return { ...about, ok: false, errors: checked.diagnostics, warnings: [] };
  const unreadable = await unreadableSecrets(checked.config);
  return { ...about, ok: true, errors: [], warnings: [...checked.warnings, ...unreadable].sort(byPlace) };
}

/** Warnings of files for secrets that are not there, or that only their owner may read: each user's daemon reads them itself. */
async function unreadableSecrets(machine: MachineConfig): Promise<readonly Diagnostic[]> {
  const loaded = await loadConfig('', registries, machine);
  if (!loaded.ok) return [];
  const found = secretReferences(loaded.config, registries).filter(
    ({ reference }) => secretRefKind(reference) === 'file',
  );
  const issues = await Promise.all(
    found.map(async ({ path, reference }) => {
      const why = await whyUnreadable(reference.slice('file:'.length));
      return why === null ? [] : [{ path, point: 'value' as const, message: `will not work: ${why}` }];
    }),
  );
  return locatedIn(issues.flat(), null, machine);
}

async function whyUnreadable(file: string): Promise<string | null> {
  try {
    const { mode } = await stat(file);
    // Windows has no such bits: who may read is a list there.
    if (process.platform === 'win32' || (mode & 0o044) !== 0) return null;
    return `only its owner can read ${file}, and each user’s daemon reads it itself`;
  } catch (error) {
    return `cannot read ${file} (${(error as NodeJS.ErrnoException).code})`;
  }
}

const byPlace = (a: Diagnostic, b: Diagnostic): number => a.line - b.line || a.column - b.column;

/** Prints it for a person or a program; errors, and warnings where it is strict, set the exit code. */
export function report(io: Io, { text, machine, ...checked }: Checked, isStrict = false): void {
  if (!checked.ok || (isStrict && checked.warnings.length > 0)) io.exit = EXIT.usage;
  if (io.json) {
    io.data(checked);
    return;
  }
  const { file, errors, warnings } = checked;
  for (const error of errors) {
    io.note(formatDiagnostic(file, error));
    // Any other error names its setting; the parser only has a place.
    if (error.key === '' && error.file === undefined && text !== null)
      for (const line of excerpt(text, error)) io.note(line);
  }
  if (machine !== null && machine.faults.length > 0) io.note(faultAdvice(machine));
  for (const warning of warnings) io.note(`warning: ${formatDiagnostic(file, warning)}`);
  if (checked.secrets_checked_by === 'shell')
    io.note('no daemon is running, so secrets were looked up from this shell; the daemon may have other variables');
  if (checked.ok) io.line(summary(checked, machine));
}

function summary(
  { file, exists, warnings }: Pick<Checked, 'file' | 'exists' | 'warnings'>,
  machine: MachineState | null,
): string {
  if (!exists && machine === null) return `${file} does not exist: nothing is set for the whole machine`;
  if (!exists && machine?.config) return `${file} does not exist: the settings of ${machine.file} are in force`;
  if (!exists) return `${file} does not exist: the defaults are in force`;
  if (warnings.length === 0) return `${file} is valid`;
  return `${file} has no errors, but ${warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`} (see above)`;
}
