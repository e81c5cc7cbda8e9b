// Antigravity CLI (agy): named hooks in hooks.json, from its documentation and the reports of others, never captured.
import { join } from 'node:path';
import * as z from 'zod';
import { asObject } from '../lib/json/json.ts';
import { defineAgent } from '../model/agent/agent.ts';
import { causeOf } from './shared/error-causes.ts';
import { failed, finished, noted, prompted } from './shared/event-builders.ts';
import { BECOMES } from './shared/events.ts';
import { firstString, zAny, zId, zNumber, zPath } from './shared/fields.ts';
import { parser } from './shared/parser.ts';

const schema = z.object({
  hookEventName: zId,
  hook_event_name: zId,
  conversationId: zId,
  transcriptPath: zPath,
  workspacePaths: zAny,
  artifactDirectoryPath: zPath,
  modelName: zAny,
  stepIdx: zNumber,
  initialNumSteps: zNumber,
  invocationNum: zNumber,
  executionNum: zNumber,
  terminationReason: zId,
  error: zAny,
  fullyIdle: zAny,
  toolCall: zAny,
  source: zId,
});

const folderOf = (paths: unknown): string | null =>
  Array.isArray(paths) ? (firstString({ first: paths[0] }, 'first')?.slice(0, 4_096) ?? null) : null;

const errorText = (error: unknown): string | null =>
  typeof error === 'string' ? error.trim() || null : firstString(asObject(error), 'message', 'error');

const INTERRUPTED = /cancel|interrupt|abort/i;

export const antigravity = defineAgent({
  name: 'antigravity',
  title: 'Antigravity',
  matches: (input) => 'conversationId' in input && ('workspacePaths' in input || 'artifactDirectoryPath' in input),
  parse: parser({
    schema,
    event: (fields, hints) => fields.hookEventName || fields.hook_event_name || hints.event,
    base: (fields) => ({
      sessionId: fields.conversationId,
      cwd: folderOf(fields.workspacePaths),
      transcript: fields.transcriptPath,
    }),
    events: {
      SessionStart: () => noted('started'),
      // Runs before each call of the model; the first one of a turn is its beginning.
      PreInvocation: (fields) => (fields.invocationNum === 0 ? prompted(null) : noted('activity')),
      PostInvocation: () => noted('activity'),
      Stop: (fields) => {
        const error = errorText(fields.error);
        if (INTERRUPTED.test(fields.terminationReason ?? '')) return noted('interrupted');
        if (error !== null) return failed(causeOf(null, error), error);
        const running = fields.fullyIdle === false ? [{ id: null, type: 'task', label: null }] : null;
        return finished(null, running);
      },
    },
  }),
  sessionFields: ['conversationId'],
  abnormalReasons: ['error', 'other'],
  settings: {
    user: ({ home }) => join(home, '.gemini', 'config', 'hooks.json'),
    project: '.agents/hooks.json',
    hooksPath: ['belfry'],
    requiredKeys: {},
    shape: 'flat',
    entry: (command, timeoutSeconds) => ({ type: 'command', command, timeout: timeoutSeconds }),
    commandKey: 'command',
    timeoutUnit: 'seconds',
  },
  events: [
    {
      name: 'Stop',
      role: 'notify',
      named: true,
      becomes: `${BECOMES.stop}; \`session.failed\` when it carries an error, background while it is not fully idle`,
    },
    { name: 'SessionStart', role: 'track', named: true, becomes: BECOMES.track },
    { name: 'PreInvocation', role: 'track', named: true, becomes: `${BECOMES.track}: the first of a turn begins it` },
  ],
  // It reads a decision from stdout; `{}` decides nothing.
  stdoutFor: () => '{}',
  processNames: ['agy'],
  commandVariables: [],
  version: ['agy', '--version'],
  exitsWithoutEvent: true,
  docs: {
    seen: 'not tested: written from its documentation',
    reasons: {},
    cannot: [
      'Everything here comes from its documentation and from reports by others (versions 1.1 to 1.2). None of it was tested with a real client.',
      'According to one report, version 1.1.11 loads the `Stop` hook but never runs it. Belfry then reports only a client that has gone.',
      'No hook says that the agent waits for you, so Belfry does not report permissions and questions.',
      'There is no event when it ends. Belfry reports only a process that exits in the middle of work.',
      "It reads a decision from a hook's stdout, so the installed command prints `{}`, which decides nothing.",
    ],
  },
});
