// What a transcript tells of an input, where its client writes a moment behind its hooks.
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { agentByName } from '../../../src/agents/index.ts';
import { eventsFile } from '../../../src/agents/copilot/events-file.ts';
import { createTurnEvidence } from '../../../src/daemon/sessions/turn-evidence.ts';
import type { IncomingHook } from '../../../src/model/event/incoming.ts';
import type { SessionRecord } from '../../../src/model/session/session.ts';
import { HERE } from '../../../src/model/session/whereabouts.ts';
import { type VirtualClock, virtualClock } from '../../support/clock.ts';
import { realFiles } from '../../support/files.ts';
import { temporaryFolder } from '../../support/home.ts';
import { madeSession } from '../../support/made.ts';

const SESSION = '5a1f0f0e-8e3a-4a0e-9d0c-6f6d2b6f1c01';

/** The real one, of all clients. */
const readerIn = (home: string, clock: VirtualClock, session: () => Promise<SessionRecord | null>) =>
  createTurnEvidence({
    store: { session },
    agents: agentByName,
    clock,
    home,
    files: realFiles(),
    temporary: home,
    used: () => undefined,
  });

/** A session of Copilot at work, whose events file is `written` to; `judge`: what its hook becomes, as a word. */
function bench(record: Partial<SessionRecord> = {}) {
  const home = temporaryFolder();
  const clock = virtualClock();
  const began = clock.now();
  const file = eventsFile({ home, sessionId: SESSION });
  mkdirSync(dirname(file), { recursive: true });
  const known = {
    ...madeSession({ agent: 'copilot', state: 'working', promptedAt: began, turnStarted: began }),
    ...record,
  };
  let reads = 0;
  const { judge } = readerIn(home, clock, async () => {
    reads++;
    return known;
  });
  const hook = (event: string, input: object, more: Partial<IncomingHook> = {}): IncomingHook => {
    const hints = { event, env: {}, abnormalReasons: ['error', 'other'] };
    const named = 'transcriptPath' in input ? { transcriptPath: file } : {};
    const parsed = agentByName('copilot')?.parse({ sessionId: SESSION, ...input, ...named }, hints);
    if (parsed === undefined) throw new Error('no such agent');
    const startedAt = clock.now();
    return {
      type: 'hook',
      entryId: 'e1',
      source: 'socket',
      startedAt,
      receivedAt: startedAt,
      agent: 'copilot',
      ...HERE,
      parsed,
      origin: { pid: 1, ppid: 1, env: {} },
      digest: 'd',
      ...more,
    };
  };
  return {
    clock,
    hook,
    /** How often the session's row was read. */
    reads: () => reads,
    write: (after: number, type: string, data: object = {}) =>
      appendFileSync(file, `${JSON.stringify({ type, data, timestamp: new Date(began + after).toISOString() })}\n`),
    judge: async (incoming: IncomingHook): Promise<string> => {
      const judged = await judge(incoming);
      const own = judged.byRow?.(known) ?? judged.incoming;
      if (own.type === 'event') throw new Error('a hook stays one');
      const what = `${own.parsed.kind} ${own.parsed.signal}${own.parsed.byUser ? ' by the user' : ''}`;
      const { before } = judged;
      return before === undefined ? what : `${before.kind} ${before.detail}, ${what}`;
    },
  };
}

test('an end waits for what its client is about to write', async () => {
  const { clock, hook, write, judge } = bench();
  write(10, 'user.message');
  await clock.advance(3_000);
  let judged: string | null = null;
  const done = judge(hook('sessionEnd', { reason: 'user_exit' })).then((what) => {
    judged = what;
  });
  while (clock.pending === 0) await clock.advance(0); // it has looked once
  write(2_990, 'abort', { reason: 'user_initiated' });
  write(3_050, 'hook.end');
  while (judged === null) await clock.advance(10);
  await done;
  expect(judged).toBe('session.ended ended by the user');
});

test('and no longer than its client takes', async () => {
  const { clock, hook, write, judge } = bench();
  write(10, 'user.message');
  await clock.advance(3_000);
  let judged: string | null = null;
  const done = judge(hook('sessionEnd', { reason: 'user_exit' })).then((what) => {
    judged = what;
  });
  const began = clock.now();
  while (judged === null) await clock.advance(10);
  await done;
  expect(judged).toBe('session.ended ended');
  expect(clock.now() - began).toBeGreaterThanOrEqual(1_500);
});

test('a file that the hook names is there soon', async () => {
  const { clock, hook, write, judge } = bench();
  let judged: string | null = null;
  const done = judge(hook('agentStop', { transcriptPath: '' })).then((what) => {
    judged = what;
  });
  while (clock.pending === 0) await clock.advance(0);
  expect(judged).toBe(null);
  write(0, 'assistant.message');
  write(50, 'hook.end');
  while (judged === null) await clock.advance(10);
  await done;
  expect(judged).toBe('agent.finished finished');
});

test('nothing is waited for where there is no file', async () => {
  const { hook, judge } = bench();
  expect(await judge(hook('sessionEnd', { reason: 'user_exit' }))).toBe('session.ended ended');
  expect(await judge(hook('agentStop', {}))).toBe('agent.finished finished');
});

test("the session's row is read only where the decision's own read of it comes too late", async () => {
  const { hook, write, judge, reads } = bench();
  write(0, 'assistant.message');
  write(50, 'hook.end');
  expect(await judge(hook('agentStop', { transcriptPath: '' }))).toBe('agent.finished finished');
  expect(reads()).toBe(0);
  await judge(hook('agentStop', {}));
  await judge(hook('sessionEnd', { reason: 'user_exit', transcriptPath: '' }));
  expect(reads()).toBe(2);
});

test('what a later turn wrote says nothing of this one', async () => {
  const { clock, hook, write, judge } = bench();
  write(10, 'assistant.message');
  const stop = hook('agentStop', {}, { startedAt: clock.now() + 50 });
  write(60, 'hook.end');
  write(70, 'session.error', { errorType: 'authentication', statusCode: 401 });
  expect(await judge(stop)).toBe('agent.finished finished');
});

test.each<[name: string, types: readonly string[], more: Partial<IncomingHook>, expected: string]>([
  ['while its client tries again', ['user.message'], {}, 'agent.other none'],
  ['that its client has given up after', ['user.message', 'session.error'], {}, 'session.failed failed'],
  ['whose file cannot be read', [], {}, 'session.failed failed'],
  ['of another machine', ['user.message'], { host: 'elsewhere' }, 'session.failed failed'],
  ['that came by HTTP', ['user.message'], { source: 'http' }, 'session.failed failed'],
])('an error %s', async (_name, types, more, expected) => {
  const { hook, write, judge } = bench();
  for (const type of types) write(10, type, { errorType: 'authentication', message: 'no', statusCode: 401 });
  expect(await judge(hook('errorOccurred', { error: { message: 'invalid api key' } }, more))).toBe(expected);
});

test('a session id that is no plain name is no part of a path', async () => {
  const { hook, write, judge } = bench();
  write(10, 'user.message');
  const error = { sessionId: `../session-state/${SESSION}`, error: { message: 'invalid api key' } };
  expect(await judge(hook('errorOccurred', error))).toBe('session.failed failed');
});

test('a finish of a client that writes its answer behind it is one, whatever stands there yet', async () => {
  const home = temporaryFolder();
  const chats = join(home, '.qwen', 'projects', 'p', 'chats');
  mkdirSync(chats, { recursive: true });
  const file = join(chats, `${SESSION}.jsonl`);
  const clock = virtualClock();
  const timestamp = new Date(clock.now()).toISOString();
  const uiEvent = { 'event.name': 'qwen-code.api_error', error_message: '503 Overloaded', status_code: 503 };
  for (const record of [{ type: 'user' }, { type: 'system', subtype: 'ui_telemetry', systemPayload: { uiEvent } }])
    appendFileSync(file, `${JSON.stringify({ ...record, timestamp })}\n`);
  const { judge, of } = readerIn(home, clock, async () => null);
  const input = {
    session_id: SESSION,
    transcript_path: file,
    hook_event_name: 'Stop',
    last_assistant_message: 'Done.',
  };
  const parsed = agentByName('qwen')?.parse(input, { event: 'Stop', env: {}, abnormalReasons: [] });
  if (parsed === undefined) throw new Error('no such agent');
  const at = clock.now();
  const hook = { entryId: 'e1', source: 'socket', startedAt: at, receivedAt: at, agent: 'qwen', digest: 'd' } as const;
  const incoming: IncomingHook = { type: 'hook', ...hook, ...HERE, parsed, origin: { pid: 1, ppid: 1, env: {} } };
  const judged = await judge(incoming);
  expect(parsed).toMatchObject({ kind: 'agent.finished', signal: 'finished' });
  expect([judged.byRow?.(null) ?? judged.incoming, judged.before]).toEqual([incoming, undefined]);
  // Once its process has exited, the same file tells of a failure.
  const session = { agent: 'qwen', transcript: file, turnStarted: null };
  expect(await of(session)).toMatchObject({ outcome: 'failed', cause: 'server' });
});
