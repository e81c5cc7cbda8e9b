// The end of a chat file: how Gemini's latest turn ended. Its hooks report a failed turn and a cancelled one alike.
import type { TurnEvidence } from '../../model/agent/agent.ts';
import { asObject } from '../../lib/json/json.ts';
import { causeOf } from '../shared/error-causes.ts';
import { firstString } from '../shared/fields.ts';
import { serviceErrorOf } from './service-error.ts';

/** How it shows a failed request; its other errors (an unknown command) end no turn. */
const FAILED = /^\[API Error: /;
const CANCELLED = 'Request cancelled.';

/**
 * Reads back to the latest answer. A request that is cancelled before the model was asked is written after its cancellation; a failure
 * never is.
 */
export function chatFileEvidence(records: readonly unknown[]): TurnEvidence | null {
  let requests = 0;
  for (const record of [...records].reverse()) {
    const fields = asObject(record);
    const content = firstString(fields, 'content') ?? '';
    const turn = firstString(fields, 'id', 'timestamp') ?? 'turn';
    if (fields['type'] === 'gemini') return null;
    if (fields['type'] === 'user') requests += 1;
    if (requests > 1) return null;
    if (fields['type'] === 'info' && content === CANCELLED)
      return { outcome: 'interrupted', cause: null, message: null, turn };
    if (fields['type'] === 'error' && requests === 0 && FAILED.test(content)) {
      const { message, status } = serviceErrorOf(content.slice(0, 8_000));
      return { outcome: 'failed', cause: causeOf(null, message, status), message, turn };
    }
  }
  return null;
}
