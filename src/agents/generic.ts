// Anything else that can pipe JSON: the events of the shared protocol under whatever names and fields are in use.
import * as z from 'zod';
import { defineAgent } from '../model/agent.ts';
import { causeOf } from './shared/error-causes.ts';
import { any, id, object, path, string } from './shared/fields.ts';
import { parser, type Reading } from './shared/parser.ts';
import { notification, permissionRequest, protocolEvents, protocolFields } from './shared/events.ts';
import { runningOf } from './shared/background-tasks.ts';
import { failed, finished, waiting } from './shared/event-builders.ts';

const schema = z.object({
  ...protocolFields,
  hookEventName: id,
  hookName: id,
  event_name: id,
  event: id,
  kind: id,
  type: id,
  sessionId: id,
  sessionID: id,
  conversation_id: id,
  thread_id: id,
  transcriptPath: path,
  workdir: path,
  text: any,
  body: any,
  background_tasks: any,
  error_details: any,
});
type Fields = z.output<typeof schema>;

const QUESTIONS = new Set(['AskUserQuestion', 'ExitPlanMode', 'ask_user']);

function words(fields: Fields): string | null {
  return string(fields, 'last_assistant_message', 'message', 'text', 'body', 'title');
}

const stopped: Reading<Fields> = (fields) => finished(words(fields), runningOf(fields.background_tasks));

const failure: Reading<Fields> = (fields) => {
  const code = typeof fields.error === 'string' ? fields.error : string(object(fields.error), 'type', 'code', 'name');
  const text = words(fields) ?? string(object(fields.error), 'message') ?? string(fields, 'error_details') ?? code;
  return failed(causeOf(code, text), text);
};

const waits: Reading<Fields> = (fields) => notification(fields.notification_type, words(fields));

/** Names are compared without case and punctuation. */
const EVENTS = new Map<string, Reading<Fields>>(
  Object.entries<Reading<Fields>>({
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
  string(fields, 'hook_event_name', 'hookEventName', 'event_name', 'hookName', 'event', 'kind', 'type') ?? event;

/** Any event, found by its plain name. */
const reading: Reading<Fields> = (fields, hints) => {
  const found = EVENTS.get(plain(name(fields, hints.event) ?? ''));
  return found?.(fields, hints) ?? { kind: 'agent.other', signal: 'none', urgency: 'normal', message: words(fields) };
};

export const generic = defineAgent({
  name: 'generic',
  title: 'Agent',
  recognise: () => true,
  parse: parser({
    schema,
    event: (fields, hints) => name(fields, hints.event),
    base: (fields) => ({
      sessionId: string(fields, 'session_id', 'sessionId', 'sessionID', 'conversation_id', 'thread_id'),
      cwd: fields.cwd || fields.workdir,
      transcript: fields.transcript_path || fields.transcriptPath,
    }),
    events: reading,
  }),
  abnormalReasons: ['error', 'other'],
  settings: null,
  events: [],
  answer: () => null,
  processNames: [],
  version: null,
  leavesSilently: true,
  // The service specifies its hooks in this neutral form: an input that no other client claims may be of one of its sessions.
  knownToService: true,
  docs: {
    seen: 'any program that can pipe JSON',
    reasons: { error: 'as the program says', other: 'as the program says' },
    cannot: [
      'What the input does not say: without `session_id` every event stands alone, and without an event name it is `agent.other`.',
    ],
  },
});
