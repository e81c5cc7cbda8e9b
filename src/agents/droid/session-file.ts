// The end of a session file: whether Droid's latest turn ended with an error of the model's service. Its hooks report a plain `Stop`.
import type { TurnEvidence } from '../../model/agent/agent.ts';
import { asObject } from '../../lib/json/json.ts';
import { causeOf } from '../shared/error-causes.ts';
import { firstString } from '../shared/fields.ts';

/** What it shows to its user only: "BYOK Error: 401 ...". */
const ERROR = /^(?:BYOK )?Error: /;

/** The text of a message's first block. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (Array.isArray(content) ? firstString(asObject(content[0]), 'text') : null) ?? '';
}

/** Reads back to the latest answer or request; only an error after it counts. */
export function sessionFileEvidence(records: readonly unknown[]): TurnEvidence | null {
  for (const record of [...records].reverse()) {
    const { type, message, id } = asObject(record);
    if (type !== 'message') continue;
    const { role, content, visibility } = asObject(message);
    const text = textOf(content);
    if (role === 'user' && visibility === 'user_only' && ERROR.test(text)) {
      const turn = typeof id === 'string' ? id : text.slice(0, 200);
      return { outcome: 'failed', cause: causeOf(null, text), message: text.slice(0, 2_000), turn };
    }
    if (role === 'assistant' || (role === 'user' && visibility === undefined)) return null;
  }
  return null;
}
