// Gemini CLI: settings.json with hooks and timeouts in milliseconds, seen with 0.61.0.
import { join } from 'node:path';
import * as z from 'zod';
import { defineAgent } from '../model/agent/agent.ts';
import { chatFileEvidence } from './gemini/chat-file.ts';
import { errorReports } from './gemini/error-report.ts';
import { zAny, zProse, firstString } from './shared/fields.ts';
import { parser } from './shared/parser.ts';
import { extensionPlugin } from './shared/plugin-forms.ts';
import {
  BECOMES,
  notification,
  type ProtocolFields,
  protocolEvents,
  protocolFields,
  protocolLayout,
} from './shared/events.ts';
import { transcriptBelow } from './shared/client-signs.ts';
import { finished, noted, prompted, waiting } from './shared/event-builders.ts';
import { askedText } from './shared/asked-in-words.ts';
import { commandOf } from './shared/tool-use-line.ts';
import { asObject } from '../lib/json/json.ts';

const schema = z.object({ ...protocolFields, prompt_response: zProse, details: zAny });

/** What stands for an answer when a turn was interrupted or its request failed; the client does not say which. */
const NO_ANSWER = '[no response text]';

const NOT_A_TOOL = new Set(['ask_user', 'exit_plan_mode']);

function toolPermission(fields: ProtocolFields & { readonly details?: unknown }) {
  const details = asObject(fields.details);
  const type = firstString(details, 'type');
  if (type !== null && NOT_A_TOOL.has(type)) return waiting('question', askedText(details) ?? fields.message);
  const summary = firstString(details, 'command', 'filePath', 'fileName', 'title');
  const name = firstString(details, 'toolDisplayName', 'toolName') ?? TOOLS[type ?? ''] ?? type;
  return waiting('permission', fields.message, {
    tool: name === null ? null : { name, summary: summary === null ? null : commandOf(summary) },
  });
}

const TOOLS: Readonly<Record<string, string>> = { exec: 'Shell', edit: 'Edit', info: 'Fetch' };

export const gemini = defineAgent({
  name: 'gemini',
  title: 'Gemini',
  matches: (input, { env }) =>
    transcriptBelow(input, '.gemini') || 'prompt_response' in input || Boolean(env['GEMINI_SESSION_ID']),
  parse: parser({
    schema,
    ...protocolLayout,
    events: {
      ...protocolEvents,
      Notification: (fields) =>
        fields.notification_type === 'ToolPermission'
          ? toolPermission(fields)
          : notification(fields.notification_type, fields.message),
      BeforeAgent: (fields) => prompted(fields.prompt),
      AfterAgent: (fields) => {
        const prompt = fields.prompt || null;
        // It runs hooks one after the other, each with the time of the event: what the second one says may come late.
        const occurrence = firstString(fields, 'timestamp');
        return fields.prompt_response === NO_ANSWER
          ? finished(null, null, {
              prompt,
              occurrence,
              detail: 'no-answer',
              message: 'No answer: interrupted, or the request failed.',
            })
          : finished(fields.prompt_response, null, { prompt, occurrence });
      },
      // Runs before every call of the model.
      PreCompress: () => noted('activity'),
      BeforeTool: () => noted('activity'),
      AfterTool: protocolEvents.PostToolUse,
    },
  }),
  sessionFields: ['session_id'],
  abnormalReasons: ['error', 'other'],
  settings: {
    user: ({ home, env }) => join(env['GEMINI_CLI_HOME'] || home, '.gemini', 'settings.json'),
    project: '.gemini/settings.json',
    hooksPath: ['hooks'],
    requiredKeys: {},
    shape: 'nested',
    timeoutUnit: 'milliseconds',
  },
  events: [
    { name: 'Notification', role: 'notify', becomes: '`agent.waiting`: permission, or question when it asks one' },
    { name: 'AfterAgent', role: 'notify', becomes: `${BECOMES.stop}; detail no-answer for \`${NO_ANSWER}\`` },
    { name: 'SessionEnd', role: 'notify', becomes: BECOMES.end },
    { name: 'AfterTool', role: 'signal', becomes: BECOMES.signal },
    { name: 'SessionStart', role: 'track', becomes: BECOMES.track },
    { name: 'BeforeAgent', role: 'track', becomes: BECOMES.track },
  ],
  plugin: extensionPlugin('gemini', ({ home, env }) => join(env['GEMINI_CLI_HOME'] || home, '.gemini'), [
    'Gemini keeps a checksum of the extension in `~/.gemini/extension_integrity.json` after you have removed it.',
  ]),
  stdoutFor: () => null,
  processNames: ['gemini', 'gemini-cli', 'node'],
  commandVariables: ['GEMINI_CLI'],
  version: ['gemini', '--version'],
  exitsWithoutEvent: false,
  transcript: {
    read: chatFileEvidence,
    tells: 'a failed request, in one-shot mode from its error report; a cancelled one (not in one-shot mode)',
    watch: 'waiting',
    reports: errorReports,
    path: /\/\.gemini\/tmp\/[^/]{1,255}\/chats\/session-[\w.-]{1,200}\.jsonl?$/,
  },
  limits: {
    reached: ({ cause, message }) =>
      cause === 'rate-limit' && /\bdaily quota\b/i.test(message ?? '')
        ? { name: 'day', resetsAt: null, resumes: false }
        : null,
    tells: "A day's quota, once somebody has chosen in the client's dialog; when it resets is not known.",
  },
  docs: {
    seen: '0.61.0',
    reasons: { exit: 'any way of leaving the client, including SIGTERM and SIGINT', clear: '/clear' },
    cannot: [
      'An interrupted turn and a failed request both give `AfterAgent` with `[no response text]`. Belfry reads from the end of the chat file which of the two it was. Without that file it reports that the agent stopped without an answer.',
      'In one-shot mode a failed request runs no hook, and the chat file does not show it. Belfry reads it from the error report that the client leaves in the folder for temporary files. The report names the project, not the session, so it counts for the session that ends in the middle of work there. If client and daemon use different temporary folders (`TMPDIR`), Belfry reports an end in the middle of work, without its cause.',
      'Neither a hook nor the chat file says that the client shows its dialog about a usage limit, or that it retries a request. You are notified of the limit once somebody has chosen in the dialog.',
      'If you decline a tool, there is no `AfterAgent`; Belfry reads it from the chat file within a second. If you leave sooner than that, the client removes the file, and Belfry reports that it is gone in the middle of work.',
      'When you leave, `SessionEnd` runs three times at once and makes one notification. When the terminal is closed, it sometimes does not run at all.',
      'The reason is `exit` both for an ordinary end and for a killed client.',
      'The client shows you anything on stdout, so the hook prints nothing.',
    ],
  },
});
