// Doctor: the settings file, and whether the daemon uses it as it is.
import { formatDiagnostic } from '../../config/diagnostic.ts';
import { defineCheck, fail, ok, warn } from './check.ts';
import { settledStatus } from './shared/daemon-status.ts';

export const settingsCheck = defineCheck({
  name: 'settings',
  inspects: '`config.toml`, and whether the daemon uses it',
  fixes: [
    ['an error in the file', 'correct it at the line and column named; `belfry config check` shows all errors'],
    ['the daemon still uses the last good settings', 'correct the file; a change takes effect at once'],
  ],
  run: async ({ paths, config, diagnostics, configured }) => {
    const where = diagnostics.map((diagnostic) => formatDiagnostic(paths.config, diagnostic));
    if (!config) return where.map((line) => fail(line, 'correct it there, then run `belfry config check`'));
    const warnings = where.map((line) => warn(line, 'change it, or ignore this if you meant it'));
    const first = configured
      ? ok(warnings.length === 0 ? `${paths.config} is valid` : `${paths.config} has no errors`)
      : ok(`no settings file: the defaults are in force`);
    const status = await settledStatus(paths);
    if (status.state !== 'answered' || !status.data.settings.broken) return [first, ...warnings];
    return [first, ...warnings, fail('the daemon does not use the current settings', 'run `belfry restart`')];
  },
});
