// The redactor of the settings in force.
import type { Config } from '../model/config.ts';
import { createRedactor, type Redactor } from '../redaction/index.ts';

/** Takes secrets out of texts by the patterns in force when it is asked for. */
export function redactBy(config: () => Config): () => Redactor {
  let made: { patterns: readonly string[]; redactor: Redactor } | null = null;
  return () => {
    const { patterns } = config().redaction;
    if (made?.patterns !== patterns) made = { patterns, redactor: createRedactor({ patterns }) };
    return made.redactor;
  };
}
