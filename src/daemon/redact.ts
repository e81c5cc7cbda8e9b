// The redactor of the settings in force; its rules are loaded with the first text, not at rest.
import type { Config } from '../model/config.ts';
import type { Redactor } from '../redaction/index.ts';

/** Takes secrets out of a text by the patterns in force. */
export function redactBy(config: () => Config): (text: string) => Promise<string> {
  let made: { patterns: readonly string[]; redactor: Redactor } | null = null;
  return async (text) => {
    const { patterns } = config().redaction;
    if (made?.patterns !== patterns) {
      const { createRedactor } = await import('../redaction/index.ts');
      made = { patterns, redactor: createRedactor({ patterns }) };
    }
    return made.redactor.text(text);
  };
}
