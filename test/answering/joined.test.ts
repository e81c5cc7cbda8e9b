// Sessions that are joined in their client's own server: asked, answered, answered elsewhere, lost, and what must not reach them.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';
import { type AnsweringService, createAnswering } from '../../src/answering/index.ts';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { sha256 } from '../../src/lib/hash.ts';
import type { Answer } from '../../src/model/question/answering.ts';
import { UserError } from '../../src/model/errors.ts';
import { notificationIdOf } from '../../src/model/ids.ts';
import type { Event } from '../../src/model/event/event.ts';
import type { IncomingHook } from '../../src/model/event/incoming.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import type { Question } from '../../src/model/question/question.ts';
import type { SessionRecord } from '../../src/model/session/session.ts';
import type { Store } from '../../src/store/contract.ts';
import { openStore } from '../../src/store/open.ts';
import { seenOf } from '../../src/model/question/seen.ts';
import { type StandIn, startAppServer } from '../support/app-server.ts';
import { PLAIN_CONFIG } from '../support/decide.ts';
import { OWN_FILES } from '../support/answering.ts';
import { temporaryFolder } from '../support/home.ts';
import { holdsWhileAway } from '../support/held.ts';
import { until } from '../support/wait.ts';

const SESSION = '01a1fd2a-bd1b-7611-8a01-12d780127ad7';
const CLIENT = { pid: 1, start: '1', name: 'codex' };
const COLOUR = {
  id: 'colour',
  header: 'Colour',
  question: 'Which colour should the button have?',
  isOther: true,
  options: [
    { label: 'Blue', description: 'A calm blue' },
    { label: 'Red', description: 'A strong red' },
  ],
};

interface World {
  readonly store: Store;
  readonly server: StandIn;
  readonly home: string;
  answering: AnsweringService;
  installed: boolean;
  /** Its client's process. */
  exited: boolean;
  /** How many run. */
  timers(): number;
  /** As a hook of the session reports it. */
  report(input: Record<string, unknown>): IncomingHook;
  /** The open question, once there is one. */
  asked(): Promise<Question>;
  give(question: Question, answer: Answer): Promise<unknown>;
  state(id: string): Promise<Question | null>;
  /** Another daemon on the same store. */
  restart(): Promise<void>;
}

/** `haste`: its timers are so much faster. */
async function world(haste = 1): Promise<World> {
  const home = temporaryFolder();
  const server = await startAppServer(join(home, '.codex'));
  server.loaded.add(SESSION);
  const store = await openStore(join(temporaryFolder(), 'belfry.db'), { log: () => undefined });
  const timers = new Set<() => void>();
  const setTimer = (ms: number, wake: () => void): (() => void) => {
    const cancel = systemClock.setTimer(ms / haste, () => {
      timers.delete(end);
      wake();
    });
    const end = (): void => {
      timers.delete(end);
      cancel();
    };
    timers.add(end);
    return end;
  };
  const clock = { now: systemClock.now, setTimer };
  const start = (): AnsweringService =>
    createAnswering({
      store,
      clock,
      agents: agentByName,
      files: OWN_FILES,
      place: { home, env: {} },
      config: () => PLAIN_CONFIG,
      redact: (text) => text.replaceAll('hunter2', '***'),
      acknowledge: async () => undefined,
      client: async () => CLIENT,
      exited: async (clients) => (result.exited ? clients : []),
      promptOpen: () => () => undefined,
      log: () => undefined,
      paths: { state: temporaryFolder() },
      isInstalled: async () => result.installed,
    });
  const result: World = {
    store,
    server,
    home,
    installed: true,
    exited: false,
    answering: start(),
    timers: () => timers.size,
    report: (input) => {
      const hook = reported(input);
      result.answering.observe(hook);
      return hook;
    },
    asked: () => until(async () => (await store.questions({ states: ['open'] }))[0], 'an open question'),
    give: (question, answer) =>
      result.answering.answer({
        id: question.id,
        seen: seenOf(question),
        answer,
        answerer: { by: 'ada', via: 'phone' },
      }),
    state: (id) => store.question(id),
    restart: async () => {
      await result.answering.stop();
      result.answering = start();
      await result.answering.start();
    },
  };
  onTestFinished(async () => {
    await result.answering.stop();
    await store.close();
  });
  return result;
}

let entries = 0;

function reported(input: Record<string, unknown>): IncomingHook {
  const raw = JSON.stringify({ session_id: SESSION, turn_id: 't', cwd: '/tmp', ...input });
  const agent = agentByName('codex');
  if (!agent) throw new Error('no such agent');
  const parsed = agent.parse(JSON.parse(raw) as Record<string, unknown>, { event: null, env: {}, abnormalReasons: [] });
  const now = Date.now();
  return {
    type: 'hook',
    entryId: `event-${entries++}`,
    source: 'socket',
    startedAt: now,
    receivedAt: now,
    agent: 'codex',
    ...HERE,
    parsed,
    origin: { pid: 1, ppid: 1, env: {} },
    digest: sha256(raw),
  };
}

const permission = (command = 'touch notes.txt') => ({
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command, description: 'Create the file?' },
});
const stop = { hook_event_name: 'Stop', last_assistant_message: 'All done.', stop_hook_active: false };
const refusal = (error: unknown): string => (error instanceof UserError ? `${error.exit}: ${error.message}` : 'taken');

test('allow: the question shows the whole command under the notification of its hook, and the session is left again', async () => {
  const w = await world();
  const hook = w.report(permission());
  await until(() => w.server.joined() === 1, 'the session to be joined');
  const id = w.server.ask(SESSION, 'touch notes.txt');
  const question = await w.asked();
  expect(question).toMatchObject({
    kind: 'permission',
    notificationId: notificationIdOf(hook.entryId),
    subject: { tool: 'Bash', text: 'touch notes.txt\nreason: Create the file?', cwd: '/tmp', partial: null },
  });
  await w.give(question, { type: 'allow' });
  expect(w.server.answers).toEqual([{ id, result: { decision: 'accept' }, by: 'client' }]);
  expect(await w.state(question.id)).toMatchObject({ state: 'answered', answeredBy: 'ada (phone)' });
  const late = await w.give(question, { type: 'deny', message: null }).catch(refusal);
  expect(late).toContain('answered first');
});

test('deny with a text: declined, and the text goes into the running turn, else it begins one', async () => {
  const w = await world();
  w.report(permission());
  w.server.ask(SESSION, 'touch notes.txt');
  await w.give(await w.asked(), { type: 'deny', message: 'use notes.md instead' });
  expect(w.server.answers).toMatchObject([{ result: { decision: 'decline' } }]);
  const text = [{ type: 'text', text: 'use notes.md instead' }];
  expect(w.server.received.at(-1)).toMatchObject({ method: 'turn/steer', params: { threadId: SESSION, input: text } });
  w.server.ask(SESSION, 'touch other.txt', { turnId: 'over' });
  await w.give(await w.asked(), { type: 'deny', message: 'use notes.md instead' });
  expect(w.server.received.at(-1)).toMatchObject({ method: 'turn/start', params: { threadId: SESSION, input: text } });
});

test('a question: an option, words of one’s own, and a denial that says why', async () => {
  const w = await world();
  w.report({ hook_event_name: 'PreToolUse', tool_name: 'request_user_input', tool_input: { questions: [COLOUR] } });
  for (const [answer, given] of [
    [{ type: 'choose', choices: ['2'] }, ['Red']],
    [{ type: 'choose', choices: ['as green as grass'] }, ['as green as grass']],
    [{ type: 'deny', message: 'ask me tomorrow' }, ['ask me tomorrow']],
    [{ type: 'deny', message: null }, []],
  ] as const satisfies readonly (readonly [unknown, unknown])[]) {
    const id = w.server.question(SESSION, [COLOUR]);
    const question = await w.asked();
    expect(question).toMatchObject({
      kind: 'choice',
      subject: { choices: [{ question: COLOUR.question, options: ['Blue', 'Red'], multiple: false }] },
    });
    await w.give(question, answer as unknown as Answer);
    expect(w.server.answers.at(-1)).toEqual({ id, result: { answers: { colour: { answers: given } } }, by: 'client' });
  }
});

test('answered at the terminal: closed within a second, and a late answer reaches nobody', async () => {
  const w = await world();
  w.report(permission());
  const id = w.server.ask(SESSION, 'touch notes.txt');
  const question = await w.asked();
  const from = Date.now();
  w.server.terminal(id, { decision: 'accept' });
  await until(async () => (await w.state(question.id))?.state === 'closed', 'the question to be closed');
  expect(Date.now() - from).toBeLessThan(1_000);
  expect(await w.state(question.id)).toMatchObject({ closed: 'answered at the terminal' });
  expect(await w.give(question, { type: 'allow' }).catch(refusal)).toContain('5: answered at the terminal');
  expect(w.server.answers).toHaveLength(1);
});

test.each([
  [
    'a denial of what was allowed there',
    { type: 'deny', message: 'use notes.md' },
    'accept',
    'answered at the terminal first',
  ],
  ['a denial of what was stopped there', { type: 'deny', message: null }, 'cancel', 'answered at the terminal first'],
  ['an allow of what was stopped there', { type: 'allow' }, 'cancel', 'the agent did not confirm it'],
] as const)(
  '%s while it was on its way: nobody is told that the agent has it, though its server says only that the request is settled',
  async (_what, answer, decision, says) => {
    const w = await world();
    w.report(permission());
    const id = w.server.ask(SESSION, 'touch notes.txt');
    const question = await w.asked();
    w.server.deaf = true;
    const given = w.give(question, answer).then(() => 'taken', refusal);
    await until(
      () => w.server.received.some((one) => one['id'] === id && 'result' in one),
      'the answer to be on its way',
    );
    w.server.terminal(id, { decision });
    expect(await given).toContain(says);
    expect(await w.state(question.id)).toMatchObject({ state: 'closed', answeredBy: null });
    expect(w.server.received.some(({ method }) => method === 'turn/steer' || method === 'turn/start')).toBe(false);
  },
);

test.each([
  ['in the same words', { answers: { colour: { answers: ['Red'] } } }, true, 'taken'],
  ['otherwise', { answers: { colour: { answers: ['Blue'] } } }, true, 'answered at the terminal first'],
  ['by an Esc', 'aborted', true, 'the agent did not confirm it'],
  ['nobody knows how', { answers: { colour: { answers: ['Red'] } } }, false, 'the agent did not confirm it'],
] as const)(
  'a question that the terminal answers %s while an answer is on its way: what is said of that is what the model reads',
  async (_how, there, tells, says) => {
    const w = await world();
    w.server.tells = tells;
    w.report({ hook_event_name: 'PreToolUse', tool_name: 'request_user_input', tool_input: { questions: [COLOUR] } });
    const id = w.server.question(SESSION, [COLOUR]);
    const question = await w.asked();
    w.server.deaf = true;
    const given = w.give(question, { type: 'choose', choices: ['2'] }).then(() => 'taken', refusal);
    await until(
      () => w.server.received.some((one) => one['id'] === id && 'result' in one),
      'the answer to be on its way',
    );
    w.server.terminal(id, there);
    expect(await given).toContain(says);
    expect(await w.state(question.id)).toMatchObject({ state: says === 'taken' ? 'answered' : 'closed' });
  },
);

test('a command that runs long is called allowed while it runs', async () => {
  const w = await world();
  w.report(permission('npm test'));
  w.server.tells = false;
  w.server.ask(SESSION, 'npm test');
  const question = await w.asked();
  await w.give(question, { type: 'allow' });
  expect(await w.state(question.id)).toMatchObject({ state: 'answered' });
});

test('a hundred races of two ways and the terminal, one winner each', async () => {
  const w = await world();
  const winners: Record<string, number> = {};
  for (let i = 0; i < 100; i++) {
    w.report(permission(`touch ${i}.txt`));
    const id = w.server.ask(SESSION, `touch ${i}.txt`);
    const question = await w.asked();
    const all = [
      () => w.give(question, { type: 'allow' }).then(() => 'allow', refusal),
      () => w.give(question, { type: 'deny', message: null }).then(() => 'deny', refusal),
      // The other two read and write the store first.
      async () => {
        await sleep(i % 8);
        w.server.terminal(id, { decision: 'cancel' });
      },
    ];
    const turned = [...all.slice(i % 3), ...all.slice(0, i % 3)];
    const said = await Promise.all(turned.map((act) => act()));
    const taken = said.filter((word) => word === 'allow' || word === 'deny');
    const [answer] = w.server.answers.filter((one) => one.id === id);
    expect(w.server.answers.filter((one) => one.id === id)).toHaveLength(1);
    const winner = answer?.by === 'terminal' ? 'terminal' : JSON.stringify(answer?.result);
    winners[winner] = (winners[winner] ?? 0) + 1;
    expect(taken).toEqual(answer?.by !== 'client' ? [] : [winner.includes('accept') ? 'allow' : 'deny']);
    await until(async () => (await w.state(question.id))?.state !== 'open', 'the end of the question');
  }
  console.log('winners', winners);
});

test('a restarted daemon joins again, and the same question goes on with its buttons', async () => {
  const w = await world();
  const hook = w.report(permission());
  const id = w.server.ask(SESSION, 'touch notes.txt');
  const question = await w.asked();
  await w.restart();
  await until(() => w.server.joined() === 1, 'the session to be joined again');
  expect(await w.state(question.id)).toMatchObject({ state: 'open', nonce: question.nonce });
  const given = async (): Promise<boolean> => (await w.give(question, { type: 'allow' }).catch(refusal)) !== undefined;
  await until(async () => (await given()) && w.server.answers.length === 1, 'the answer');
  expect(w.server.answers).toEqual([{ id, result: { decision: 'accept' }, by: 'client' }]);
  expect(await w.store.questions({})).toHaveLength(1);
  expect((await w.store.questions({}))[0]?.notificationId).toBe(notificationIdOf(hook.entryId));
});

test('what was shown otherwise before the restart is asked again: its answers and buttons count no more', async () => {
  const w = await world();
  const hook = w.report(permission('touch \u202ea.txt'));
  const id = w.server.ask(SESSION, 'touch \u202ea.txt');
  const {
    version: _version,
    state: _state,
    answer: _answer,
    answeredBy: _by,
    closed: _closed,
    ...row
  } = await w.asked();
  await w.answering.stop();
  // As an earlier version has written it.
  const before = { ...row, id: `qst_${'o'.repeat(24)}`, subject: { ...(row.subject as object), partial: null } };
  await w.store.closeQuestion(row.id, 'for the test');
  await w.store.putQuestion(before);
  await w.restart();
  const again = await until(
    async () => (await w.store.questions({ states: ['open'] })).find((one) => one.id !== before.id),
    'the question that takes its place',
  );
  expect(again).toMatchObject({ subject: row.subject, notificationId: notificationIdOf(hook.entryId) });
  expect(await w.state(before.id)).toMatchObject({ state: 'closed' });
  const old = { ...again, id: before.id, subject: before.subject };
  expect(await w.give(old, { type: 'allow' }).catch(refusal)).toContain('5: the daemon was restarted');
  expect(await w.give(again, { type: 'allow' }).catch(refusal)).toContain('2: it has characters that cannot be seen');
  await w.give(again, { type: 'deny', message: null });
  expect(w.server.answers).toEqual([{ id, result: { decision: 'decline' }, by: 'client' }]);
});

test('what was answered at the terminal while no daemon ran is closed by the next one', async () => {
  const w = await world();
  w.report(permission());
  const id = w.server.ask(SESSION, 'touch notes.txt');
  const question = await w.asked();
  await w.answering.stop();
  w.server.terminal(id, { decision: 'accept' });
  await w.restart();
  await until(async () => (await w.state(question.id))?.state === 'closed', 'the question to be closed');
  expect(await w.state(question.id)).toMatchObject({ closed: 'the daemon was restarted' });
});

test('a connection that breaks is made again, and its question goes on', async () => {
  const w = await world();
  w.report(permission());
  w.server.ask(SESSION, 'touch notes.txt');
  const question = await w.asked();
  w.server.cut();
  await until(() => w.server.joined() === 0, 'the connection to break');
  await until(() => w.server.joined() === 1, 'the session to be joined again');
  await until(
    async () => (await w.give(question, { type: 'allow' }).catch(() => 'not yet')) !== 'not yet',
    'the answer',
  );
  expect(w.server.answers).toMatchObject([{ result: { decision: 'accept' } }]);
});

test('a connection that breaks under an answer: nobody has answered, and what is asked again can be', async () => {
  const w = await world();
  w.report(permission());
  w.server.ask(SESSION, 'touch notes.txt');
  const question = await w.asked();
  w.server.deaf = true;
  const before = w.server.received.length;
  const given = w.give(question, { type: 'allow' }).catch(refusal);
  await until(() => w.server.received.length > before, 'the answer to be sent');
  w.server.cut();
  expect(await given).toBe('5: your answer was sent, but the agent did not confirm it: look at its terminal');
  expect(await w.state(question.id)).toMatchObject({
    state: 'closed',
    closed: 'an answer was sent, but the agent did not confirm it',
    answeredBy: null,
    answer: { type: 'allow', by: 'ada', via: 'phone' },
  });
  w.server.deaf = false;
  await w.give(await w.asked(), { type: 'deny', message: null });
  expect(w.server.answers).toMatchObject([{ result: { decision: 'decline' } }]);
});

/** Looks of this daemon for the session, so far. */
const looks = (server: StandIn): number =>
  server.received.filter(({ method }) => method === 'thread/loaded/list').length;

test('a session that is away for longer than one try is joined again, and its question goes on', async () => {
  const w = await world(5);
  w.report(permission());
  const id = w.server.ask(SESSION, 'touch notes.txt');
  const question = await w.asked();
  const before = looks(w.server);
  w.server.loaded.clear();
  w.server.cut();
  await until(() => looks(w.server) >= before + 4, 'some tries');
  expect(await w.give(question, { type: 'allow' }).catch(refusal)).toContain('try again in a few seconds');
  w.server.loaded.add(SESSION);
  await until(
    async () => (await w.give(question, { type: 'allow' }).catch(() => 'not yet')) !== 'not yet',
    'the answer',
  );
  expect(w.server.answers).toEqual([{ id, result: { decision: 'accept' }, by: 'client' }]);
  expect(await w.store.questions({})).toHaveLength(1);
});

test('what is asked again after its session was away for long belongs to the notification of before', async () => {
  const w = await world(20);
  const hook = w.report(permission());
  const id = w.server.ask(SESSION, 'touch notes.txt');
  const question = await w.asked();
  expect(question.notificationId).toBe(notificationIdOf(hook.entryId));
  w.server.loaded.clear();
  w.server.cut();
  await until(async () => (await w.state(question.id))?.state === 'closed', 'the question to be given up');
  expect(await w.state(question.id)).toMatchObject({ closed: 'its session is gone' });
  w.report(permission('rm other.txt')); // which Codex decided by itself
  w.server.loaded.add(SESSION);
  const again = await w.asked();
  expect(again).not.toMatchObject({ id: question.id });
  expect(again.notificationId).toBe(question.notificationId);
  await w.give(again, { type: 'allow' });
  expect(w.server.answers).toEqual([{ id, result: { decision: 'accept' }, by: 'client' }]);
});

test('a session that is lost again in the moment it is joined is joined once, however it is reported meanwhile', async () => {
  const w = await world(5);
  w.server.cutsJoining = 2;
  w.report(permission());
  await until(() => w.server.cutsJoining === 1 && w.server.connected() === 0, 'the first connection to break');
  w.report(permission());
  await until(() => w.server.cutsJoining === 0 && w.server.connected() === 0, 'the second connection to break');
  w.report(permission());
  await until(() => w.server.joined() === 1, 'the session to be joined');
  const before = looks(w.server);
  w.server.ask(SESSION, 'touch notes.txt');
  await w.asked();
  const plain = await world(5); // one that was never lost
  plain.report(permission());
  plain.server.ask(SESSION, 'touch notes.txt');
  await plain.asked();
  await until(() => w.timers() === plain.timers(), 'no pause to be left over');
  expect(looks(w.server)).toBe(before);
  expect(w.server.connected()).toBe(1);
  expect(await w.store.questions({})).toHaveLength(1);
});

test.each([
  ['it has ended', (w: World) => void w.report({ hook_event_name: 'SessionEnd', reason: 'exit' })],
  [
    'its client has exited',
    (w: World) => {
      w.exited = true;
    },
  ],
])('a lost session is given up when %s', async (_what, happens) => {
  const w = await world(5);
  w.report(permission());
  w.server.ask(SESSION, 'touch notes.txt');
  const question = await w.asked();
  const before = looks(w.server);
  w.server.loaded.clear();
  w.server.cut();
  await until(() => looks(w.server) >= before + 2, 'some tries');
  happens(w);
  await until(async () => (await w.state(question.id))?.state === 'closed', 'the question to be closed');
  await until(() => w.timers() === 0, 'the end of its timers');
});

test('a server that is gone leaves the question to nobody', async () => {
  const w = await world(10);
  w.report(permission());
  w.server.ask(SESSION, 'touch notes.txt');
  const question = await w.asked();
  const from = Date.now();
  await w.server.close();
  await until(async () => (await w.state(question.id))?.state === 'closed', 'the question to be closed');
  expect(Date.now() - from).toBeLessThan(2_000);
  expect(await w.state(question.id)).toMatchObject({ closed: 'its session is gone' });
  expect(await w.give(question, { type: 'allow' }).catch(refusal)).toContain('5: its session is gone');
});

/** What does not become a question, and breaks nothing: one that is asked properly afterwards still does. */
const ODD: readonly (readonly [what: string, act: (server: StandIn) => void])[] = [
  ['no JSON', (server) => server.say('{"method":"item/commandEx')],
  ['a list', (server) => server.say('[1,2,3]')],
  ['null', (server) => server.say('null')],
  ['a method that nobody knows', (server) => server.say('{"id":900,"method":"item/dance/request","params":{}}')],
  [
    'a request without parameters',
    (server) => server.say('{"id":901,"method":"item/commandExecution/requestApproval"}'),
  ],
  ['one of another thread', (server) => server.say(JSON.stringify({ ...request('x'), id: 902 }))],
  ['an id that is an object', (server) => server.say(JSON.stringify({ ...request(SESSION), id: {} }))],
  ['what is typed into a program', (server) => void server.ask(SESSION, 'cat', { kind: 'writeStdin' })],
  ['a kind of tomorrow', (server) => void server.ask(SESSION, 'cat', { kind: 'dance' })],
  ['decisions without accept', (server) => void server.ask(SESSION, 'cat', { availableDecisions: ['cancel'] })],
  ['a command that is too long', (server) => void server.ask(SESSION, 'x'.repeat(80_000))],
  [
    'a file change, whose difference is not told',
    (server) => server.say(JSON.stringify({ ...request(SESSION), id: 903, method: 'item/fileChange/requestApproval' })),
  ],
  ['a question to be answered unseen', (server) => void server.question(SESSION, [{ ...COLOUR, isSecret: true }])],
  ['a question without an id', (server) => void server.question(SESSION, [{ ...COLOUR, id: undefined }])],
  ['two questions with one id', (server) => void server.question(SESSION, [COLOUR, COLOUR])],
  ['no questions', (server) => void server.question(SESSION, [])],
  [
    'eleven options',
    (server) =>
      void server.question(SESSION, [
        { ...COLOUR, options: Array.from({ length: 11 }, (_, i) => ({ label: `${i}` })) },
      ]),
  ],
  [
    'the end of a request that was never made',
    (server) =>
      server.say(JSON.stringify({ method: 'serverRequest/resolved', params: { threadId: SESSION, requestId: 99 } })),
  ],
  ['an answer to a call that was never made', (server) => server.say('{"id":4711,"result":{}}')],
];

const request = (thread: string) => ({
  method: 'item/commandExecution/requestApproval',
  params: { threadId: thread, turnId: 't', itemId: 'i', startedAtMs: 1, command: 'id', cwd: '/' },
});

test('odd messages become no question, and the next proper one does', async () => {
  const w = await world();
  w.report(permission());
  await until(() => w.server.joined() === 1, 'the session to be joined');
  for (const [, act] of ODD) act(w.server);
  w.server.ask(SESSION, 'touch proper.txt');
  const question = await w.asked();
  expect(question.subject).toMatchObject({ text: 'touch proper.txt\nreason: Create the file?' });
  expect(await w.store.questions({})).toHaveLength(1);
  expect(w.server.answers).toEqual([]);
});

test('a message beyond the bound breaks the connection only', async () => {
  const w = await world();
  w.report(permission());
  await until(() => w.server.joined() === 1, 'the session to be joined');
  w.server.say(JSON.stringify({ method: 'item/completed', params: { text: 'x'.repeat(17 * 1024 * 1024) } }));
  await until(() => w.server.joined() === 0, 'the connection to break');
  w.server.ask(SESSION, 'touch notes.txt');
  await w.give(await w.asked(), { type: 'allow' });
});

test('a secret in the command is hidden, and it can be denied only', async () => {
  const w = await world();
  w.report(permission('login hunter2'));
  w.server.ask(SESSION, 'login hunter2');
  const question = await w.asked();
  expect(JSON.stringify(question)).not.toContain('hunter2');
  expect(await w.give(question, { type: 'allow' }).catch(refusal)).toContain('hidden as a secret');
  await w.give(question, { type: 'deny', message: null });
});

test.each([
  [
    'answering is not installed',
    async (w: World) => {
      w.installed = false;
    },
  ],
  ['the session runs in its terminal alone', async (w: World) => void w.server.loaded.clear()],
  ['the folder of the socket is open to others', async (w: World) => chmodSync(join(w.server.socket, '..'), 0o755)],
  ['the folder that it leads to is open to others', async (w: World) => chmodSync(join(w.server.target, '..'), 0o711)],
  ['nobody listens', async (w: World) => w.server.close()],
])('nothing is joined or asked: %s', async (_what, prepare) => {
  const w = await world();
  await prepare(w);
  w.report(permission());
  w.report(stop);
  w.server.ask(SESSION, 'touch notes.txt');
  // Until both have been looked into and left.
  await w.answering.stop();
  expect(w.server.received.filter(({ method }) => method === 'thread/resume')).toEqual([]);
  expect(await w.store.questions({})).toEqual([]);
});

test('a finished session takes a reply, until it goes on', async () => {
  const w = await world();
  const finished = w.report(stop);
  const question = await w.asked();
  expect(question).toMatchObject({ kind: 'text', notificationId: notificationIdOf(finished.entryId) });
  await until(() => w.server.connected() === 0, 'the connection to be left');
  await w.give(question, { type: 'reply', text: '--help\nalso update the docs' });
  const queued = (): readonly unknown[] =>
    w.server.received.filter(({ method }) => method === 'thread/queue/add').map(({ params }) => params);
  const input = [{ type: 'text', text: '--help\nalso update the docs' }];
  expect(queued()).toMatchObject([{ threadId: SESSION, input }]);
  w.report(stop);
  const second = await w.asked();
  w.report({ hook_event_name: 'UserPromptSubmit', prompt: 'go on' });
  await until(async () => (await w.state(second.id))?.state === 'closed', 'the question to be closed');
  expect(await w.give(second, { type: 'reply', text: 'late' }).catch(refusal)).toContain('prompt at its terminal');
  w.report(stop);
  const unsure = await w.asked();
  w.server.deaf = true;
  expect(await w.give(unsure, { type: 'reply', text: 'hello?' }).catch(refusal)).toContain('did not confirm it');
  w.server.deaf = false;
  w.report(stop);
  const refused = await w.asked();
  w.server.refuses = true;
  expect(await w.give(refused, { type: 'reply', text: 'now' }).catch(refusal)).not.toContain('did not confirm it');
  w.server.refuses = false;
  w.report(stop);
  const third = await w.asked();
  w.server.loaded.clear(); // its server has let it go
  expect(await w.give(third, { type: 'reply', text: 'late' }).catch(refusal)).toContain('can no longer be reached');
  expect(queued()).toHaveLength(3);
});

test('while somebody is away a terminal is held for nothing that its server asks beside the prompt', async () => {
  const w = await world();
  const holds = (session: string, tool: string) =>
    holdsWhileAway(w, 'codex', { session_id: session, ...permission(), tool_name: tool });
  // A busy machine's server may answer too late, which counts as no.
  await until(async () => !(await holds(SESSION, 'Bash')), 'it to be asked beside its prompt alone');
  expect(await holds(SESSION, 'apply_patch')).toBe(true);
  expect(await holds('in-its-terminal-alone', 'Bash')).toBe(true);
});

test('a server that does not answer in time does not keep the hook from waiting', async () => {
  const w = await world();
  w.server.silent = true;
  const began = Date.now();
  expect(await holdsWhileAway(w, 'codex', { session_id: SESSION, ...permission(), tool_name: 'Bash' })).toBe(true);
  expect(Date.now() - began).toBeLessThan(4_000); // the server's own patience is five seconds a step
});

test('a session that has failed takes an instruction too, for as long as a limit may last', async () => {
  const w = await world();
  const { store } = w;
  const at = Date.now();
  const failed = { id: 'evidence-1', at, cwd: '/tmp', message: 'Selected model is at capacity.' } as Event;
  const record = { ...HERE, agent: 'codex', sessionId: SESSION, process: CLIENT } as SessionRecord;
  await w.answering.stopped(record, failed);
  const question = await w.asked();
  expect(question).toMatchObject({ kind: 'text', notificationId: notificationIdOf('evidence-1') });
  expect(question.deadline - at).toBeGreaterThan(7 * 86_400_000);
  await w.give(question, { type: 'reply', text: 'continue' });
  expect(w.server.received.filter(({ method }) => method === 'thread/queue/add')).toHaveLength(1);
  // Somebody was there meanwhile.
  await w.answering.stopped(record, { ...failed, id: 'evidence-2', at: at + 1 });
  const second = await w.asked();
  w.report({ hook_event_name: 'UserPromptSubmit', prompt: 'Go on' });
  await until(async () => (await store.question(second.id))?.state === 'closed', 'its end');
  await w.answering.stopped(record, { ...failed, id: 'evidence-3', at: at + 2 });
  await sleep(100);
  expect(await store.questions({ states: ['open'] })).toEqual([]);
});

test('whether there is room is what the service says of its windows, and nothing where it says nothing', async () => {
  const w = await world();
  const session = { ...HERE, agent: 'codex', sessionId: SESSION };
  expect(await w.answering.room(session)).toBe('not asked'); // a provider of one's own
  w.server.account = { type: 'apiKey' };
  expect(await w.answering.room(session)).toBe('not asked');
  w.server.account = { type: 'chatgpt', email: 'dev@example.com', planType: 'plus' };
  expect(await w.answering.room(session)).toBe('unknown');
  const window = (usedPercent: number) => ({ usedPercent, windowDurationMins: 300, resetsAt: 1_795_457_296 });
  const limits = (primary: unknown, more: object = {}) => ({
    rateLimits: { primary, rateLimitReachedType: null },
    ...more,
  });
  w.server.limits = limits(window(93), { ordinaryUsageAllowed: true });
  expect(await w.answering.room(session)).toBe('yes');
  w.server.limits = limits(window(100));
  expect(await w.answering.room(session)).toBe('no');
  w.server.limits = limits(window(12), { ordinaryUsageAllowed: false });
  expect(await w.answering.room(session)).toBe('no');
  w.server.limits = limits(null);
  expect(await w.answering.room(session)).toBe('unknown');
  expect(await w.answering.room({ ...session, agent: 'qwen' })).toBe('not asked');
});
