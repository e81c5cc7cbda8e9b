// The end of a chat file: whether Qwen's latest request failed. Its one-shot mode runs no hook for that.
import type { TurnEvidence } from '../../model/agent/agent.ts';
import { asObject } from '../../lib/json/json.ts';
import { causeOf } from '../shared/error-causes.ts';
import { firstString } from '../shared/fields.ts';

const API_ERROR = 'qwen-code.api_error';

/** An error counts while no answer has come after it: requests are tried again. */
export function chatFileEvidence(records: readonly unknown[]): TurnEvidence | null {
  for (const record of [...records].reverse()) {
    const { type, systemPayload, uuid } = asObject(record);
    if (type === 'user' || type === 'assistant') return null;
    const event = asObject(asObject(systemPayload)['uiEvent']);
    if (event['event.name'] !== API_ERROR) continue;
    const message = firstString(event, 'error_message');
    const status = event['status_code'];
    const cause = causeOf(null, message, typeof status === 'number' ? status : null);
    return { outcome: 'failed', cause, message, turn: typeof uuid === 'string' ? uuid : (message ?? 'turn') };
  }
  return null;
}
