// Anything else that can pipe JSON: the events of the shared protocol under whatever names and fields are in use.
import * as z from 'zod';
import { defineAgent } from '../model/agent/agent.ts';
import { causeOf } from './shared/error-causes.ts';
import { zAny, zId, zPath, firstString } from './shared/fields.ts';
import { parser, type EventParser } from './shared/parser.ts';
import { notification, permissionRequest, protocolEvents, protocolFields } from './shared/events.ts';
import { backgroundTasksOf } from './shared/background-tasks.ts';
import { failed, finished, waiting } from './shared/event-builders.ts';
import { asObject } from '../lib/json/json.ts';

const schema = z.object({
  ...protocolFields,
  hookEventName: zId,
  hookName: zId,
  event_name: zId,
  event: zId,
  kind: zId,
  type: zId,
  sessionId: zId,
  sessionID: zId,
  conversation_id: zId,
  thread_id: zId,
  transcriptPath: zPath,
  workdir: zPath,
  text: zAny,
  body: zAny,
  background_tasks: zAny,
  error_details: zAny,
});
type Fields = z.output<typeof schema>;

const QUESTIONS = new Set(['AskUserQuestion', 'ExitPlanMode', 'ask_user']);

function words(fields: Fields): string | null {
  return firstString(fields, 'last_assistant_message', 'message', 'text', 'body', 'title');
}

const stopped: EventParser<Fields> = (fields) => finished(words(fields), backgroundTasksOf(fields.background_tasks));

const failure: EventParser<Fields> = (fields) => {
  const code =
    typeof fields.error === 'string' ? fields.error : firstString(asObject(fields.error), 'type', 'code', 'name');
  const text =
    words(fields) ?? firstString(asObject(fields.error), 'message') ?? firstString(fields, 'error_details') ?? code;
  return failed(causeOf(code, text), text);
};

const waits: EventParser<Fields> = (fields) => notification(fields.notification_type, words(fields));

/** Names are compared without case and punctuation. */
const EVENTS = new Map<string, EventParser<Fields>>(
  Object.entries<EventParser<Fields>>({
    ...protocolEvents,
    Notification: waits,
    'agent.waiting': waits,
    waiting: waits,
    PermissionRequest: (fields) => permissionRequest(fields, QUESTIONS),
    'permission.asked': (fields) => waiting('permission', words(fields)),
    'question.asked': (fields) => waiting('question', words(fields)),
    Stop: stopped,
    AfterAgent: stopped,
    agentStop: stopped,
    'session.idle': stopped,
    'agent.finished': stopped,
    'agent-turn-complete': stopped,
    finished: stopped,
    StopFailure: failure,
    errorOccurred: failure,
    'session.error': failure,
    'session.failed': failure,
    'session.ended': protocolEvents.SessionEnd,
    'session.created': protocolEvents.SessionStart,
    'subagent.finished': protocolEvents.SubagentStop,
    userPromptSubmitted: protocolEvents.UserPromptSubmit,
  }).map(([name, reading]) => [plain(name), reading]),
);

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

const name = (fields: Fields, event: string | null): string | null =>
  firstString(fields, 'hook_event_name', 'hookEventName', 'event_name', 'hookName', 'event', 'kind', 'type') ?? event;

/** Any event, found by its normalized name. */
const reading: EventParser<Fields> = (fields, hints) => {
  const found = EVENTS.get(plain(name(fields, hints.event) ?? ''));
  return found?.(fields, hints) ?? { kind: 'agent.other', signal: 'none', urgency: 'normal', message: words(fields) };
};

const SESSION_FIELDS = ['session_id', 'sessionId', 'sessionID', 'conversation_id', 'thread_id'];

export const generic = defineAgent({
  name: 'generic',
  title: 'Agent',
  matches: () => true,
  parse: parser({
    schema,
    event: (fields, hints) => name(fields, hints.event),
    base: (fields) => ({
      sessionId: firstString(fields, ...SESSION_FIELDS),
      cwd: fields.cwd || fields.workdir,
      transcript: fields.transcript_path || fields.transcriptPath,
    }),
    events: reading,
  }),
  sessionFields: SESSION_FIELDS,
  abnormalReasons: ['error', 'other'],
  settings: null,
  events: [],
  stdoutFor: () => null,
  processNames: [],
  commandVariables: [],
  version: null,
  exitsWithoutEvent: true,
  // The service specifies its hooks in this neutral form: an input that no other client claims may be of one of its sessions.
  knownToService: true,
  docs: {
    seen: 'any program that can pipe JSON',
    reasons: { error: 'as the program says', other: 'as the program says' },
    cannot: [
      'Belfry knows only what the input says. Without `session_id`, every event is separate; without the name of an event, it is `agent.other`.',
    ],
  },
});
