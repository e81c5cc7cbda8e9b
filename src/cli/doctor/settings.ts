// Doctor: the settings file, and whether the daemon uses it as it is.
import { formatDiagnostic } from '../../config/diagnostic.ts';
import { defineCheck, fail, ok, warn } from './check.ts';
import { settledStatus } from './daemon-status.ts';

export const settingsCheck = defineCheck({
  name: 'settings',
  inspects: '`config.toml`, and whether the daemon has taken it over',
  fixes: [
    ['a mistake in the file', 'mend it at the line and column named; `belfry config check` shows all'],
    ['the daemon still uses the last good settings', 'mend the file; it is taken over at once'],
  ],
  run: async ({ paths, config, diagnostics, configured }) => {
    const where = diagnostics.map((diagnostic) => formatDiagnostic(paths.config, diagnostic));
    if (!config) return where.map((line) => fail(line, 'mend it there; `belfry config check` says when it is right'));
    const first = configured ? ok(`${paths.config} is right`) : ok(`no settings file, so the defaults are in force`);
    const doubts = where.map((line) => warn(line, 'change it there, or leave it if it is meant so'));
    const status = await settledStatus(paths);
    if (status.state !== 'answered' || !status.data.settings.broken) return [first, ...doubts];
    return [first, ...doubts, fail('the daemon has not taken the settings over', 'run `belfry restart`')];
  },
});
