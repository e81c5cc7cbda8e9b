// Copilot CLI: a hooks file of its own whose payloads name no event, seen with 1.0.102.
import { join } from 'node:path';
import * as z from 'zod';
import { defineAgent } from '../model/agent/agent.ts';
import { zAny, zId, zLine, zPath, zProse, firstString } from './shared/fields.ts';
import { parser, type PartialHook } from './shared/parser.ts';
import { enabledIn, marketplacePlugin } from './shared/plugin-forms.ts';
import { BECOMES, notification } from './shared/events.ts';
import { transcriptBelow } from './shared/client-signs.ts';
import {
  ended,
  finished,
  finishedAsSubagent,
  noted,
  prompted,
  subagentFinished,
  toolUsed,
  waiting,
  failed,
} from './shared/event-builders.ts';
import { toolOf } from './shared/tool-use-line.ts';
import { answering } from './copilot/answering.ts';
import { eventsFile, eventsFileEvidence, runningShells } from './copilot/events-file.ts';
import { camelCase, eventName } from './copilot/event-name.ts';
import { causeOf } from './shared/error-causes.ts';
import { asObject, parseJson } from '../lib/json/json.ts';

// A file that names its events in PascalCase gets most payloads in snake_case.
const schema = z.object({
  hookName: zId,
  hook_event_name: zId,
  sessionId: zId,
  session_id: zId,
  timestamp: zAny,
  cwd: zPath,
  transcriptPath: zPath,
  transcript_path: zPath,
  source: zId,
  initialPrompt: zProse,
  initial_prompt: zProse,
  prompt: zProse,
  stopReason: zId,
  stop_reason: zId,
  stop_hook_active: zAny,
  agentId: zId,
  agent_id: zId,
  agentType: zId,
  agent_type: zId,
  agentName: zId,
  agent_name: zId,
  parentAgentId: zId,
  parent_agent_id: zId,
  response: zProse,
  message: zProse,
  title: zLine,
  notification_type: zId,
  toolName: zId,
  tool_name: zId,
  toolInput: zAny,
  toolArgs: zAny,
  tool_input: zAny,
  permissionSuggestions: zAny,
  permission_suggestions: zAny,
  error: zAny,
  errorContext: zId,
  error_context: zId,
  recoverable: zAny,
  reason: zId,
});
type Fields = z.output<typeof schema>;

/** Ms within which a tool that is allowed already runs: its permission is notified, too. */
const APPROVED_WITHIN = 1_500;

const agentId = (fields: Fields) => fields.agentId || fields.agent_id || null;
const agentName = (fields: Fields) => firstString(fields, 'agentName', 'agent_name', 'agentType', 'agent_type');

export const copilot = defineAgent({
  name: 'copilot',
  title: 'Copilot',
  matches: (input, { env }) =>
    transcriptBelow(input, '.copilot') ||
    'hookName' in input ||
    ('sessionId' in input && typeof input['timestamp'] === 'number') ||
    ('timestamp' in input && 'hook_event_name' in input && !('transcript_path' in input)) ||
    env['COPILOT_CLI'] === '1',
  alsoRunsHooksOf: ['claude'],
  parse: parser({
    schema,
    event: (fields, hints) => eventName(fields, hints.event),
    entry: camelCase,
    base: (fields) => ({
      sessionId: fields.sessionId || fields.session_id,
      cwd: fields.cwd,
      transcript: fields.transcriptPath || fields.transcript_path,
    }),
    events: {
      sessionStart: (fields) => {
        const prompt = fields.initialPrompt || fields.initial_prompt;
        return prompt ? prompted(prompt) : noted('started');
      },
      userPromptSubmitted: (fields) => prompted(fields.prompt),
      // With an agent id it is the turn of a subagent, whose session has that id.
      agentStop: (fields) =>
        agentId(fields) === null
          ? finished(null, null)
          : finishedAsSubagent(null, {
              subagent: { id: agentId(fields), name: agentName(fields) },
              parentSessionId: fields.parentAgentId || fields.parent_agent_id || null,
            }),
      subagentStart: (fields) =>
        noted('subagent-started', { subagent: { id: agentId(fields), name: agentName(fields) } }),
      subagentStop: (fields) => subagentFinished(agentId(fields), agentName(fields), fields.response),
      // A background subagent is done: its end has reported that, and nobody is asked anything.
      notification: (fields) =>
        fields.notification_type === 'agent_idle' && fields.message?.startsWith('Agent ')
          ? waiting('idle', fields.message, { signal: 'none', urgency: 'low' })
          : {
              ...notification(fields.notification_type, fields.message),
              settlesWithinMs: fields.notification_type === 'permission_prompt' ? APPROVED_WITHIN : null,
            },
      // Runs for tools that are allowed already, too; only `notification` says that the user is asked.
      permissionRequest: (fields) =>
        waiting('permission', null, {
          tool: toolOf(fields.toolName || fields.tool_name, fields.toolInput ?? fields.tool_input),
          speculative: true,
        }),
      postToolUse: (fields) =>
        toolUsed(
          toolOf(fields.toolName || fields.tool_name, fields.toolArgs ?? fields.toolInput ?? fields.tool_input),
          null,
        ),
      errorOccurred: (fields) => copilotFailure(fields.error),
      sessionEnd: (fields, hints) => ended(fields.reason, hints),
    },
  }),
  sessionFields: ['sessionId', 'session_id'],
  abnormalReasons: ['error', 'other'],
  settings: {
    user: ({ home, env }) => join(env['COPILOT_HOME'] || join(home, '.copilot'), 'hooks', 'belfry.json'),
    project: '.github/hooks/belfry.json',
    hooksPath: ['hooks'],
    requiredKeys: { version: 1 },
    shape: 'flat',
    entry: (command, timeoutSeconds) => ({ type: 'command', bash: command, timeoutSec: timeoutSeconds }),
    commandKey: 'bash',
    timeoutUnit: 'seconds',
  },
  events: [
    {
      name: 'notification',
      role: 'notify',
      named: true,
      becomes: `${BECOMES.notification}; a permission is sent after 1.5 s, unless its tool has run by then`,
    },
    { name: 'agentStop', role: 'notify', named: true, becomes: `${BECOMES.stop}; background when it is a subagent's` },
    { name: 'subagentStop', role: 'notify', named: true, becomes: BECOMES.subagent },
    {
      name: 'errorOccurred',
      role: 'notify',
      named: true,
      becomes: `${BECOMES.failure}, if the session's events.jsonl cannot be read; it comes with every attempt`,
    },
    { name: 'sessionEnd', role: 'notify', named: true, becomes: BECOMES.end },
    { name: 'postToolUse', role: 'signal', named: true, becomes: BECOMES.signal },
    { name: 'sessionStart', role: 'track', named: true, becomes: BECOMES.track },
    { name: 'userPromptSubmitted', role: 'track', named: true, becomes: BECOMES.track },
    { name: 'subagentStart', role: 'track', named: true, becomes: BECOMES.track },
  ],
  plugin: marketplacePlugin({
    program: 'copilot',
    manifest: '.github/plugin',
    enabledBy: enabledIn(({ home, env }) => join(env['COPILOT_HOME'] || join(home, '.copilot'), 'settings.json')),
    notes: [
      'Copilot loads the plugin from the folder of the package. After you have removed it, it stays listed as disabled in `~/.copilot/settings.json`, with an empty folder in `~/.copilot/plugin-data`.',
    ],
  }),
  stdoutFor: () => null,
  processNames: ['copilot', 'node'],
  commandVariables: ['COPILOT_CLI'],
  version: ['copilot', '--version'],
  exitsWithoutEvent: false,
  transcript: {
    read: eventsFileEvidence,
    tells: 'a failed request, an interruption, shells in the background',
    watch: 'working',
    at: eventsFile,
    writtenWithin: 1_500,
    decidesFailures: true,
    running: runningShells,
    path: /\/session-state\/[\w-]{1,100}\/events\.jsonl$/,
  },
  answering,
  limits: {
    reached: ({ cause, message }) =>
      cause === 'rate-limit' && /\b(?:allowance|quota)\b/i.test(message ?? '')
        ? { name: 'usage', resetsAt: null, resumes: false }
        : null,
    tells:
      'You are notified of an allowance that is used up once Copilot has stopped retrying. When the allowance resets is not known.',
  },
  docs: {
    seen: '1.0.102',
    reasons: {
      complete: 'print mode finished',
      error: 'print mode failed; the events file says why',
      user_exit:
        'any way of leaving the interactive client, including signals and /clear; abnormal in the middle of work that the user did not interrupt',
    },
    cannot: [
      'Its input does not name the event, so the command line of each hook does (`--event`).',
      'When Copilot asks a question (`ask_user`), `notification` says so, but not which question. When Copilot is idle, no `notification` comes.',
      '`permissionRequest` also runs for tools that are already allowed, so Belfry does not install it. If it comes all the same, you are notified only in a session that Belfry does not know. `notification` says when you are really asked, but does not name the tool.',
      '/new gives no `sessionEnd` for the previous session.',
      'After /clear it asks again whether the extension `user:belfry` may handle permission requests. Until you say yes, answer the new session at its terminal.',
      "It also loads the project's `.claude/settings.json`. An event that both report makes one notification.",
    ],
  },
});

/** `errorOccurred`: the session failed for what the error says, which is free text, or JSON in a string. */
function copilotFailure(error: unknown): PartialHook {
  const fields = asObject(error);
  const text = typeof error === 'string' ? error.slice(0, 64_000) : firstString(fields, 'message', 'name');
  const inner = text?.startsWith('{') ? asObject(parseJson(text)) : {};
  const message = firstString(inner, 'message') ?? text;
  const code = firstString(inner, 'code', 'type');
  return failed(causeOf(code === 'quota_exceeded' ? 'rate_limit' : code, message), message);
}
