// Qwen Code: settings.json with hooks and timeouts in milliseconds, seen with 0.15.10.
import { join } from 'node:path';
import * as z from 'zod';
import { defineAgent, type TurnEvidence } from '../model/agent/agent.ts';
import { wrapping } from './qwen/wrapping.ts';
import { causeOf } from './shared/error-causes.ts';
import { zProse, firstString } from './shared/fields.ts';
import { heldPermission } from './shared/holding-hooks.ts';
import { parser } from './shared/parser.ts';
import { extensionPlugin } from './shared/plugin-forms.ts';
import {
  BECOMES,
  followUpNotification,
  permissionRequest,
  protocolEvents,
  protocolFields,
  protocolLayout,
  stop,
} from './shared/events.ts';
import { transcriptBelow } from './shared/client-signs.ts';
import { failed, prompted, subagentActive, waiting } from './shared/event-builders.ts';
import { unlessDisabled } from './shared/hooks-disabled.ts';
import { asObject } from '../lib/json/json.ts';

const schema = z.object({ ...protocolFields, error_details: zProse });

const QUESTIONS = new Set(['ask_user_question', 'exit_plan_mode']);

export const qwen = defineAgent({
  name: 'qwen',
  title: 'Qwen',
  matches: (input, { env }) => transcriptBelow(input, '.qwen') || Boolean(env['QWEN_PROJECT_DIR']),
  parse: parser({
    schema,
    ...protocolLayout,
    events: {
      ...protocolEvents,
      // It follows the end of every turn at once.
      Notification: (fields) =>
        fields.notification_type === 'idle_prompt'
          ? waiting('idle', fields.message, { signal: 'turn-over' })
          : followUpNotification(fields),
      // A subagent's prompt comes with no text; its `SubagentStart` has reported it.
      UserPromptSubmit: (fields) => (fields.prompt === '' ? subagentActive(null, null) : prompted(fields.prompt)),
      PermissionRequest: (fields) => permissionRequest(fields, QUESTIONS),
      // `stop_hook_active` is true in every Stop, the first too, so it proves nothing.
      // Its hooks run one after the other, each with the time of the event: what the second one says may come late.
      Stop: (fields) => stop(fields, null, { occurrence: firstString(fields, 'timestamp') }),
      StopFailure: (fields) => {
        const code = typeof fields.error === 'string' ? fields.error : null;
        const text = fields.error_details || fields.last_assistant_message || code;
        return failed(causeOf(code, text), text);
      },
    },
  }),
  sessionFields: ['session_id'],
  abnormalReasons: ['error', 'other'],
  settings: {
    user: ({ home }) => join(home, '.qwen', 'settings.json'),
    project: '.qwen/settings.json',
    hooksPath: ['hooks'],
    requiredKeys: {},
    shape: 'nested',
    timeoutUnit: 'milliseconds',
  },
  events: [
    { name: 'Notification', role: 'notify', becomes: BECOMES.notification },
    { name: 'PermissionRequest', role: 'notify', becomes: BECOMES.permission },
    { name: 'Stop', role: 'notify', becomes: BECOMES.stop },
    { name: 'StopFailure', role: 'notify', becomes: BECOMES.failure },
    { name: 'SubagentStop', role: 'notify', becomes: BECOMES.subagent },
    { name: 'SessionEnd', role: 'notify', becomes: BECOMES.end },
    { name: 'PostToolUse', role: 'signal', becomes: BECOMES.signal },
    { name: 'PostToolUseFailure', role: 'signal', becomes: BECOMES.signal },
    { name: 'SessionStart', role: 'track', becomes: BECOMES.track },
    { name: 'UserPromptSubmit', role: 'track', becomes: BECOMES.track },
    { name: 'SubagentStart', role: 'track', becomes: BECOMES.track },
  ],
  answering: heldPermission('0.15.10'),
  wrapping,
  continues: ['overloaded', 'network'],
  plugin: extensionPlugin('qwen', ({ home }) => join(home, '.qwen'), ['Qwen keeps nothing of it.']),
  stdoutFor: () => null,
  processNames: ['qwen', 'qwen-code', 'node'],
  commandVariables: ['QWEN_CODE'],
  version: ['qwen', '--version'],
  exitsWithoutEvent: true,
  transcript: {
    read: chatFileEvidence,
    tells: 'a failed request of one-shot mode; that requests have failed for a minute',
    watch: 'working',
    trustsFinish: true, // it writes the answer a moment behind its hook
    retrying,
    path: /\/projects\/[^/]{1,255}\/chats\/[\w-]{1,100}\.jsonl$/,
  },
  trust: unlessDisabled,
  docs: {
    seen: '0.15.10',
    reasons: { prompt_input_exit: 'the user left, or SIGTERM or SIGINT', clear: '/clear' },
    cannot: [
      'One-shot mode runs no `SessionStart`, `SessionEnd` or `StopFailure`. Belfry reads a failed request from the end of the chat file once the process has exited.',
      '`idle_prompt` comes right after every `Stop`; the two make one notification.',
      '`stop_hook_active` is always true, so Belfry ignores it.',
      'After a rate limit or a server error it retries for a long time, and no hook says so. Belfry watches the chat file while a turn runs, and notifies you once when requests have failed for a minute, and again when the client gives up (`StopFailure`).',
      "A subagent's prompt comes as a `UserPromptSubmit` without its text. It counts as work of the subagent, which `SubagentStart` has reported, and not as a prompt of yours.",
      'A closed terminal gives no `SessionEnd`.',
      'One-shot mode sends the notification `auth_success` at every start. Its urgency is low, because it asks nothing.',
    ],
  },
});

const API_ERROR = 'qwen-code.api_error';
const API_RESPONSE = 'qwen-code.api_response';
/** Ms for which requests fail before that is worth a notice. */
const LONG = 60_000;

/** The records of requests that failed and have had no answer since, oldest first. Others may be answered meanwhile, as for a title. */
function failedRequests(records: readonly unknown[]): readonly Readonly<Record<string, unknown>>[] {
  const lines = records.map(asObject);
  const since = lines.findLastIndex(({ type }) => type === 'user' || type === 'assistant') + 1;
  const answered = lines
    .map(uiEventIn)
    .map((event) => (event['event.name'] === API_RESPONSE ? event['prompt_id'] : null));
  return lines.slice(since).filter((line, at) => {
    const event = uiEventIn(line);
    return event['event.name'] === API_ERROR && !answered.includes(event['prompt_id'], since + at);
  });
}

const uiEventIn = ({ systemPayload }: Readonly<Record<string, unknown>>) =>
  asObject(asObject(systemPayload)['uiEvent']);

function evidenceOf(line: Readonly<Record<string, unknown>>, outcome: TurnEvidence['outcome']): TurnEvidence {
  const event = uiEventIn(line);
  const message = firstString(event, 'error_message');
  const status = event['status_code'];
  const cause = causeOf(null, message, typeof status === 'number' ? status : null);
  return { outcome, cause, message, turn: firstString(line, 'uuid') ?? message ?? 'turn' };
}

/** The end of a chat file: one-shot mode runs no hook for a request that failed. An error counts while no answer has come after it: requests are tried again. */
function chatFileEvidence(records: readonly unknown[]): TurnEvidence | null {
  const last = failedRequests(records).at(-1);
  return last === undefined ? null : evidenceOf(last, 'failed');
}

/** The same while its turn runs: named by the first failure, so that it is reported once. */
function retrying(records: readonly unknown[]): TurnEvidence | null {
  const failed = failedRequests(records);
  const [first, last] = [failed[0], failed.at(-1)];
  const lasts = Date.parse(String(last?.['timestamp'])) - Date.parse(String(first?.['timestamp']));
  return first !== undefined && lasts >= LONG ? { ...evidenceOf(first, 'retrying'), cause: 'retrying' } : null;
}
