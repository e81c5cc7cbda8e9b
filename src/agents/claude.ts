// Claude Code: settings.json with hooks, seen with 2.1.197.
import { join } from 'node:path';
import * as z from 'zod';
import { defineAgent } from '../model/agent/agent.ts';
import { answering, replyIn } from './claude/answering.ts';
import { failureCause } from './claude/failure-cause.ts';
import { limits } from './claude/limits.ts';
import { zAny } from './shared/fields.ts';
import { parser } from './shared/parser.ts';
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
import { backgroundTasksOf } from './shared/background-tasks.ts';
import { ended, failed, prompted, subagentFinished } from './shared/event-builders.ts';
import { unlessDisabled } from './shared/hooks-disabled.ts';
import { enabledIn, marketplacePlugin } from './shared/plugin-forms.ts';

const schema = z.object({
  ...protocolFields,
  // Shared by all events after one prompt, so no identity of an occurrence.
  prompt_id: zAny,
  effort: zAny,
  background_tasks: zAny,
  session_crons: zAny,
});

/** A limit has reset and it goes on by itself; with `_stale` or `_disabled` instead it waits for the person. */
const RESUMED = 'quota_auto_resume_fired';
/** Ms within which the failure comes that it ends for. */
const FAILS_WITHIN = 200;
const QUESTIONS = new Set(['AskUserQuestion', 'ExitPlanMode']);

export const claude = defineAgent({
  name: 'claude',
  title: 'Claude',
  matches: (input, { env }) =>
    transcriptBelow(input, '.claude') ||
    'prompt_id' in input ||
    'background_tasks' in input ||
    env['CLAUDECODE'] === '1',
  parse: parser({
    schema,
    ...protocolLayout,
    events: {
      ...protocolEvents,
      Notification: (fields) =>
        followUpNotification(fields, fields.notification_type === RESUMED ? { signal: 'none', urgency: 'low' } : {}),
      // A reply from elsewhere comes as a notice of the client's; what it says is the user's request.
      UserPromptSubmit: (fields) => {
        const reply = fields.agent_id ? null : replyIn(fields.prompt);
        return reply === null ? protocolEvents.UserPromptSubmit(fields) : prompted(reply);
      },
      SessionEnd: (fields, hints) => ({
        ...ended(fields.reason, hints, { own: ['prompt_input_exit', 'exit', 'clear', 'logout', 'resume'] }),
        // One-shot mode runs this hook beside that of the failure.
        settlesWithinMs: fields.reason === 'other' ? FAILS_WITHIN : null,
      }),
      PermissionRequest: (fields) => permissionRequest(fields, QUESTIONS),
      Stop: (fields) => stop(fields, backgroundTasksOf(fields.background_tasks)),
      // The subagent that has just stopped is still listed as running.
      SubagentStop: (fields) =>
        subagentFinished(fields.agent_id, fields.agent_type, fields.last_assistant_message, {
          running: backgroundTasksOf(fields.background_tasks, fields.agent_id),
        }),
      // Its `last_assistant_message` is the error text that the user is shown.
      StopFailure: (fields) => {
        const code = typeof fields.error === 'string' ? fields.error : null;
        return failed(failureCause(code, fields.last_assistant_message ?? null), fields.last_assistant_message || code);
      },
    },
  }),
  sessionFields: ['session_id'],
  abnormalReasons: ['error', 'other'],
  settings: {
    user: ({ home, env }) => join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'settings.json'),
    project: '.claude/settings.json',
    hooksPath: ['hooks'],
    requiredKeys: {},
    shape: 'nested',
    timeoutUnit: 'seconds',
  },
  events: [
    { name: 'Notification', role: 'notify', becomes: BECOMES.notification },
    {
      name: 'Stop',
      role: 'notify',
      becomes: `${BECOMES.stop}; background while \`background_tasks\` lists running work`,
    },
    { name: 'SubagentStop', role: 'notify', becomes: BECOMES.subagent },
    { name: 'SessionEnd', role: 'notify', becomes: BECOMES.end },
    {
      name: 'StopFailure',
      role: 'notify',
      since: '2.1.78',
      becomes: BECOMES.failure,
      missedWithout: 'turns that fail (API errors, rate limits)',
    },
    {
      name: 'PermissionRequest',
      role: 'notify',
      since: '2.0.45',
      becomes: BECOMES.permission,
      missedWithout: 'permission prompts at once (they come a few seconds later)',
    },
    { name: 'PostToolUse', role: 'signal', becomes: BECOMES.signal },
    { name: 'PostToolUseFailure', role: 'signal', since: '2.1.50', becomes: BECOMES.signal },
    { name: 'SessionStart', role: 'track', since: '1.0.62', becomes: BECOMES.track },
    { name: 'UserPromptSubmit', role: 'track', since: '1.0.54', becomes: BECOMES.track },
  ],
  plugin: marketplacePlugin({
    program: 'claude',
    manifest: '.claude-plugin',
    enabledBy: enabledIn(({ home, env }) => join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'settings.json')),
    notes: [
      'Claude keeps two empty lists in its settings then, and for two weeks a copy of the plugin in `~/.claude/plugins/cache`, which it no longer runs.',
    ],
  }),
  stdoutFor: () => null,
  processNames: ['claude', 'claude-code'],
  commandVariables: ['CLAUDECODE'],
  version: ['claude', '--version'],
  installFolders: [['.claude', 'local']],
  exitsWithoutEvent: false,
  limits,
  trust: unlessDisabled,
  answering,
  continues: ['overloaded', 'network'], // a limit's dialog may stand in its terminal
  docs: {
    seen: '2.1.197',
    reasons: {
      prompt_input_exit: 'the user left: /exit, Ctrl-C twice or Ctrl-D twice',
      clear: '/clear; the next session begins in the same window',
      logout: '/logout',
      other: 'end of print mode (always, also after success), SIGTERM, or the terminal was closed',
    },
    cannot: [
      'Interrupting with Esc gives no event, so the session counts as working until its next event.',
      '`Notification` does not name the tool, `PermissionRequest` does. The two arrive 6 to 12 s apart and make one notification.',
      'In print mode, the client kills `StopFailure` hooks as it exits. Belfry submits the failure before that, but may be too late on a loaded machine or with the slower hook of the plugin. `SessionEnd` comes at the same moment, before or after the failure, so Belfry sends it 0.2 s later, unless the failure has come by then.',
      '`SessionEnd` hooks are cut off after about 1.5 s unless a timeout is set; Belfry sets one.',
      'Whenever a background task ends, the client starts the agent again with a prompt that you did not write (`<task-notification>`). Belfry never quotes it.',
    ],
  },
});
