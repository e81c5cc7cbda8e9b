// The end of a session's events.jsonl: how Copilot's latest turn ended, and which shells still run. Its hooks tell of each try of a request, and of no interruption. Seen with 1.0.102.
import { join } from 'node:path';
import type { BackgroundTask, TurnEvidence } from '../../model/agent/agent.ts';
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import { causeOf } from '../shared/error-causes.ts';
import { firstString } from '../shared/fields.ts';

/** Where the client keeps it, unless its folder was moved. */
export const eventsFile = ({ home, sessionId }: { readonly home: string; readonly sessionId: string }): string =>
  join(home, '.copilot', 'session-state', sessionId, 'events.jsonl');

interface Entry {
  readonly type: string;
  readonly data: JsonObject;
  readonly id: string;
}

/** The session's own records; those of its subagents stand in the same file. */
function entriesOf(records: readonly unknown[]): readonly Entry[] {
  return records.map(asObject).flatMap(({ type, data, id, agentId }) => {
    if (typeof type !== 'string' || agentId !== undefined) return [];
    return [{ type, data: asObject(data), id: typeof id === 'string' ? id : type }];
  });
}

/** A prompt that nothing was answered to is taken back when it is interrupted: the file then knows of a rewind only. */
function isRewound({ promptCacheBreakState: states }: JsonObject): boolean {
  const sources = (Array.isArray(states) ? states : []).map((state) => asObject(state)['pendingRewriteSources']);
  return sources.some((source) => Array.isArray(source) && source.includes('rewind'));
}

function failure({ data, id }: Entry): TurnEvidence {
  const message = firstString(data, 'message');
  const status = data['statusCode'];
  const type = firstString(data, 'errorType');
  const code = type === 'authentication' ? 'authentication_failed' : type;
  return {
    outcome: 'failed',
    cause: causeOf(code, message, typeof status === 'number' ? status : null),
    message,
    turn: id,
  };
}

/** Reads back to what the model or the user said last. */
export function eventsFileEvidence(records: readonly unknown[]): TurnEvidence | null {
  for (const entry of [...entriesOf(records)].reverse()) {
    const { type, data, id } = entry;
    const isAbort = type === 'abort' && data['reason'] === 'user_initiated';
    if (isAbort || (type === 'session.usage_checkpoint' && isRewound(data)))
      return { outcome: 'interrupted', cause: null, message: null, turn: id };
    if (type === 'session.error') return failure(entry);
    if (type === 'user.message' || type === 'assistant.message' || type === 'assistant.turn_start') return null;
  }
  return null;
}

const STARTED = /^<command started in background with shellId: (\w{1,20})>/;
const READ_TO_END = /<shellId: (\w{1,20}) completed with exit code/;
const STOPS = /^stop_/;

/** Shells that the agent started and has not heard the end of; a detached one is to go on without it. */
export function runningShells(records: readonly unknown[]): readonly BackgroundTask[] {
  const labels = new Map<string, string | null>();
  const running = new Map<string, BackgroundTask>();
  for (const { type, data } of entriesOf(records)) {
    const given = asObject(data['arguments']);
    const call = firstString(data, 'toolCallId') ?? '';
    if (type === 'tool.execution_start') {
      labels.set(call, firstString(given, 'description', 'command'));
      if (STOPS.test(firstString(data, 'toolName') ?? '')) running.delete(String(given['shellId']));
    }
    if (type === 'tool.execution_complete') {
      const said = (firstString(asObject(data['result']), 'content') ?? '').slice(-4_000);
      const started = STARTED.exec(said)?.[1];
      if (started !== undefined) running.set(started, { id: started, type: 'shell', label: labels.get(call) ?? null });
      const ended = READ_TO_END.exec(said)?.[1];
      if (ended !== undefined) running.delete(ended);
    }
    if (type === 'system.notification') running.delete(String(asObject(data['kind'])['shellId']));
  }
  return [...running.values()];
}
