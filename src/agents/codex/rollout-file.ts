// The end of a rollout file: how Codex's latest turn ended, since no hook tells that a request failed, and what the model read as the answer to a question.
import type { TurnEvidence } from '../../model/agent/agent.ts';
import { asObject, isObject, type JsonObject, parseJson } from '../../lib/json/json.ts';
import { causeOf } from '../shared/error-causes.ts';
import type { Cause } from '../shared/event-builders.ts';
import { firstString } from '../shared/fields.ts';

/** `codex_error_info`: a code, or one with the HTTP status where there was an answer: `{"http_connection_failed": {"http_status_code": 401}}`. */
function causeIn(info: unknown, message: string | null): Cause {
  // Credit that is used up has the code of a limit.
  if (info === 'usage_limit_exceeded') return message?.startsWith('Quota exceeded.') ? 'credit' : 'rate-limit';
  const [variant] = Object.entries(asObject(info));
  if (variant === undefined) return causeOf(typeof info === 'string' ? info : null, message);
  const [code, fields] = variant;
  const status = asObject(fields)['http_status_code'];
  const cause = causeOf(code, message, typeof status === 'number' ? status : null);
  return cause === 'unknown' && /connection_failed$|disconnected$/.test(code) ? 'network' : cause;
}

function failure(error: Readonly<Record<string, unknown>>, turn: string): TurnEvidence {
  const message = firstString(error, 'message');
  return { outcome: 'failed', cause: causeIn(error['codex_error_info'], message), message, turn };
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

/** The answers that the model has read to the questions of this call; null: none yet; `other`: what has come of it is no answers. */
export function givenTo(records: readonly JsonObject[], call: unknown): JsonObject | 'other' | null {
  const outputs = records.map(({ type, payload }) => (type === 'response_item' ? asObject(payload) : {}));
  const found = outputs.findLast(
    (payload) => payload['type'] === 'function_call_output' && payload['call_id'] === call,
  );
  if (found === undefined) return null;
  const answers = asObject(parseJson(String(found['output'])));
  return isObject(answers['answers']) ? answers : 'other';
}
