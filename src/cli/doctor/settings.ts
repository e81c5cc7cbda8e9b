// Doctor: the settings file, and whether the daemon uses it as it is.
import { formatDiagnostic } from '../../config/diagnostic.ts';
import { checkMachineConfig, faultAdvice, type MachineState } from '../../config/machine/machine-config.ts';
import { registries } from '../../config/registries.ts';
import type { DaemonStatus } from '../../daemon/commands/status.ts';
import { type CheckResult, defineCheck, fail, ok, warn } from './check.ts';
import { settledStatus, type Status } from './shared/daemon-status.ts';

export const settingsCheck = defineCheck({
  name: 'settings',
  inspects: '`config.toml`, and whether the daemon uses it',
  fixes: [
    ['an error in the file', 'correct it at the line and column named; `belfry config check` shows all errors'],
    [
      'an error in the machine-wide file',
      'whoever administers this machine corrects it and checks it with `belfry config check --machine`; until then the last good one is in force',
    ],
    ['the machine-wide file can be written by others', 'root owns it and its folders, and nobody else can write them'],
    [
      'a doubt about the machine-wide file',
      'whoever administers this machine changes it, or ignores it if it is meant',
    ],
    ['the daemon does not have what is locked', '`belfry restart`'],
    ['a setting of yours has no effect', 'it is locked for this machine: remove it from your file'],
    ['the daemon still uses the last good settings', 'correct the file; a change takes effect at once'],
  ],
  run: async ({ paths, config, diagnostics, configured, machineConfig }) => {
    const where = diagnostics.map((diagnostic) => formatDiagnostic(paths.config, diagnostic));
    const isSettled = ({ settings: { broken, locked } }: DaemonStatus): boolean =>
      (config === null || broken === null) && missing(machineConfig, locked).length === 0;
    const status = await settledStatus(paths, isSettled);
    const machine = [...(await machineResults(machineConfig)), ...lockResults(machineConfig, status)];
    if (!config)
      return [...where.map((line) => fail(line, 'correct it there, then run `belfry config check`')), ...machine];
    const warnings = where.map((line) => warn(line, 'change or remove it, or ignore this if you meant it'));
    const first = configured
      ? ok(warnings.length === 0 ? `${paths.config} is valid` : `${paths.config} has no errors`)
      : ok(machineConfig.config ? 'no settings file of yours' : 'no settings file: the defaults are in force');
    const results = [first, ...warnings, ...machine];
    const isBroken = status.state === 'answered' && status.data.settings.broken !== null;
    if (!isBroken || machineConfig.faults.length > 0) return results;
    return [...results, fail('the daemon does not use the current settings', 'run `belfry restart`')];
  },
});

/** Locked keys that the daemon lacks; an older one does not say. */
const missing = ({ config }: MachineState, locked: readonly string[] | undefined): readonly string[] =>
  (locked && config?.locks.map(({ key }) => key).filter((key) => !locked.includes(key))) ?? [];

/** A lock counts once the daemon has it. */
function lockResults(machine: MachineState, status: Status): readonly CheckResult[] {
  const lacking = status.state === 'answered' ? missing(machine, status.data.settings.locked) : [];
  if (lacking.length === 0) return [];
  return [
    fail(`${lacking.join(', ')}: locked in ${machine.file}, but not in the running daemon`, 'run `belfry restart`'),
  ];
}

/** Nothing where there is no such file. */
async function machineResults(machine: MachineState): Promise<readonly CheckResult[]> {
  const { file, config, faults } = machine;
  if (faults.length > 0) return faults.map((fault) => fail(formatDiagnostic(file, fault), faultAdvice(machine)));
  if (config === null) return [];
  const checked = await checkMachineConfig(config.text, file, registries);
  const doubts = checked.ok ? checked.warnings : [];
  const warnings = doubts.map((one) => warn(formatDiagnostic(file, one), 'ask whoever administers this machine'));
  const count = config.locks.length;
  if (count === 0) return [ok(`machine-wide settings: ${file}, nothing locked`), ...warnings];
  const keys = config.locks.map(({ key }) => key).join(', ');
  // Said, so that nobody relies on it for more.
  return [ok(`machine-wide settings: ${file} locks ${keys} (advisory: the daemon runs as you)`), ...warnings];
}
