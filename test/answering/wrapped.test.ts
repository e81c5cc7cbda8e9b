// Clients that `belfry run` has started, by their two files: what an answer becomes, and which requests are still asked.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';
import { type AnsweringService, createAnswering } from '../../src/answering/index.ts';
import { announceWrapped, makeWrappedFiles } from '../../src/ipc/wrapped-client.ts';
import { WrappedSession } from '../../src/answering/sources/wrapped/wrapped-session.ts';
import { createBackground } from '../../src/lib/async/background.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { sha256 } from '../../src/lib/hash.ts';
import type { Answer } from '../../src/model/question/answering.ts';
import { holdsWhileAway } from '../support/held.ts';
import { UserError } from '../../src/model/errors.ts';
import type { IncomingHook } from '../../src/model/event/incoming.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import type { Event } from '../../src/model/event/event.ts';
import type { SessionRecord } from '../../src/model/session/session.ts';
import { notificationIdOf } from '../../src/model/ids.ts';
import type { Question } from '../../src/model/question/question.ts';
import type { Store } from '../../src/store/contract.ts';
import { openStore } from '../../src/store/open.ts';
import { seenOf } from '../../src/model/question/seen.ts';
import { PLAIN_CONFIG } from '../support/decide.ts';
import { NO_FILES } from '../support/answering.ts';
import { temporaryFolder } from '../support/home.ts';
import { until } from '../support/wait.ts';

const SESSION = 's-1';

interface World {
  readonly store: Store;
  readonly answers: string;
  answering: AnsweringService;
  /** As the client writes it. */
  say(...lines: readonly unknown[]): void;
  /** As a hook of the session reports it. */
  report(input: Record<string, unknown>): void;
  /** The open question about this command, once there is one. */
  asked(command: string): Promise<Question>;
  /** `taken`, or why not. */
  give(question: Question, answer: Answer): Promise<string>;
  /** Another daemon on the same store. */
  restart(): Promise<void>;
}

/** `haste`: its timers are so much faster. */
async function world(haste = 1): Promise<World> {
  const paths = { state: temporaryFolder() };
  const files = makeWrappedFiles(paths);
  if (typeof files === 'string') throw new Error(files);
  const store = await openStore(join(temporaryFolder(), 'belfry.db'), { log: () => undefined });
  const { now, setTimer } = systemClock;
  const clock = { now, setTimer: (ms: number, run: () => void) => setTimer(ms / haste, run) };
  const start = (): AnsweringService =>
    createAnswering({
      store,
      clock,
      agents: agentByName,
      files: NO_FILES,
      place: { home: '/nowhere', env: {} },
      paths,
      config: () => PLAIN_CONFIG,
      redact: (text) => text,
      acknowledge: async () => undefined,
      client: async () => null,
      exited: async () => [],
      promptOpen: () => () => undefined,
      log: () => undefined,
      isInstalled: async () => false,
    });
  announceWrapped(files, 'qwen', process.pid);
  const result: World = {
    store,
    answers: files.answers,
    answering: start(),
    say: (...lines) => appendFileSync(files.events, lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    report: (input) => result.answering.observe(reported(input)),
    asked: (command) =>
      until(
        async () =>
          (await store.questions({ states: ['open'] })).find(({ subject }) => Object(subject).text === command),
        `a question about ${command}`,
      ),
    give: (question, answer) =>
      result.answering
        .answer({ id: question.id, seen: seenOf(question), answer, answerer: { by: 'ada', via: 'phone' } })
        .then(
          () => 'taken',
          (error: unknown) => {
            if (!(error instanceof UserError)) throw error;
            return error.message;
          },
        ),
    restart: async () => {
      await result.answering.stop();
      result.answering = start();
      await result.answering.start();
    },
  };
  await result.answering.start();
  onTestFinished(async () => {
    await result.answering.stop();
    await store.close();
  });
  return result;
}

let entries = 0;

function reported(input: Record<string, unknown>): IncomingHook {
  const raw = JSON.stringify({ session_id: SESSION, cwd: '/tmp', ...input });
  const agent = agentByName('qwen');
  if (!agent) throw new Error('no such agent');
  const parsed = agent.parse(JSON.parse(raw) as Record<string, unknown>, { event: null, env: {}, abnormalReasons: [] });
  const now = Date.now();
  return {
    type: 'hook',
    entryId: `event-${entries++}`,
    source: 'socket',
    startedAt: now,
    receivedAt: now,
    agent: 'qwen',
    ...HERE,
    parsed,
    origin: { pid: 1, ppid: 1, env: {} },
    digest: sha256(raw),
  };
}

const started = { type: 'system', subtype: 'session_start', session_id: SESSION };
const asks = (id: string, command: string) => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'can_use_tool', tool_name: 'run_shell_command', tool_use_id: 'call', input: { command } },
});
const settled = (id: string, allowed: boolean) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: id, response: { allowed } },
});

test.each([
  {
    is: 'the terminal was first',
    happens: (w: World) => w.say(settled('r-1', false)),
    said: 'it was answered at the terminal first: your answer came too late',
    closed: 'answered at the terminal',
  },
  {
    is: 'the client says nothing',
    haste: 20,
    happens: () => undefined,
    said: 'your answer was sent, but the agent did not confirm it: look at its terminal',
    closed: 'an answer was sent, but the agent did not confirm it',
  },
  {
    is: 'the file of the answers is gone',
    before: (w: World) => rmSync(w.answers),
    happens: () => undefined,
    said: 'the agent left at that moment: only its terminal can answer now (nothing was sent)',
    closed: 'the agent no longer waits',
  },
])('an answer that is not taken counts for nobody: $is', async ({ haste, before, happens, said, closed }) => {
  const w = await world(haste);
  w.say(started, asks('r-1', 'touch notes.txt'));
  const question = await w.asked('touch notes.txt');
  before?.(w);
  const given = w.give(question, { type: 'allow' });
  if (before === undefined) await until(() => readFileSync(w.answers, 'utf8') !== '', 'the answer in its file');
  happens(w);
  expect(await given).toBe(said);
  expect(await w.store.question(question.id)).toMatchObject({
    state: 'closed',
    closed,
    answeredBy: null,
    answer: { type: 'allow', by: 'ada', via: 'phone' },
  });
  expect(await w.give(question, { type: 'allow' })).toContain(closed);
});

test('what a client has asked that exits while its file is read is not asked', async () => {
  const files = makeWrappedFiles({ state: temporaryFolder() });
  const wrapping = agentByName('qwen')?.wrapping;
  if (typeof files === 'string' || wrapping === undefined) throw new Error('no such client');
  writeFileSync(files.events, `${JSON.stringify(started)}\n${JSON.stringify(asks('r-1', 'touch notes.txt'))}\n`);
  const own = { pid: process.pid, start: null };
  const asked: string[] = [];
  const gone: (string | null)[] = [];
  const session = new WrappedSession(
    { ...files, agent: 'qwen', wrapper: own, client: own },
    {
      ...wrapping,
      read: (line) => {
        rmSync(files.events, { force: true });
        return wrapping.read(line);
      },
    },
    {
      clock: systemClock,
      background: createBackground(() => undefined),
      log: () => undefined,
      questions: {
        ask: ({ digest }) => {
          asked.push(digest);
          return null;
        },
        now: Date.now,
        giveUp: () => undefined,
      },
      gone: (why) => void gone.push(why),
    },
  );
  expect(await session.start()).toBeNull();
  expect([asked, gone]).toEqual([[], [null]]);
});

const prompted = (text: string) => ({
  type: 'user',
  uuid: 'u',
  session_id: SESSION,
  parent_tool_use_id: null,
  message: { role: 'user', content: [{ type: 'text', text }] },
});
const toolResult = {
  type: 'user',
  uuid: 'u',
  session_id: SESSION,
  parent_tool_use_id: null,
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'other', is_error: false, content: 'done' }] },
};

const finished = { hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'Done.' };

test.each([
  { is: 'its events show it', happens: (w: World) => w.say(prompted('go on\nwith it ')), said: 'taken' },
  {
    is: 'its hook reports it',
    happens: (w: World) => w.report({ hook_event_name: 'UserPromptSubmit', prompt: 'go on\nwith it' }),
    said: 'taken',
  },
  {
    is: 'another prompt is shown',
    haste: 20,
    happens: (w: World) => {
      w.say(prompted('go on'));
      w.report({ hook_event_name: 'UserPromptSubmit', prompt: 'go on' });
    },
    said: 'your answer was sent, but the agent did not confirm it: look at its terminal',
  },
  {
    is: 'nothing is shown',
    haste: 20,
    happens: () => undefined,
    said: 'your answer was sent, but the agent did not confirm it: look at its terminal',
  },
])('a reply counts as taken once the client shows it as its prompt: $is', async ({ haste, happens, said }) => {
  const w = await world(haste);
  w.say(started, asks('r-1', 'touch notes.txt'));
  await w.asked('touch notes.txt'); // so its session is known
  w.report(finished);
  const question = await w.asked('Done.');
  const given = w.give(question, { type: 'reply', text: 'go on\nwith it' });
  await until(() => readFileSync(w.answers, 'utf8').includes('"submit"'), 'the reply in its file');
  happens(w);
  expect(await given).toBe(said);
  expect((await w.store.question(question.id))?.answeredBy).toBe(said === 'taken' ? 'ada (phone)' : null);
});

test.each([
  { is: 'shown', haste: 1, said: 'taken' },
  {
    is: 'not shown',
    haste: 20,
    said: 'your answer was sent, but the agent did not confirm it: look at its terminal',
  },
])('the text of a denial is its next prompt: $is', async ({ haste, said }) => {
  const w = await world(haste);
  w.say(started, asks('r-1', 'touch notes.txt'));
  const given = w.give(await w.asked('touch notes.txt'), { type: 'deny', message: 'use notes.md' });
  await until(() => readFileSync(w.answers, 'utf8') !== '', 'the denial in its file');
  w.say(settled('r-1', false));
  await until(() => readFileSync(w.answers, 'utf8').includes('"submit"'), 'its text');
  if (said === 'taken') w.say(prompted('use notes.md'));
  expect(await given).toBe(said);
});

test('requests that were denied at the terminal, of which the client says nothing, leave room for others', async () => {
  const w = await world();
  w.say(started);
  for (let i = 0; i < 25; i++) {
    w.say(asks(`r-${i}`, `touch ${i}.txt`));
    const { id } = await w.asked(`touch ${i}.txt`);
    w.report({ hook_event_name: 'UserPromptSubmit', prompt: 'something else' });
    await until(async () => (await w.store.question(id))?.state === 'closed', 'the end of the question');
  }
});

test.each([
  ['a prompt', prompted('something else'), []],
  ['another session', { ...started, session_id: 's-2' }, []],
  ['the result of another tool', toolResult, ['touch before.txt']],
])('a request before %s', async (_what, line, stillAsked) => {
  const w = await world();
  await w.answering.stop();
  w.say(started, asks('r-1', 'touch before.txt'), line, asks('r-2', 'touch after.txt'));
  await w.restart();
  await w.asked('touch after.txt');
  const asked = (await w.store.questions({ states: ['open'] })).map(({ subject }): unknown => Object(subject).text);
  expect(asked.sort()).toEqual(['touch after.txt', ...stillAsked]);
});

test('a prompt ends what was asked before, also without a hook that says so', async () => {
  const w = await world();
  w.say(started, asks('r-1', 'touch notes.txt'));
  const { id } = await w.asked('touch notes.txt');
  w.say(prompted('something else'));
  await until(async () => (await w.store.question(id))?.state === 'closed', 'the end of the question');
  expect(await w.store.question(id)).toMatchObject({ closed: 'answered at the terminal' });
});

test('an idle notice without a finish, after Esc, ends what was asked', async () => {
  const w = await world();
  w.say(started, asks('r-1', 'touch notes.txt'));
  const { id } = await w.asked('touch notes.txt');
  w.report({
    hook_event_name: 'Notification',
    notification_type: 'idle_prompt',
    message: 'Qwen is waiting for your input',
  });
  await until(async () => (await w.store.question(id))?.state === 'closed', 'the end of the question');
  expect(await w.store.question(id)).toMatchObject({ closed: 'answered at the terminal' });
});

test('what was answered while no daemon ran is over at the next one, and the rest goes on', async () => {
  const w = await world();
  w.say(started, asks('r-1', 'touch first.txt'), asks('r-2', 'touch second.txt'));
  const first = await w.asked('touch first.txt');
  const second = await w.asked('touch second.txt');
  await w.answering.stop();
  w.say(settled('r-1', true));
  const began = Date.now();
  await w.restart();
  await until(async () => (await w.store.question(first.id))?.state === 'closed', 'the end of the question');
  expect(Date.now() - began).toBeLessThan(10_000); // not the time after which a session that is lost is given up
  expect(await w.give(second, { type: 'reply', text: 'no answer to it' })).not.toBe('taken');
  expect(await w.store.question(second.id)).toMatchObject({ state: 'open', nonce: second.nonce });
  const given = w.give(second, { type: 'allow' });
  await until(() => readFileSync(w.answers, 'utf8') !== '', 'the answer in its file');
  w.say(settled('r-2', true));
  expect(await given).toBe('taken');
  expect(await w.store.questions({})).toHaveLength(2);
});

test('after /clear the next daemon too knows whose question it is: it goes on, with its buttons', async () => {
  const w = await world();
  const next = { ...prompted('something else'), session_id: 's-2' };
  w.say(started, prompted('begin'), next, asks('r-1', 'touch notes.txt'));
  const question = await w.asked('touch notes.txt');
  expect(question.sessionKey).toMatch(/s-2$/);
  await w.restart();
  const isAskedAgain = async (): Promise<boolean> =>
    !(await w.give(question, { type: 'reply', text: 'no answer to it' })).includes('try again');
  await until(isAskedAgain, 'the question to be asked again');
  expect(await w.store.question(question.id)).toMatchObject({ state: 'open', nonce: question.nonce });
  const given = w.give(question, { type: 'allow' });
  await until(() => readFileSync(w.answers, 'utf8') !== '', 'the answer in its file');
  w.say(settled('r-1', true));
  expect(await given).toBe('taken');
  expect(await w.store.questions({})).toHaveLength(1);
});

test('while somebody is away its terminal is held for nothing that is asked beside its prompt', async () => {
  const w = await world();
  w.say(started, asks('r-1', 'touch notes.txt'));
  await w.asked('touch notes.txt');
  const holds = (session: string, tool: string) =>
    holdsWhileAway(w, 'qwen', {
      session_id: session,
      hook_event_name: 'PermissionRequest',
      tool_name: tool,
      tool_input: { command: 'touch notes.txt' },
    });
  expect(await holds(SESSION, 'run_shell_command')).toBe(false);
  expect(await holds(SESSION, 'exit_plan_mode')).toBe(true);
  expect(await holds('s-of-another-terminal', 'run_shell_command')).toBe(true);
});

test('a session that has failed takes an instruction, which it shows as its prompt', async () => {
  const w = await world();
  w.say(started, asks('r-1', 'touch notes.txt'));
  await w.asked('touch notes.txt'); // so its session is known
  const failed = { id: 'failed-1', at: Date.now(), cwd: '/tmp', message: '503 Overloaded' } as Event;
  const record = { ...HERE, agent: 'qwen', sessionId: SESSION, process: null } as SessionRecord;
  await w.answering.stopped(record, failed);
  const question = await w.asked('503 Overloaded');
  expect(question.notificationId).toBe(notificationIdOf('failed-1'));
  const given = w.give(question, { type: 'reply', text: 'continue' });
  await until(() => readFileSync(w.answers, 'utf8').includes('"submit"'), 'the instruction in its file');
  w.say(prompted('continue'));
  expect(await given).toBe('taken');
  await w.answering.stopped({ ...record, sessionId: 'another' }, { ...failed, id: 'failed-2' });
  expect((await w.store.questions({ states: ['open'] })).map(({ kind }) => kind)).not.toContain('text');
});
