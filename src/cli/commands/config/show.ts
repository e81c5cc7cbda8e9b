// `belfry config show`: the settings in force, defaults filled in and secrets hidden, and the retry table.
import { formatDiagnostic } from '../../../config/diagnostic.ts';
import { readConfig } from '../../../config/load.ts';
import { registries } from '../../../config/registries.ts';
import { JITTER, MAX_ATTEMPTS, RETRY_TABLE } from '../../../lib/retry.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { durationSetting } from '../../../model/quantities.ts';
import type { Io } from '../../io.ts';

/** Prints the settings of this file as TOML or JSON. */
export async function show(io: Io, path: string): Promise<void> {
  const loaded = await readConfig(path);
  if (!loaded.ok) {
    const [first] = loaded.diagnostics;
    const where = first ? formatDiagnostic(path, first) : path;
    throw new UserError(`${where}; \`belfry config check\` shows all errors`, EXIT.usage);
  }
  const [{ shownConfig }, { stringify }] = await Promise.all([import('../../../config/show.ts'), import('smol-toml')]);
  const settings = shownConfig(loaded.config, registries);
  const retry = { after: RETRY_TABLE.map(durationSetting), jitter: JITTER, attempts: MAX_ATTEMPTS };
  if (io.json) return io.data({ file: path, exists: loaded.text !== null, settings, retry });
  io.line(loaded.text === null ? `# ${path} does not exist: these are the defaults` : `# ${path}`);
  io.line(stringify(withoutEmpty(settings)));
  io.line(
    `# A failed delivery is retried after ${retry.after.join(', ')} (each up to ${JITTER * 100} % shorter or longer),`,
  );
  io.line(`# at most ${MAX_ATTEMPTS} attempts. A receiver's Retry-After takes precedence.`);
}

/** Tables that say nothing are left out, and those that hold nothing but them. */
function withoutEmpty(table: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(table).map(
    ([key, value]) => [key, isTable(value) ? withoutEmpty(value) : value] as const,
  );
  return Object.fromEntries(kept.filter(([, value]) => !isTable(value) || Object.keys(value).length > 0));
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
