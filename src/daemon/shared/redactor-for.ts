// The redactor of the settings in force, rebuilt when their patterns change.
import type { Config } from '../../model/settings/config.ts';
import { createRedactor, type Redactor } from '../../redaction/index.ts';

/** Redacts by the patterns in force. */
export function redactorFor(config: () => Config): () => Redactor {
  let made: { readonly patterns: readonly string[]; readonly redactor: Redactor } | null = null;
  return () => {
    const { patterns } = config().redaction;
    if (made?.patterns !== patterns) made = { patterns, redactor: createRedactor({ patterns }) };
    return made.redactor;
  };
}
