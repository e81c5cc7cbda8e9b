// opencode: a plugin module that passes bus events to the hook, seen with 1.18.33.
import { join } from 'node:path';
import * as z from 'zod';
import { defineAgent } from '../model/agent/agent.ts';
import { zAny, zId, firstString } from './shared/fields.ts';
import { parser, type EventParser, type PartialHook } from './shared/parser.ts';
import { BECOMES } from './shared/events.ts';
import { finished, noted, waiting, failed } from './shared/event-builders.ts';
import { questionsText } from './shared/asked-in-words.ts';
import { commandOf } from './shared/tool-use-line.ts';
import { answering } from './opencode/answering.ts';
import { pluginModule } from './opencode/plugin.ts';
import { pluginPackage } from './opencode/plugin-package.ts';
import { asObject, parseJson } from '../lib/json/json.ts';
import { causeOf } from './shared/error-causes.ts';

// The last three are the plugin's own, of an answer that was aborted, and of a next try that is more than a minute away.
const schema = z.object({ id: zId, type: zId, properties: zAny, aborted: zAny, terminal: zAny, long: zAny });
type Fields = z.output<typeof schema>;

const info = (fields: Fields) => asObject(asObject(fields.properties)['info']);

/** The id of the bus event is that of the occurrence, however many plugins report it. */
const seen =
  (
    reading: (properties: Readonly<Record<string, unknown>>, fields: Fields) => ReturnType<EventParser<Fields>>,
  ): EventParser<Fields> =>
  (fields) => ({ occurrence: fields.id || null, ...reading(asObject(fields.properties), fields) });

export const opencode = defineAgent({
  name: 'opencode',
  title: 'opencode',
  matches: (input, { env }) =>
    (typeof input['type'] === 'string' && firstString(asObject(input['properties']), 'sessionID') !== null) ||
    env['OPENCODE'] === '1',
  parse: parser({
    schema,
    event: (fields, hints) => fields.type || hints.event,
    base: (fields) => ({
      sessionId: firstString(asObject(fields.properties), 'sessionID') ?? firstString(info(fields), 'id'),
      cwd: firstString(info(fields), 'directory'),
    }),
    events: {
      'session.created': seen((_, fields) => {
        const title = firstString(info(fields), 'title');
        return noted('started', {
          parentSessionId: firstString(info(fields), 'parentID'),
          // Until the model has named it, a session's title is its date.
          title: title === null || /^New session - /.test(title) ? null : title.slice(0, 500),
        });
      }),
      'session.status': seen((properties, { long }) => {
        const status = asObject(properties['status']);
        if (status['type'] === 'retry') return retrying(status, long === true);
        return noted(status['type'] === 'busy' ? 'prompted' : 'activity');
      }),
      // Whoever aborts it at its terminal sits there. Without one it is being closed, as an interruption has an error first: its exit says so.
      'session.idle': seen((_, { aborted, terminal }) =>
        aborted !== true ? finished(null, null) : noted(terminal === 'here' ? 'interrupted' : 'activity'),
      ),
      'session.compacted': seen(() => noted('compacted')),
      'session.error': seen((properties, { terminal }) =>
        terminal === 'gone' ? noted('activity') : opencodeFailure(properties['error']),
      ),
      'permission.asked': seen((properties) => {
        const name = firstString(properties, 'permission');
        const patterns = properties['patterns'];
        const summary =
          firstString(asObject(properties['metadata']), 'command', 'filepath', 'filePath', 'url', 'description') ??
          (Array.isArray(patterns) ? firstString({ first: patterns[0] }, 'first') : null);
        return waiting('permission', null, {
          tool: name === null ? null : { name, summary: summary === null ? null : commandOf(summary) },
        });
      }),
      'question.asked': seen((properties) => waiting('question', questionsText(properties['questions']))),
      'permission.replied': seen(() => noted('resolved', { isSignal: true })),
      'question.replied': seen(() => noted('resolved', { isSignal: true })),
      'question.rejected': seen(() => noted('resolved', { isSignal: true })),
    },
  }),
  sessionFields: ['properties.sessionID', 'properties.info.id'],
  abnormalReasons: ['error', 'other'],
  settings: {
    user: ({ home, env }) => join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode', 'plugin', 'belfry.js'),
    project: '.opencode/plugin/belfry.js',
    hooksPath: [],
    requiredKeys: {},
    shape: 'module',
    module: pluginModule,
    timeoutUnit: 'seconds',
  },
  events: [
    { name: 'permission.asked', role: 'notify', becomes: '`agent.waiting`: permission' },
    { name: 'question.asked', role: 'notify', becomes: '`agent.waiting`: question' },
    { name: 'session.idle', role: 'notify', becomes: `${BECOMES.stop}; background in a subagent's own session` },
    {
      name: 'session.error',
      role: 'notify',
      becomes: `${BECOMES.failure}; ${BECOMES.track} when the user interrupted`,
    },
    { name: 'session.created', role: 'track', becomes: `${BECOMES.track}; names a subagent's parent` },
    {
      name: 'session.status',
      role: 'track',
      becomes: `${BECOMES.track}: work began; or \`session.failed\`: retrying, after a minute`,
    },
    { name: 'session.compacted', role: 'track', becomes: `${BECOMES.track}: what follows immediately is no finish` },
    { name: 'permission.replied', role: 'track', becomes: BECOMES.signal },
    { name: 'question.replied', role: 'track', becomes: BECOMES.signal },
    { name: 'question.rejected', role: 'track', becomes: BECOMES.signal },
  ],
  plugin: pluginPackage,
  stdoutFor: () => null,
  processNames: ['opencode'],
  commandVariables: ['OPENCODE'],
  version: ['opencode', '--version'],
  installFolders: [['.opencode', 'bin']],
  exitsWithoutEvent: true,
  answering,
  limits: {
    reached: () => null, // its own event says it
    tells: 'That it waits more than a minute for its next try, and until when. It goes on by itself.',
  },
  docs: {
    seen: '1.18.33',
    reasons: {},
    cannot: [
      'There is no event when the program ends. Belfry reports only a process that exits in the middle of work.',
      'If the program is closed while it works, it reports its session as idle. The plugin adds that the last answer was aborted, and whether the terminal is still there. If it is, you stopped the agent.',
      '`session.idle` carries no text, so the notification has no last words.',
      'An error gives `session.error` and then `session.idle` twice. Belfry reports only the failure.',
      'In `run` mode the client asks for a permission and rejects it immediately.',
      'The client does not wait for its plugin: in `run` mode it may be gone before the hook has finished. The hook then goes on without it.',
    ],
  },
});

/** It tries again by itself, without end; `next`: Unix ms. The plugin passes this on once it takes long. */
function retrying(status: Readonly<Record<string, unknown>>, isLong: boolean): PartialHook {
  const { next } = status;
  const message = firstString(status, 'message');
  const isLimit = isLong && ['rate-limit', 'credit'].includes(causeOf(null, message));
  const limit = isLimit && typeof next === 'number' ? { name: 'usage', resetsAt: next, resumes: true } : null;
  return failed('unknown', message, { signal: 'none', detail: 'retrying', urgency: 'normal', limit });
}

/** Answers that are longer say nothing, in characters. */
const LONGEST = 64_000;

/** `session.error`: a named error with data. The user's own interruption is one of them, and no failure. */
function opencodeFailure(error: unknown): PartialHook {
  const fields = asObject(error);
  const name = firstString(fields, 'name');
  if (name === 'MessageAbortedError') return noted('interrupted');
  const data = asObject(fields['data']);
  const message = firstString(data, 'message') ?? firstString(fields, 'message') ?? name;
  if (name === 'ProviderAuthError') return failed('auth', message);
  const status = data['statusCode'];
  return failed(causeOf(codeIn(data['responseBody']), message, typeof status === 'number' ? status : null), message);
}

/** The code that the service gave: one status stands for a limit and for credit that is used up. */
function codeIn(body: unknown): string | null {
  const answer = typeof body === 'string' && body.length < LONGEST ? asObject(parseJson(body)) : {};
  return firstString(asObject(answer['error']), 'code', 'type');
}
