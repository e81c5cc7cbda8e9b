// The end of a rollout file: how Codex's latest turn ended. No hook tells that a request failed.
import type { TurnEvidence } from '../../model/agent.ts';
import { asObject } from '../../lib/json.ts';
import { causeOf } from '../shared/error-causes.ts';
import { firstString } from '../shared/fields.ts';

/** HTTP status in `codex_error_info`, whatever its variant is called: `{"http_connection_failed": {"http_status_code": 401}}`. */
function statusOf(info: unknown): number | null {
  for (const variant of Object.values(asObject(info))) {
    const status = asObject(variant)['http_status_code'];
    if (typeof status === 'number') return status;
  }
  return null;
}

function failure(error: Readonly<Record<string, unknown>>, turn: string): TurnEvidence {
  const info = error['codex_error_info'];
  const message = firstString(error, 'message');
  const code = info === 'usage_limit_exceeded' ? 'rate_limit' : null;
  return { outcome: 'failed', cause: causeOf(code, message, statusOf(info)), message, turn };
}

/** Since 0.16x `task_complete` carries the error; before, an `error` record stood for itself. */
export function rolloutEvidence(records: readonly unknown[]): TurnEvidence | null {
  for (const record of [...records].reverse()) {
    const { type, payload, timestamp } = asObject(record);
    if (type !== 'event_msg') continue;
    const fields = asObject(payload);
    const turn = firstString(fields, 'turn_id') ?? (typeof timestamp === 'string' ? timestamp : 'turn');
    switch (fields['type']) {
      case 'task_complete': {
        const error = asObject(fields['error']);
        return Object.keys(error).length === 0 ? null : failure(error, turn);
      }
      case 'error':
        return failure(fields, turn);
      case 'turn_aborted':
        return { outcome: 'interrupted', cause: null, message: null, turn };
      case 'task_started':
      case 'user_message':
        return null;
    }
  }
  return null;
}
