// The plugin that asks for answers inside a client, as `belfry install` writes it: with a stand-in of the client's own interface, a real socket and a real daemon.
import { listed } from '../support/lists.ts';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seenOf } from '../../src/model/question/seen.ts';
import { answeredOnceAsked, command, openQuestion, questionsIn } from '../support/answering.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { homeWithClient, type InsideClient, startInside } from '../support/inside-client.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

const QUIET = '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n';
let last = 0;
function bus(type: string, properties: Record<string, unknown>) {
  last += 1;
  return { id: `evt_${last}`, type, properties };
}

const asks = (sessionID: string, id: string, command = 'touch notes.txt') =>
  bus('permission.asked', { id, sessionID, permission: 'bash', patterns: [command], metadata: { command } });
const colour = (sessionID: string, id: string) =>
  bus('question.asked', {
    id,
    sessionID,
    questions: [{ question: 'Which colour?', header: 'Colour', options: [{ label: 'Blue' }, { label: 'Red' }] }],
  });
const idle = (sessionID: string) => bus('session.idle', { sessionID });
const busy = (sessionID: string) => bus('session.status', { sessionID, status: { type: 'busy' } });
const created = (id: string, more = {}) => bus('session.created', { sessionID: id, info: { id, ...more } });
const prompts = (sessionID: string) =>
  bus('message.updated', {
    info: { sessionID, role: 'user', agent: 'plan', model: { providerID: 'p', modelID: 'm' } },
  });

/** The client's interface as the plugin knows it; `ways`: what of it this version has. */
const client = (plugin: string, ways: 'all' | 'older'): string => `
const pending = { permission: new Set(), question: new Set() };
const emit = [];
const answered = (kind, id, what) => {
  const known = pending[kind].delete(id);
  if (known) for (const give of emit) give({ id: 'evt_' + Math.random(), type: kind + '.' + what, properties: { requestID: id } });
  return { response: { ok: known, status: known ? 200 : 404 } };
};
const _client = {
  post: async ({ url, body }) => {
    const [, kind, id, how] = url.split('/');
    const result = answered(kind, id, how === 'reject' ? 'rejected' : 'replied');
    report('post', { url, body, ok: result.response.ok });
    return result;
  },
  get: async ({ url }) => { report('get', { url }); return { data: [...pending[url.slice(1)]].map((id) => ({ id })) }; },
};
const client = {
  ${ways === 'all' ? '_client,' : ''}
  postSessionIdPermissionsPermissionId: async (args) => { report('sdk', args); return answered('permission', args.path.permissionID, 'replied'); },
  session: {
    get: async ({ path }) => ({ data: path.id === 'child' ? { parentID: 'parent' } : {} }),
    promptAsync: async (args) => { report('prompt', args); return { response: { ok: true, status: 204 } }; },
  },
};
const { Belfry } = await import(${JSON.stringify(plugin)});
const plugin = await Belfry({ client, directory: process.cwd() });
emit.push((event) => void plugin.event({ event }));
told(async (event) => {
  if (event.type === 'test.settled') for (const open of Object.values(pending)) open.clear();
  if (event.type === 'test.fails') _client.post = client.postSessionIdPermissionsPermissionId = async () => ({ response: { ok: false, status: 500 } });
  if (event.type.startsWith('test.')) return;
  const kind = /^(permission|question)\\.asked$/.exec(event.type)?.[1];
  if (kind) pending[kind].add(event.properties.id);
  const from = performance.now();
  await plugin.event({ event });
  report('took', { ms: performance.now() - from });
});`;

/** A home with the plugin installed by the command line; `events`: told in order. */
async function pluginHome(ways: 'all' | 'older' = 'all', settings = '') {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.toml'), `${QUIET}${settings}`);
  const run = homeWithClient(home, 'opencode', '1.18.33');
  expect(await run('install', 'opencode', '--answer')).toMatchObject({ code: 0 });
  const plugin = join(home, '.config', 'opencode', 'plugin', 'belfry.js');
  // Node takes a file for a module by its name; the client takes every one for it.
  const copy = join(home, 'plugin.mjs');
  writeFileSync(copy, readFileSync(plugin));
  const daemon = await startDaemon(home);
  const start = (argv: readonly string[] = []): Promise<InsideClient> => startInside(home, client(copy, ways), argv);
  return { home, daemon, start, copy };
}

const settled = (home: string, id: string, state: 'closed' | 'answered') =>
  until(async () => (await questionsIn(home)).find((q) => q.id === id && q.state === state), `it to be ${state}`);

test("allow, deny with a text, choose, a text of one's own, and a reply after the finish", async () => {
  const { home, start } = await pluginHome();
  const opencode = await start();
  const answer = async (event: ReturnType<typeof asks>, ...words: readonly string[]) => {
    const before = opencode.calls.length;
    opencode.tell(event);
    const question = await openQuestion(home, 's');
    expect(await belfry(home, ['answer', question.id, ...words, '--wait'])).toMatchObject({ code: 0 });
    const call = await until(
      () => opencode.calls.slice(before).find(({ call: name }) => name === 'post'),
      'the answer in the client',
    );
    await settled(home, question.id, 'answered');
    return { question, ...call.args };
  };
  expect(await answer(asks('s', 'per_1'), 'allow')).toMatchObject({
    question: { subject: { agent: 'opencode', tool: 'bash', text: 'touch notes.txt', partial: null } },
    url: '/permission/per_1/reply',
    body: { reply: 'once' },
    ok: true,
  });
  expect(await answer(asks('s', 'per_2'), 'deny', '--message', 'use notes.md instead')).toMatchObject({
    url: '/permission/per_2/reply',
    body: { reply: 'reject', message: 'use notes.md instead' },
    ok: true,
  });
  expect(await answer(asks('s', 'per_3'), 'deny')).toMatchObject({ body: { reply: 'reject' } });
  expect(await answer(colour('s', 'que_1'), '2')).toMatchObject({
    url: '/question/que_1/reply',
    body: { answers: [['Red']] },
    ok: true,
  });
  expect(await answer(colour('s', 'que_2'), 'as green as grass')).toMatchObject({
    body: { answers: [['as green as grass']] },
  });
  expect(await answer(colour('s', 'que_3'), 'deny')).toMatchObject({ url: '/question/que_3/reject' });
  expect(await answer(colour('s', 'que_4'), 'deny', '--message', 'ask me later')).toMatchObject({
    body: { answers: [['ask me later']] },
  });
  // After the finish, in the mode and with the model of the last prompt.
  for (const event of [created('s'), prompts('s'), busy('s'), idle('s')]) opencode.tell(event);
  await openQuestion(home, 's');
  expect(await belfry(home, ['reply', 's', 'also update the docs'])).toMatchObject({ code: 0 });
  expect((await opencode.called('prompt')).args).toEqual({
    path: { id: 's' },
    body: {
      agent: 'plan',
      model: { providerID: 'p', modelID: 'm' },
      parts: [{ type: 'text', text: 'also update the docs' }],
    },
  });
  // Nothing ever kept the client waiting.
  const took = opencode.calls.filter(({ call }) => call === 'took').map(({ args }) => Number(args['ms']));
  expect(Math.max(...took)).toBeLessThan(250);
});

test('an answer that crosses one at the terminal came too late, and one of which the client says nothing is unconfirmed', async () => {
  const { home, start } = await pluginHome();
  const opencode = await start();
  const cases = [
    [asks('s', 'per_1'), bus('test.settled', {}), 'allow', 'answered at the terminal first'],
    [colour('s', 'que_1'), bus('test.settled', {}), 'red', 'answered at the terminal first'],
    [colour('s', 'que_2'), bus('test.settled', {}), 'deny', 'answered at the terminal first'],
    [asks('s', 'per_2'), bus('test.fails', {}), 'deny', 'the agent did not confirm it: look at its terminal'],
  ] as const;
  for (const [event, then, word, says] of cases) {
    opencode.tell(event);
    const { id } = await openQuestion(home, 's');
    opencode.tell(then);
    const said = await belfry(home, ['answer', id, word]);
    expect([said.code, said.stdout, said.stderr]).toEqual([5, '', expect.stringContaining(says)]);
    expect((await settled(home, id, 'closed')).answeredBy).toBeNull();
  }
});

test('a terminal and somebody elsewhere at the same moment: one of them is first, and how long an answer takes', async () => {
  const { home, start } = await pluginHome();
  const opencode = await start();
  const times: number[] = [];
  for (let i = 0; i < 30; i++) {
    const permissionId = `per_race_${i}`;
    opencode.tell(asks('s', permissionId));
    const question = await openQuestion(home, 's');
    const { id } = question;
    const from = performance.now();
    if (i % 3 !== 0)
      opencode.tell(bus('permission.replied', { sessionID: 's', requestID: permissionId, reply: 'once' }));
    const said = await command(home, 'answer', {
      id,
      seen: seenOf(question),
      answer: { type: 'deny' },
      pid: process.pid,
    });
    const { state } = await until(async () => {
      const found = (await questionsIn(home)).find((q) => q.id === id);
      return found && found.state !== 'open' && found;
    }, 'the question to be over');
    const posts = () => opencode.calls.filter(({ args }) => String(args['url']).includes(`/${permissionId}/`));
    // Whoever answers hears what the question says of it.
    expect([i, said?.error === undefined]).toEqual([i, state === 'answered']);
    // Where nobody was at the terminal the client has it; else at most once, and it knows itself who was first.
    if (i % 3 === 0) {
      await until(() => posts().length > 0, 'the answer in the client');
      times.push(performance.now() - from);
    }
    expect(posts().length).toBeLessThanOrEqual(state === 'answered' ? 1 : 0);
  }
  times.sort((a, b) => a - b);
  console.log(`answer to the client's call: p50 ${times[5]?.toFixed(0)} ms, worst ${times.at(-1)?.toFixed(0)} ms`);
});

test('the question belongs to the notification of the same event, which names it', async () => {
  const { home, start } = await pluginHome();
  const opencode = await start();
  opencode.tell(asks('s', 'per_1'));
  await openQuestion(home, 's');
  const events = async () => await listed<{ id: string; kind: string }[]>(home, ['events', '--session', 's']);
  const waiting = async () => (await events()).find(({ kind }) => kind === 'agent.waiting');
  const { id } = await until(waiting, 'the event');
  expect(await belfry(home, ['answer', id, 'allow'])).toMatchObject({ code: 0 });
  await opencode.called('post');
});

test('a client without the newer interface: permissions by the older call, questions at the terminal', async () => {
  const { home, start } = await pluginHome('older');
  const opencode = await start();
  opencode.tell(colour('s', 'que_1'));
  opencode.tell(asks('s', 'per_1'));
  const { id, kind } = await openQuestion(home, 's');
  expect(kind).toBe('permission');
  expect(await belfry(home, ['answer', id, 'allow'])).toMatchObject({ code: 0 });
  expect((await opencode.called('sdk')).args).toEqual({
    path: { id: 's', permissionID: 'per_1' },
    body: { response: 'once' },
  });
});

/** What happens at the terminal, and why the question is closed. */
const ENDS = [
  [
    'a permission is answered',
    [asks('s', 'per_1')],
    [bus('permission.replied', { sessionID: 's', requestID: 'per_1', reply: 'once' })],
    'answered at the terminal',
  ],
  [
    'a question is answered',
    [colour('s', 'que_1')],
    [bus('question.replied', { sessionID: 's', requestID: 'que_1', answers: [['Red']] })],
    'answered at the terminal',
  ],
  [
    'a question is dismissed',
    [colour('s', 'que_1')],
    [bus('question.rejected', { sessionID: 's', requestID: 'que_1' })],
    'answered at the terminal',
  ],
  [
    'the turn is over',
    [asks('s', 'per_1')],
    [bus('session.error', { sessionID: 's', error: { name: 'MessageAbortedError' } }), idle('s')],
    'answered at the terminal',
  ],
  ['it is prompted after the finish', [busy('s'), idle('s')], [busy('s')], 'it got a prompt at its terminal'],
  [
    'the session is deleted',
    [asks('s', 'per_1')],
    [bus('session.deleted', { sessionID: 's', info: { id: 's' } })],
    'its session ended',
  ],
] as const;

test('what happens at the terminal ends the wait at once, and what comes late is refused', async () => {
  const { home, start } = await pluginHome();
  for (const [what, before, then, why] of ENDS) {
    const opencode = await start();
    for (const event of before) opencode.tell(event);
    const { id } = await openQuestion(home, 's');
    const from = Date.now();
    for (const event of then) opencode.tell(event);
    const { closed } = await settled(home, id, 'closed');
    console.log(`${what}: closed after ${Date.now() - from} ms`);
    expect([what, closed]).toEqual([what, why]);
    const late = await belfry(home, ['answer', id, 'deny']);
    expect([what, late.code]).toEqual([what, 5]);
    expect(opencode.calls.filter(({ call }) => call === 'post')).toEqual([]);
    opencode.process.kill('SIGKILL');
  }
});

test('several at once, in one session and in two: each answer reaches its own', async () => {
  const { home, start } = await pluginHome();
  const [first, second] = [await start(), await start()];
  first.tell(asks('one', 'per_1', 'touch a'));
  first.tell(asks('one', 'per_2', 'touch b'));
  second.tell(asks('two', 'per_3', 'touch c'));
  const open = await until(async () => {
    const all = (await questionsIn(home)).filter(({ state }) => state === 'open');
    return all.length === 3 && all;
  }, 'three questions');
  const by = (text: string) => open.find(({ subject }) => (subject as { text: string }).text === text)?.id ?? '';
  expect(await belfry(home, ['answer', by('touch b'), 'allow'])).toMatchObject({ code: 0 });
  expect(await belfry(home, ['answer', by('touch c'), 'deny'])).toMatchObject({ code: 0 });
  expect((await first.called('post')).args).toMatchObject({ url: '/permission/per_2/reply', body: { reply: 'once' } });
  expect((await second.called('post')).args).toMatchObject({
    url: '/permission/per_3/reply',
    body: { reply: 'reject' },
  });
  expect((await questionsIn(home)).find(({ id }) => id === by('touch a'))?.state).toBe('open');
});

test('the daemon is killed and starts again: what still waits goes on, and what was seen of it before answers it', async () => {
  const { home, start, daemon } = await pluginHome();
  const opencode = await start();
  opencode.tell(asks('s', 'per_1', 'touch first'));
  opencode.tell(asks('s', 'per_2', 'touch second'));
  const before = await until(async () => {
    const all = await questionsIn(home);
    return all.length === 2 && all;
  }, 'two questions');
  await daemon.stop('SIGKILL');
  // One of them is answered at the terminal while nobody listens.
  opencode.tell(bus('permission.replied', { sessionID: 's', requestID: 'per_1', reply: 'once' }));
  await startDaemon(home);
  const of = (text: string) => before.find(({ subject }) => (subject as { text: string }).text === text);
  const [first, second] = [of('touch first'), of('touch second')];
  if (first === undefined || second === undefined) throw new Error('not both were asked');
  await answeredOnceAsked(home, second);
  expect((await settled(home, first.id, 'closed')).closed).toBe('the daemon was restarted');
  expect(await questionsIn(home)).toHaveLength(2);
  expect((await opencode.called('post')).args).toMatchObject({ url: '/permission/per_2/reply' });
  expect(opencode.calls.some(({ call }) => call === 'get')).toBe(true);
});

test('the deadline leaves it to the terminal for good', async () => {
  const { home, start } = await pluginHome('all', '[answer]\nwait = "2s"\n');
  const opencode = await start();
  opencode.tell(asks('s', 'per_1'));
  const { id } = await openQuestion(home, 's');
  expect(await settled(home, id, 'closed')).toMatchObject({ closed: 'the time to answer was over' });
  opencode.tell(bus('permission.replied', { sessionID: 's', requestID: 'per_1', reply: 'once' }));
  opencode.tell(asks('s', 'per_2'));
  await openQuestion(home, 's');
  expect(await questionsIn(home)).toHaveLength(2);
});

test("a one-shot run, a subagent's finish and a turn that failed ask nothing", async () => {
  const { home, start } = await pluginHome();
  const once = await start(['run', 'make the file']);
  once.tell(asks('once', 'per_1'));
  once.tell(idle('once'));
  const opencode = await start();
  for (const event of [
    idle('child'),
    busy('failed'),
    bus('session.error', { sessionID: 'failed', error: {} }),
    idle('failed'),
  ])
    opencode.tell(event);
  opencode.tell(idle('last'));
  await openQuestion(home, 'last');
  expect((await questionsIn(home)).map(({ sessionKey }) => sessionKey.split('/').at(-1))).toEqual(['last']);
});

test('the client is killed: the question is closed', async () => {
  const { home, start } = await pluginHome();
  const opencode = await start();
  opencode.tell(asks('s', 'per_1'));
  const { id } = await openQuestion(home, 's');
  opencode.process.kill('SIGKILL');
  expect(await settled(home, id, 'closed')).toMatchObject({ closed: 'the agent no longer waits' });
});

test('without a daemon, or with Belfry gone, the client has its events and nothing else, and may exit', async () => {
  const { home, start, daemon, copy } = await pluginHome();
  await daemon.stop();
  const opencode = await start();
  for (const event of [asks('s', 'per_1'), idle('s')]) opencode.tell(event);
  await until(() => opencode.calls.filter(({ call }) => call === 'took').length === 2, 'both events');
  const exited = new Promise((resolve) => opencode.process.once('exit', resolve));
  opencode.process.stdin?.end();
  expect(await exited).toBe(0);
  writeFileSync(copy, readFileSync(copy, 'utf8').replaceAll('belfry-ask.mjs', 'gone.mjs'));
  const later = await start();
  later.tell(asks('s', 'per_2'));
  await later.called('took');
  expect(existsSync(pathsBelow(home).daemonLog)).toBe(true);
});

test('install and uninstall: without --answer the file is as it was, and every trace goes', async () => {
  const home = temporaryFolder();
  const run = homeWithClient(home, 'opencode', '1.18.33');
  const folder = join(home, '.config', 'opencode');
  mkdirSync(folder, { recursive: true });
  const plugin = join(folder, 'plugin', 'belfry.js');
  expect(await run('install', 'opencode')).toMatchObject({ code: 0 });
  const plain = readFileSync(plugin, 'utf8');
  expect(plain).not.toContain('belfry-ask');
  expect(await run('install', 'opencode', '--answer')).toMatchObject({ code: 0 });
  const answering = readFileSync(plugin, 'utf8');
  expect(answering).toContain('belfry-ask.mjs');
  const doctor = await run('doctor');
  expect(doctor.stdout).toMatch(/opencode: installed in .* can be answered from elsewhere/);
  expect(await run('install', 'opencode')).toMatchObject({ code: 0 }); // an update keeps it
  expect(readFileSync(plugin, 'utf8')).toBe(answering);
  writeFileSync(plugin, answering.replace('SESSIONS = 200', 'SESSIONS = 300'));
  expect((await run('doctor')).stdout).toMatch(/opencode: outdated hooks/);
  expect(await run('install', 'opencode', '--no-answer')).toMatchObject({ code: 0 });
  expect(readFileSync(plugin, 'utf8')).toBe(plain);
  expect(await run('install', 'opencode', '--answer')).toMatchObject({ code: 0 });
  expect(await run('uninstall', 'opencode')).toMatchObject({ code: 0 });
  expect([existsSync(plugin), existsSync(join(folder, 'plugin')), existsSync(folder)]).toEqual([false, false, true]);
  const old = homeWithClient(home, 'opencode', '1.2.0');
  const refused = await old('install', 'opencode', '--answer');
  expect([refused.code, refused.stdout + refused.stderr]).toEqual([
    0,
    expect.stringContaining('version 1.2.0 is too old'),
  ]);
  expect(readFileSync(plugin, 'utf8')).toBe(plain);
  rmSync(plugin);
});
