// Droid: hooks in settings.json or hooks.json, seen with 0.225.2.
import { join } from 'node:path';
import * as z from 'zod';
import { defineAgent, type TurnEvidence } from '../model/agent/agent.ts';
import { zAny, zId, zNumber, zProse, firstString } from './shared/fields.ts';
import { heldFinish } from './shared/holding-hooks.ts';
import { parser } from './shared/parser.ts';
import { BECOMES, notification, protocolEvents, protocolFields, protocolLayout } from './shared/events.ts';
import { transcriptBelow } from './shared/client-signs.ts';
import { ended, finished, noted, subagentFinished, waiting } from './shared/event-builders.ts';
import { enabledIn, marketplacePlugin } from './shared/plugin-forms.ts';
import { asObject } from '../lib/json/json.ts';
import { causeOf } from './shared/error-causes.ts';

const schema = z.object({
  ...protocolFields,
  message_id: zId,
  tool_execution_count: zNumber,
  task_name: zId,
  task_result: zProse,
  task_error: zAny,
  session_duration_ms: zNumber,
  message_count: zNumber,
  estimated_tokens: zNumber,
  calling_session_id: zId,
  previous_session_id: zId,
  CLAUDE_ENV_FILE: zAny,
});

/** While it only plans, nothing but the plan itself needs an approval; its hook names no tool. */
const asksForPlan = (fields: z.output<typeof schema>): boolean =>
  fields.permission_mode === 'spec' && fields.notification_type === 'permission_prompt';

/** Ms by which a one-shot run's end may overtake the finish that began before it. */
const FINISHES_WITHIN = 200;

const folder = (home: string) => join(home, '.factory');

export const droid = defineAgent({
  name: 'droid',
  title: 'Droid',
  matches: (input, { env }) =>
    transcriptBelow(input, '.factory') ||
    'tool_execution_count' in input ||
    Boolean(env['DROID_PROJECT_DIR'] ?? env['FACTORY_PROJECT_DIR']),
  parse: parser({
    schema,
    ...protocolLayout,
    events: {
      ...protocolEvents,
      // A subagent is a session of its own that names the session which called it, here and nowhere else.
      SessionStart: (fields) => noted('started', { parentSessionId: fields.calling_session_id || null }),
      // It is idle only when the user stopped the turn, who then sits there.
      Notification: (fields) =>
        fields.notification_type === 'idle_prompt' && /stopped by user/i.test(fields.message ?? '')
          ? waiting('idle', fields.message, { signal: 'interrupted', urgency: 'low' })
          : notification(fields.notification_type, fields.message, asksForPlan(fields) ? { detail: 'question' } : {}),
      // SIGINT gives `prompt_input_exit`: Ctrl-C in its terminal.
      SessionEnd: (fields, hints) => ({
        ...ended(fields.reason, hints, { own: ['prompt_input_exit', 'clear', 'logout'] }),
        turnBegan: fields.message_id !== undefined,
        settlesWithinMs: fields.message_id === undefined ? null : FINISHES_WITHIN,
      }),
      // The time is in milliseconds, and 0 when not measured.
      Stop: (fields) =>
        finished(null, null, {
          occurrence: fields.stop_hook_active === true ? null : fields.message_id || null,
          seconds: fields.elapsed_time ? fields.elapsed_time / 1_000 : null,
        }),
      SubagentStop: (fields) =>
        subagentFinished(
          null,
          fields.task_name,
          fields.task_result || (typeof fields.task_error === 'string' ? fields.task_error : null),
        ),
    },
  }),
  sessionFields: ['session_id'],
  abnormalReasons: ['error', 'other'],
  settings: {
    user: ({ home }) => join(folder(home), 'settings.json'),
    project: '.factory/settings.json',
    hooksPath: ['hooks'],
    requiredKeys: {},
    shape: 'nested',
    timeoutUnit: 'seconds',
    override: { user: ({ home }) => join(folder(home), 'hooks.json'), hooksPath: [], project: '.factory/hooks.json' },
  },
  events: [
    { name: 'Notification', role: 'notify', becomes: BECOMES.notification },
    { name: 'Stop', role: 'notify', becomes: `${BECOMES.stop}; background in a subagent's own session` },
    { name: 'SubagentStop', role: 'notify', becomes: BECOMES.subagent },
    { name: 'SessionEnd', role: 'notify', becomes: BECOMES.end },
    { name: 'PostToolUse', role: 'signal', becomes: BECOMES.signal },
    { name: 'SessionStart', role: 'track', becomes: `${BECOMES.track}; recognizes a subagent's session by its caller` },
    { name: 'UserPromptSubmit', role: 'track', becomes: BECOMES.track },
  ],
  plugin: marketplacePlugin({
    program: 'droid',
    manifest: '.factory-plugin',
    // It names a marketplace after its folder.
    market: 'droid',
    enabledBy: enabledIn(({ home }) => join(folder(home), 'settings.json')),
    notes: ['Droid keeps two empty lists in its settings then, and empty folders in `~/.factory/plugins`.'],
  }),
  answering: heldFinish('0.225.2'),
  stdoutFor: () => null,
  processNames: ['droid'],
  commandVariables: ['FACTORY_DISABLE_SETTINGS_PERSISTENCE'],
  version: ['droid', '--version'],
  installFolders: [['.factory', 'bin']],
  exitsWithoutEvent: false,
  transcript: {
    read: sessionFileEvidence,
    tells: 'a failed request',
    watch: null,
    path: /\/sessions\/[^/]{1,255}\/[\w-]{1,100}\.jsonl$/,
  },
  knownToService: true,
  docs: {
    seen: '0.225.2',
    reasons: {
      other: 'nearly every end: /quit, Ctrl-C, the end of exec mode, and the second end after logout',
      clear: '/clear or /new',
      logout: '/logout; a second end with `other` follows',
      prompt_input_exit: 'SIGINT',
    },
    cannot: [
      'There is no failure event: an API error ends in an ordinary `Stop`. Belfry reads the error from the end of the transcript and reports a failure.',
      '`Stop` contains no message, so Belfry takes the last words from the transcript.',
      'exec mode runs no `UserPromptSubmit`, so Belfry takes its `SessionStart` as the beginning of work.',
      'A subagent is a session of its own. Only its `SessionStart` names the caller, so with `--minimal` its `Stop` and `SessionEnd` look like those of a session of yours.',
      '`idle_prompt` comes only when you interrupt a turn.',
      'When you leave, `SessionEnd` comes twice and makes one notification.',
      'Hooks do not run until you trust the folder. Belfry cannot see in the settings whether you do.',
      'If hooks.json names an event, that switches the same event in settings.json off. `belfry install` writes to the file that the client reads.',
    ],
  },
});

/** What it shows to its user only: "BYOK Error: 401 ...". */
const ERROR = /^(?:BYOK )?Error: /;

/** The text of a message's first block. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (Array.isArray(content) ? firstString(asObject(content[0]), 'text') : null) ?? '';
}

/** The end of a session file: an error of the model's service, of which hooks report a plain `Stop`. Reads back to the latest answer or request; only an error after it counts. */
function sessionFileEvidence(records: readonly unknown[]): TurnEvidence | null {
  for (const record of [...records].reverse()) {
    const { type, message, id } = asObject(record);
    if (type !== 'message') continue;
    const { role, content, visibility } = asObject(message);
    const text = textOf(content);
    if (role === 'user' && visibility === 'user_only' && ERROR.test(text)) {
      const turn = typeof id === 'string' ? id : text.slice(0, 200);
      return { outcome: 'failed', cause: causeOf(null, text), message: text.slice(0, 2_000), turn };
    }
    if (role === 'assistant' || (role === 'user' && visibility === undefined)) return null;
  }
  return null;
}
