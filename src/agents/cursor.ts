// Cursor: hooks.json, from its documentation only, never captured.
import { join } from 'node:path';
import * as z from 'zod';
import { defineAgent } from '../model/agent/agent.ts';
import { causeOf } from './shared/error-causes.ts';
import { zAny, zId, zNumber, zPath, zProse } from './shared/fields.ts';
import { parser } from './shared/parser.ts';
import { BECOMES } from './shared/events.ts';
import { ended, failed, finished, noted, prompted, subagentFinished } from './shared/event-builders.ts';

const schema = z.object({
  hook_event_name: zId,
  conversation_id: zId,
  generation_id: zId,
  session_id: zId,
  workspace_roots: zAny,
  transcript_path: zPath,
  cwd: zPath,
  cursor_version: zId,
  user_email: zAny,
  model: zAny,
  status: zId,
  loop_count: zNumber,
  reason: zId,
  final_status: zAny,
  error_message: zProse,
  duration_ms: zNumber,
  is_background_agent: zAny,
  composer_mode: zAny,
  prompt: zProse,
  attachments: zAny,
  text: zProse,
  subagent_type: zId,
  subagent_id: zId,
  task: zProse,
  description: zProse,
  summary: zProse,
  tool_call_count: zAny,
  message_count: zAny,
  agent_transcript_path: zPath,
});

const root = (roots: unknown): string | null =>
  Array.isArray(roots) && typeof roots[0] === 'string' ? roots[0].slice(0, 4_096) : null;

/** Hooks that it loads from another client's settings have that client's names. */
const BORROWED: Readonly<Record<string, string>> = { UserPromptSubmit: 'beforeSubmitPrompt' };
const ownName = (name: string): string =>
  Object.hasOwn(BORROWED, name) ? (BORROWED[name] ?? name) : name.slice(0, 1).toLowerCase() + name.slice(1);

export const cursor = defineAgent({
  name: 'cursor',
  title: 'Cursor',
  matches: (input) => 'cursor_version' in input || ('conversation_id' in input && 'generation_id' in input),
  alsoRunsHooksOf: ['claude'],
  parse: parser({
    schema,
    event: (fields, hints) => fields.hook_event_name || hints.event,
    entry: ownName,
    base: (fields) => ({
      sessionId: fields.conversation_id || fields.session_id,
      cwd: fields.cwd || root(fields.workspace_roots),
      transcript: fields.transcript_path,
    }),
    events: {
      sessionStart: () => noted('started'),
      beforeSubmitPrompt: (fields) => prompted(fields.prompt),
      afterAgentResponse: (fields) => noted('activity', { lastAssistantMessage: fields.text || null }),
      stop: (fields) => {
        if (fields.status === 'error') return failed(causeOf(null, fields.error_message), fields.error_message);
        return fields.status === 'aborted' ? noted('interrupted') : finished(null, null);
      },
      subagentStart: (fields) =>
        noted('subagent-started', { subagent: { id: fields.subagent_id || null, name: fields.subagent_type || null } }),
      subagentStop: (fields) =>
        subagentFinished(fields.subagent_id, fields.subagent_type, fields.summary || fields.description || fields.task),
      sessionEnd: (fields, hints) =>
        ended(fields.reason, hints, {
          own: ['completed', 'aborted', 'window_close', 'user_close'],
          message: fields.error_message,
        }),
    },
  }),
  sessionFields: ['conversation_id', 'session_id'],
  abnormalReasons: ['error', 'other'],
  settings: {
    user: ({ home }) => join(home, '.cursor', 'hooks.json'),
    project: '.cursor/hooks.json',
    hooksPath: ['hooks'],
    requiredKeys: { version: 1 },
    shape: 'flat',
    entry: (command) => ({ command }),
    commandKey: 'command',
    timeoutUnit: 'seconds',
  },
  events: [
    {
      name: 'stop',
      role: 'notify',
      becomes: `${BECOMES.stop}; \`session.failed\` when its status is error, ${BECOMES.track} when aborted`,
    },
    { name: 'subagentStop', role: 'notify', becomes: BECOMES.subagent },
    { name: 'sessionEnd', role: 'notify', becomes: BECOMES.end },
    { name: 'sessionStart', role: 'track', becomes: BECOMES.track },
    { name: 'beforeSubmitPrompt', role: 'track', becomes: BECOMES.track },
  ],
  // Only where the documentation asks for an answer; `{}` decides nothing.
  stdoutFor: (event) => (event === 'stop' ? '{}' : null),
  processNames: ['cursor', 'Cursor', 'cursor-agent'],
  // The editor's own terminals are people's.
  commandsRunBy: ['cursor-agent'],
  commandVariables: ['CURSOR_AGENT'],
  version: null,
  exitsWithoutEvent: true,
  docs: {
    seen: 'not tested: written from its documentation',
    reasons: {
      completed: 'the conversation ended',
      aborted: 'the user stopped it',
      error: 'it failed',
      window_close: 'the window was closed',
      user_close: 'the user closed the conversation',
    },
    cannot: [
      "Everything here comes from Cursor's documentation. None of it was tested with a real client.",
      'No event says that the agent waits for you, so Belfry does not report permissions and questions.',
      "It also loads the hooks in Claude's settings. An event that both report makes one notification.",
      'It expects a hook for `stop` to print `{}`; the installed command does that.',
    ],
  },
});
