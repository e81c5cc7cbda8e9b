// Codex: hooks.json, run only with the user's consent, seen with 0.169.0.
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { defineAgent } from '../model/agent/agent.ts';
import { parseConfig } from './codex/config.ts';
import { joining } from './codex/joining.ts';
import { limits } from './codex/limits.ts';
import { rolloutEvidence } from './codex/rollout-file.ts';
import { trustedByHash } from './codex/trust.ts';
import { zAny, zId, zProse } from './shared/fields.ts';
import { heldPermission } from './shared/holding-hooks.ts';
import { parser } from './shared/parser.ts';
import { marketplacePlugin } from './shared/plugin-forms.ts';
import { BECOMES, permissionRequest, protocolEvents, protocolFields, protocolLayout, stop } from './shared/events.ts';
import { transcriptBelow } from './shared/client-signs.ts';
import { finished, noted, subagentFinished } from './shared/event-builders.ts';
import { asObject } from '../lib/json/json.ts';

const schema = z.object({
  ...protocolFields,
  turn_id: zId,
  // The older `notify` setting uses different names.
  type: zId,
  'thread-id': zId,
  'turn-id': zId,
  client: zAny,
  'input-messages': zAny,
  'last-assistant-message': zProse,
});

const QUESTIONS = new Set(['request_user_input', 'ask_user_question']);
const ENDS_WITHIN = 3;
/** Ms within which its automatic review decides about a permission. */
const REVIEWED_WITHIN = 1_500;

function lastOf(messages: unknown): string | null {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : null;
  return typeof last === 'string' ? last.slice(0, 64_000) : null;
}

export const codex = defineAgent({
  name: 'codex',
  title: 'Codex',
  matches: (input) => transcriptBelow(input, '.codex') || 'turn_id' in input || 'thread-id' in input,
  parse: parser({
    schema,
    event: (fields, hints) => fields.hook_event_name || fields.type || hints.event,
    base: (fields) => {
      const base = protocolLayout.base(fields);
      // At the start of a subagent the transcript is the subagent's.
      const own = fields.hook_event_name !== 'SubagentStart';
      return { ...base, sessionId: base.sessionId || fields['thread-id'], transcript: own ? base.transcript : null };
    },
    events: {
      ...protocolEvents,
      // Its automatic review decides after the hook.
      PermissionRequest: (fields) => ({ ...permissionRequest(fields, QUESTIONS), settlesWithinMs: REVIEWED_WITHIN }),
      // Of the tools that ask; others run without a hook.
      PreToolUse: (fields) =>
        fields.tool_name && !QUESTIONS.has(fields.tool_name)
          ? noted('activity')
          : { ...permissionRequest(fields, QUESTIONS), detail: 'question' },
      // A Stop that a hook turned into more work comes again with the same turn: only the first is known by its turn.
      Stop: (fields) =>
        stop(fields, null, { occurrence: fields.stop_hook_active === true ? null : fields.turn_id || null }),
      'agent-turn-complete': (fields) =>
        finished(fields['last-assistant-message'], null, {
          occurrence: fields['turn-id'] || null,
          prompt: lastOf(fields['input-messages']),
        }),
      SubagentStop: (fields) =>
        subagentFinished(fields.agent_id, fields.agent_type, fields.last_assistant_message, { resumesWithinMs: 0 }),
      // Esc, and every permission that was denied.
      Interrupt: () => noted('interrupted'),
    },
  }),
  sessionFields: ['session_id', 'thread-id'],
  abnormalReasons: ['error', 'other'],
  settings: {
    user: ({ home, env }) => join(env['CODEX_HOME'] || join(home, '.codex'), 'hooks.json'),
    project: '.codex/hooks.json',
    hooksPath: ['hooks'],
    requiredKeys: {},
    shape: 'nested',
    timeoutUnit: 'seconds',
  },
  events: [
    {
      name: 'PermissionRequest',
      role: 'notify',
      becomes: `${BECOMES.permission}; sent after 1.5 s, unless the automatic review has decided by then`,
    },
    {
      name: 'PreToolUse',
      role: 'notify',
      matcher: [...QUESTIONS].join('|'),
      becomes: '`agent.waiting`: question, for tools that ask one',
    },
    { name: 'Stop', role: 'notify', becomes: BECOMES.stop },
    { name: 'SubagentStop', role: 'notify', becomes: BECOMES.subagent },
    { name: 'SessionEnd', role: 'notify', timeout: ENDS_WITHIN, becomes: BECOMES.end },
    {
      name: 'Interrupt',
      role: 'track',
      timeout: ENDS_WITHIN,
      becomes: `${BECOMES.track}: the user stopped the turn`,
    },
    { name: 'PostToolUse', role: 'signal', becomes: BECOMES.signal },
    { name: 'SessionStart', role: 'track', becomes: BECOMES.track },
    { name: 'UserPromptSubmit', role: 'track', becomes: BECOMES.track },
    { name: 'SubagentStart', role: 'track', becomes: BECOMES.track },
  ],
  // A prompt or another session shows that a finished one went on.
  answering: { ...heldPermission('0.169.0'), withdrawals: ['UserPromptSubmit', 'SessionStart'] },
  joining,
  continues: ['limit', 'overloaded', 'network'],
  plugin: marketplacePlugin({
    program: 'codex',
    manifest: '.codex-plugin',
    marketplace: '.agents/plugins/marketplace.json',
    listing: {
      source: { source: 'local', path: './' },
      policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
      category: 'Productivity',
    },
    verbs: { install: 'add', remove: 'remove' },
    enabledBy: ({ home, env, read }, id) => {
      const file = join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml');
      return asObject(asObject(parseConfig(read(file))['plugins'])[id])['enabled'] === true ? file : null;
    },
    notes: [
      'Codex runs the hooks of the plugin, too, only after you have chosen "Trust all" at its next interactive start. It remembers that under `[hooks.state]` in `~/.codex/config.toml` after you have removed the plugin, and keeps an empty folder in `~/.codex/plugins/cache`.',
    ],
  }),
  stdoutFor: () => null,
  processNames: ['codex'],
  commandVariables: ['CODEX_THREAD_ID', 'CODEX_CI'],
  version: ['codex', '--version'],
  exitsWithoutEvent: true,
  transcript: {
    read: rolloutEvidence,
    tells: 'a failed request, an interruption',
    watch: 'working',
    path: /\/sessions\/\d{4}\/\d\d\/\d\d\/rollout-[\w.-]{1,200}\.jsonl$/,
  },
  limits,
  trust: ({ home, settingsFile, read }) =>
    trustedByHash({
      settingsFile,
      settings: read(settingsFile),
      config: read(join(dirname(settingsFile), 'config.toml')) ?? read(join(home, '.codex', 'config.toml')),
    }),
  docs: {
    seen: '0.169.0',
    reasons: {
      other: 'every end that is reported at all: /quit (about 60 s later), /clear, /logout, the end of exec mode',
    },
    cannot: [
      'Hooks run only after you have chosen "Trust all" (or reviewed them) at the first interactive start. Codex asks again after every change of a hook, and `codex exec` skips untrusted hooks without a word. `belfry doctor` says so.',
      'An API error runs no hook at all. Belfry reads it from the end of the rollout file, which it watches while a turn runs.',
      'SIGTERM, SIGINT and a closed terminal give no `SessionEnd`. In interactive mode a background server holds the session, so a session whose terminal was closed looks like a quiet one.',
      'There is no `Notification` hook. Belfry reports that Codex waits for a permission or an answer, but not that it is idle.',
      'If you cannot use hooks, use the older `notify` setting, which passes its JSON as the last argument, not on stdin: `notify = ["sh", "-c", "printf %s \\"$1\\" | belfry-hook --agent codex", "sh"]`.',
    ],
  },
});
