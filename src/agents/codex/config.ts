// Codex's config.toml as far as Belfry reads it.
import { parse } from 'smol-toml';
import { asObject } from '../../lib/json/json.ts';

/** Its tables; empty where the text is missing or cannot be read. */
export function parseConfig(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null) return {};
  try {
    return asObject(parse(text));
  } catch {
    return {}; // a config that cannot be read trusts nothing, and enables nothing
  }
}
