// `belfry config`: check, path, schema, show.
import { formatDiagnostic } from '../config/diagnostic.ts';
import { readConfig } from '../config/load.ts';
import { registries } from '../config/registries.ts';
import { JITTER, MAX_ATTEMPTS, RETRY_TABLE } from '../lib/retry.ts';
import { EXIT, UserError } from '../model/errors.ts';
import { resolveOwnPaths } from '../runtime/environment.ts';
import type { Define } from './entry.ts';
import { durationSetting } from '../model/quantities.ts';

export const define: Define = (command, io) => {
  const path = resolveOwnPaths().config;
  command
    .command('check')
    .description('validate the settings; every mistake with line and column')
    .argument('[FILE]', 'another file than the one in force')
    .action(async (file?: string) => {
      const checked = file ?? path;
      const loaded = await readConfig(checked);
      if (file !== undefined && loaded.ok && loaded.text === null)
        throw new UserError(`${file} does not exist: give the path of a settings file`, EXIT.notFound);
      const found = loaded.ok ? loaded.warnings : loaded.diagnostics;
      if (io.json)
        io.data({
          ok: loaded.ok,
          file: checked,
          exists: loaded.text !== null,
          [loaded.ok ? 'warnings' : 'mistakes']: found,
        });
      else if (loaded.ok) {
        for (const warning of found) io.note(`warning: ${formatDiagnostic(checked, warning)}`);
        io.line(loaded.text === null ? `${checked} does not exist: the defaults are in force` : `${checked} is right`);
      } else for (const diagnostic of found) io.note(formatDiagnostic(checked, diagnostic));
      if (!loaded.ok) io.exit = EXIT.usage;
    });
  command
    .command('path')
    .description('print where the settings file is')
    .action(() => (io.json ? io.data({ path }) : io.line(path)));
  command
    .command('schema')
    .description('print the JSON Schema of the settings, for editors')
    .action(async () => {
      const { jsonSchema } = await import('../config/json-schema.ts');
      io.line(
        JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...jsonSchema(registries) }, null, 2),
      );
    });
  command
    .command('show')
    .description('print the settings in force, defaults filled in, secrets hidden, and the retry table')
    .action(async () => {
      const loaded = await readConfig(path);
      const [first] = loaded.ok ? [] : loaded.diagnostics;
      if (!loaded.ok) {
        const where = first ? formatDiagnostic(path, first) : path;
        throw new UserError(`${where}; mend it and see \`belfry config check\``, EXIT.usage);
      }
      const [{ shownConfig }, { stringify }] = await Promise.all([import('../config/show.ts'), import('smol-toml')]);
      const settings = shownConfig(loaded.config, registries);
      const retry = { after: RETRY_TABLE.map(durationSetting), jitter: JITTER, attempts: MAX_ATTEMPTS };
      if (io.json) return io.data({ file: path, exists: loaded.text !== null, settings, retry });
      io.line(loaded.text === null ? `# ${path} does not exist: these are the defaults` : `# ${path}`);
      io.line(stringify(settings));
      const share = `${JITTER * 100} % shorter or longer`;
      io.line(`# a failed delivery is tried again after ${retry.after.join(', ')} (each up to ${share}),`);
      io.line(`# ${MAX_ATTEMPTS} attempts at most; a receiver's Retry-After goes before that`);
    });
};
