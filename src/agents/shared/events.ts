// The hook protocol that most clients share: snake_case fields, `hook_event_name`, the same events under the same names.
import * as z from 'zod';
import type { BackgroundTask } from '../../model/agent/agent.ts';
import { asObject } from '../../lib/json/json.ts';
import { firstString, zAny, zId, zLine, zNumber, zPath, zProse } from './fields.ts';
import type { EventParser, PartialHook } from './parser.ts';
import {
  ended,
  finished,
  noted,
  prompted,
  subagentActive,
  subagentFinished,
  toolUsed,
  waiting,
} from './event-builders.ts';
import { askedText } from './asked-in-words.ts';
import { firstLineOf, toolOf } from './tool-use-line.ts';

/** Fields that clients of this protocol may send; each adds its own. */
export const protocolFields = {
  hook_event_name: zId,
  session_id: zId,
  transcript_path: zPath,
  cwd: zPath,
  permission_mode: zId,
  model: zAny,
  timestamp: zAny,
  source: zId,
  prompt: zProse,
  stop_hook_active: zAny,
  last_assistant_message: zProse,
  agent_id: zId,
  agent_type: zId,
  agent_transcript_path: zPath,
  notification_type: zId,
  message: zProse,
  title: zLine,
  tool_name: zId,
  tool_input: zAny,
  tool_use_id: zId,
  permission_suggestions: zAny,
  reason: zId,
  error: zAny,
  trigger: zId,
  custom_instructions: zAny,
  elapsed_time: zNumber,
};

const protocolSchema = z.object(protocolFields);
/** The fields of {@link protocolFields} after reading. */
export type ProtocolFields = z.output<typeof protocolSchema>;

/** Where {@link protocolFields} holds what every event has. */
export const protocolLayout = {
  event: (fields: { hook_event_name?: string | undefined }, hints: { event: string | null }) =>
    fields.hook_event_name || hints.event,
  base: (fields: {
    session_id?: string | undefined;
    cwd?: string | undefined;
    transcript_path?: string | undefined;
  }) => ({ sessionId: fields.session_id, cwd: fields.cwd, transcript: fields.transcript_path }),
};

const DETAILS: Readonly<Record<string, string>> = {
  permission_prompt: 'permission',
  elicitation_dialog: 'question',
  idle_prompt: 'idle',
  agent_idle: 'idle',
};

/** A `Notification`, by its type. */
export function notification(
  type: string | null | undefined,
  message: string | null | undefined,
  more: Partial<PartialHook> = {},
): PartialHook {
  const known = type && Object.hasOwn(DETAILS, type) ? DETAILS[type] : undefined;
  const over = known === undefined && type && /_(success|completed?|response)$/.test(type);
  return waiting(known ?? (type || 'attention'), message, {
    // It reports that something is done, and asks nothing of anybody.
    ...(over ? { signal: 'none', urgency: 'low' } : {}),
    ...more,
  });
}

/** The key of a request that a permission request opens and a notification repeats seconds later. */
const ASKS = 'asks';

/** A `Notification` of a client that also has `PermissionRequest`. */
export function followUpNotification(fields: ProtocolFields, more: Partial<PartialHook> = {}): PartialHook {
  const said = notification(fields.notification_type, fields.message, more);
  return said.detail === 'permission' || said.detail === 'question'
    ? { ...said, correlationKey: ASKS, isFollowUp: true }
    : said;
}

/** The subagent that an input comes from; null: the session itself. */
const subagentOf = (fields: ProtocolFields) =>
  fields.agent_id ? { id: fields.agent_id, name: fields.agent_type || null } : null;

/** After a tool, whether it failed or not. */
const afterTool: EventParser<ProtocolFields> = (fields) =>
  toolUsed(toolOf(fields.tool_name, fields.tool_input), fields.tool_use_id, subagentOf(fields));

/** A `PermissionRequest`; a tool that only asks the user something is a question. Its message: what is asked, or what a command is for. */
export function permissionRequest(fields: ProtocolFields, questionTools: ReadonlySet<string>): PartialHook {
  const tool = toolOf(fields.tool_name, fields.tool_input);
  const question = tool !== null && questionTools.has(tool.name);
  const asked = question ? (askedText(fields.tool_input) ?? tool.summary) : purposeOf(fields.tool_input);
  return waiting(question ? 'question' : 'permission', asked, {
    tool,
    correlationKey: ASKS,
    occurrence: fields.tool_use_id || null,
    toolUseId: fields.tool_use_id || null,
    subagent: subagentOf(fields),
  });
}

/** What the agent says a command is for. */
function purposeOf(input: unknown): string | null {
  const fields = asObject(input);
  const purpose = firstString(fields, 'command') === null ? null : firstString(fields, 'description');
  return purpose === null ? null : firstLineOf(purpose);
}

/** `Stop`: the last message and what still runs. */
export function stop(
  fields: ProtocolFields,
  running: readonly BackgroundTask[] | null,
  more: Partial<PartialHook> = {},
): PartialHook {
  return finished(fields.last_assistant_message, running, more);
}

/** The events that mean the same in every client of this protocol. */
export const protocolEvents = {
  SessionStart: (fields) => noted(fields.source === 'compact' ? 'activity' : 'started'),
  // With an agent's id it is the prompt of a subagent within the session.
  UserPromptSubmit: (fields) =>
    fields.agent_id ? subagentActive(fields.agent_id, fields.agent_type) : prompted(fields.prompt),
  SubagentStart: (fields) =>
    noted('subagent-started', { subagent: { id: fields.agent_id || null, name: fields.agent_type || null } }),
  SubagentStop: (fields) => subagentFinished(fields.agent_id, fields.agent_type, fields.last_assistant_message),
  PreToolUse: () => noted('activity'),
  PostToolUse: afterTool,
  PostToolUseFailure: afterTool,
  PreCompact: () => noted('activity'),
  PostCompact: () => noted('activity'),
  SessionEnd: (fields, hints) => ended(fields.reason, hints, { own: ['clear', 'logout'] }),
} as const satisfies Record<string, EventParser<ProtocolFields>>;

/** What the shared events become, for the tables of the documentation. */
export const BECOMES = {
  notification: '`agent.waiting`: permission, question, idle or the type it names',
  permission: '`agent.waiting`: permission, or question when it asks one',
  stop: '`agent.finished`',
  subagent: '`subagent.finished`, silent by default',
  end: '`session.ended`; abnormal by its reason',
  failure: '`session.failed` with its cause',
  track: 'session state only',
  signal: 'a signal that resolves the prompt it answers; no event is kept',
} as const;
