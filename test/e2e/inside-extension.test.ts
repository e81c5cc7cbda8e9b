// The extension that asks for answers inside a client, as `belfry install` writes it: with a stand-in of the client's SDK, a real socket and a real daemon.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answeredOnceAsked, openQuestion, questionsIn } from '../support/answering.ts';
import { temporaryFolder } from '../support/home.ts';
import { homeWithClient, type InsideClient, startInside } from '../support/inside-client.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

const QUIET = '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n';

/** As the client's SDK behaves: an event for what is asked, a call to answer it, an event when it is settled. */
const SDK = `
export async function joinSession(config) {
  const { report, told, interactive } = globalThis;
  const listeners = [];
  const pending = new Map();
  let fails = false;
  const emit = (event) => { for (const listen of listeners) listen(event); };
  const settle = (kind, { requestId, result }) => {
    if (fails) throw new Error('the connection is closed');
    const known = pending.delete(requestId);
    report(kind, { requestId, result, known });
    if (known) setImmediate(() => emit({ type: kind + '.completed', data: { requestId } }));
    return { success: known };
  };
  report('joined', { handles: typeof config.onPermissionRequest });
  told(async (event) => {
    if (/requested$/.test(event.type)) pending.set(event.data.requestId, event);
    if (/completed$/.test(event.type)) pending.delete(event.data.requestId);
    if (event.type === 'test.settled') return void pending.delete(event.data.requestId);
    if (event.type === 'test.fails') fails = true;
    if (event.type === 'permission.requested' && config.onPermissionRequest) report('handled', await config.onPermissionRequest(event.data.permissionRequest));
    emit(event);
  });
  return {
    sessionId: 's',
    capabilities: { ui: { elicitation: interactive } },
    on: (listen) => void listeners.push(listen),
    send: async (args) => report('send', args),
    rpc: {
      permissions: {
        handlePendingPermissionRequest: async (args) => settle('permission', args),
        pendingRequests: async () => ({ items: [...pending.keys()].map((requestId) => ({ requestId })) }),
      },
      ui: { handlePendingElicitation: async (args) => settle('elicitation', args) },
    },
  };
}
`;

const SHELL = {
  kind: 'shell',
  toolCallId: 'call_1',
  fullCommandText: 'touch notes.txt',
  intention: 'Create a file',
  canOfferSessionApproval: true,
  commands: [],
  possiblePaths: [],
  possibleUrls: [],
  hasWriteFileRedirection: false,
};
const asks = (requestId: string, request: Record<string, unknown> = SHELL, more: Record<string, unknown> = {}) => ({
  type: 'permission.requested',
  id: `e-${requestId}`,
  data: { requestId, permissionRequest: request, ...more },
});
const COLOUR = { type: 'string', title: 'Colour', enum: ['Blue', 'Red'] };
const form = (requestId: string, properties: Record<string, unknown> = { colour: COLOUR }, mode = 'form') => ({
  type: 'elicitation.requested',
  data: { requestId, message: 'Which colour?', mode, requestedSchema: { type: 'object', properties } },
});
const completed = (kind: string, requestId: string) => ({ type: `${kind}.completed`, data: { requestId } });
const SAID = { type: 'assistant.message', data: { content: 'All done.' } };
const IDLE = { type: 'session.idle', data: {} };
const PROMPT = { type: 'user.message', data: { content: 'go on' } };

async function extensionHome() {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.toml'), QUIET);
  const run = homeWithClient(home, 'copilot', '1.0.102');
  const installed = await run('install', 'copilot', '--answer');
  expect(installed).toMatchObject({ code: 0 });
  expect(installed.stdout + installed.stderr).toContain('copilot --experimental');
  const sdk = join(home, 'node_modules', '@github', 'copilot-sdk');
  mkdirSync(sdk, { recursive: true });
  writeFileSync(join(sdk, 'package.json'), '{"type":"module","exports":{"./extension":"./extension.js"}}');
  writeFileSync(join(sdk, 'extension.js'), SDK);
  const file = join(home, '.copilot', 'extensions', 'belfry', 'extension.mjs');
  const daemon = await startDaemon(home);
  const start = (interactive = true): Promise<InsideClient> =>
    startInside(
      home,
      `Object.assign(globalThis, { report, told, interactive: ${interactive} });\nawait import(${JSON.stringify(file)});`,
    );
  return { home, daemon, start, file };
}

test('an answer that crosses one at the terminal came too late, and one of which the client says nothing is unconfirmed', async () => {
  const { home, start } = await extensionHome();
  const copilot = await start();
  const cases = [
    [asks('p1'), { type: 'test.settled', data: { requestId: 'p1' } }, 'allow', 'answered at the terminal first'],
    [form('f1'), { type: 'test.settled', data: { requestId: 'f1' } }, 'red', 'answered at the terminal first'],
    [asks('p2'), { type: 'test.fails', data: {} }, 'allow', 'the agent did not confirm it: look at its terminal'],
  ] as const;
  for (const [event, then, word, says] of cases) {
    copilot.tell(event);
    const { id } = await openQuestion(home, 's');
    copilot.tell(then);
    const said = await belfry(home, ['answer', id, word]);
    expect([said.code, said.stdout, said.stderr]).toEqual([5, '', expect.stringContaining(says)]);
    expect((await settled(home, id)).answeredBy).toBeNull();
  }
});

const settled = (home: string, id: string) =>
  until(async () => (await questionsIn(home)).find((q) => q.id === id && q.state === 'closed'), 'it to be closed');

test('allow, deny with a text, choose, decline, and a reply after the finish', async () => {
  const { home, start } = await extensionHome();
  const copilot = await start();
  expect((await copilot.called('joined')).args).toEqual({ handles: 'function' });
  const answer = async (event: { readonly data: { readonly requestId: string } }, ...words: readonly string[]) => {
    copilot.tell(event);
    const question = await openQuestion(home, 's');
    expect(await belfry(home, ['answer', question.id, ...words, '--wait'])).toMatchObject({ code: 0 });
    const { requestId } = event.data;
    const call = await until(
      () => copilot.calls.find(({ args }) => args['requestId'] === requestId),
      'the answer in the client',
    );
    return { subject: question.subject, ...call.args };
  };
  expect(await answer(asks('p1'), 'allow')).toMatchObject({
    subject: { tool: 'shell', text: 'touch notes.txt\nintention: Create a file', partial: null },
    result: { kind: 'approve-once' },
  });
  // The client's own dialog is left as it is all the while.
  expect((await copilot.called('handled')).args).toEqual({ kind: 'no-result' });
  expect(await answer(asks('p2'), 'deny', '--message', 'use notes.md instead')).toMatchObject({
    result: { kind: 'reject', feedback: 'use notes.md instead' },
  });
  expect(await answer(form('f1'), 'red')).toMatchObject({ result: { action: 'accept', content: { colour: 'Red' } } });
  const fields = {
    sure: { type: 'boolean', title: 'Sure?' },
    many: { type: 'array', title: 'Which ones?', items: { type: 'string', enum: ['a', 'b', 'c'] } },
    size: { type: 'integer', title: 'How many?' },
    place: {
      type: 'string',
      title: 'Where?',
      oneOf: [
        { const: 'eu', title: 'Europe' },
        { const: 'us', title: 'America' },
      ],
    },
  };
  copilot.tell(form('f2', fields));
  const { id } = await openQuestion(home, 's');
  const { stdout: listed } = await belfry(home, ['pending']);
  expect(listed).toMatch(/│ Which colour\?\n +│\n +│ \S/); // what the form says above its fields
  const wrong = await belfry(home, ['answer', id, 'yes', '1,3', 'a dozen', 'Europe']);
  expect(wrong.stderr).toContain('answer 3 of 4 takes a whole number (nothing was sent)');
  expect(wrong.code).toBe(2);
  expect(await answer(form('f2', fields), 'yes', '1,3', '12', 'Europe')).toMatchObject({
    result: { action: 'accept', content: { sure: true, many: ['a', 'c'], size: 12, place: 'eu' } },
  });
  expect(await answer(form('f3'), 'deny', '--message', 'ask me later')).toMatchObject({
    result: { action: 'decline' },
  });
  expect((await copilot.called('send')).args).toEqual({ prompt: 'ask me later' });
  for (const event of [PROMPT, SAID, IDLE]) copilot.tell(event);
  const idle = await openQuestion(home, 's');
  expect(idle).toMatchObject({ kind: 'text', subject: { text: 'All done.' } });
  expect(await belfry(home, ['reply', idle.id, 'also update the docs'])).toMatchObject({ code: 0 });
  await until(() => copilot.calls.some(({ args }) => args['prompt'] === 'also update the docs'), 'the prompt');
});

test('the question belongs to the notification of its session and moment', async () => {
  const { home, start } = await extensionHome();
  const copilot = await start();
  copilot.tell(asks('p1'));
  const input = {
    sessionId: 's',
    timestamp: Date.now(),
    cwd: '/tmp',
    message: 'Run a command',
    title: 'Permission needed',
    notification_type: 'permission_prompt',
  };
  await hook(home, JSON.stringify(input), ['--agent', 'copilot', '--event', 'notification']);
  const { notificationId } = await openQuestion(home, 's');
  expect(await belfry(home, ['answer', notificationId, 'allow'])).toMatchObject({ code: 0 });
  await copilot.called('permission');
});

const ENDS = [
  ['a permission is answered', [asks('p1')], [completed('permission', 'p1')], 'answered at the terminal'],
  ['a form is answered', [form('f1')], [completed('elicitation', 'f1')], 'answered at the terminal'],
  ['the turn is over', [asks('p1')], [{ type: 'session.idle', data: { aborted: true } }], 'answered at the terminal'],
  ['it is prompted after the finish', [IDLE], [PROMPT], 'it got a prompt at its terminal'],
  ['the session ends', [asks('p1')], [{ type: 'session.shutdown', data: {} }], 'its session ended'],
] as const;

test('what happens at the terminal ends the wait at once, and what comes late is refused', async () => {
  const { home, start } = await extensionHome();
  for (const [what, before, then, why] of ENDS) {
    const copilot = await start();
    for (const event of before) copilot.tell(event);
    const { id, kind } = await openQuestion(home, 's');
    for (const event of then) copilot.tell(event);
    expect([what, (await settled(home, id)).closed]).toEqual([what, why]);
    const late = await belfry(home, kind === 'text' ? ['reply', id, 'go on'] : ['answer', id, 'deny']);
    expect([what, late.code]).toEqual([what, 5]);
    expect(copilot.calls.filter(({ call }) => /^(permission|elicitation|send)$/.test(call))).toEqual([]);
    copilot.process.kill('SIGKILL');
  }
});

test('what is not for elsewhere is left to the terminal', async () => {
  const { home, start } = await extensionHome();
  const once = await start(false);
  once.tell(asks('once'));
  once.tell(IDLE);
  const copilot = await start();
  const events = [
    asks('own', { kind: 'extension-permission-access', extensionName: 'user:belfry' }),
    asks('managed', { ...SHELL, managedApprovalRequired: true }),
    asks('hooked', SHELL, { resolvedByHook: true }),
    form('url', { colour: COLOUR }, 'url'),
    form('odd', { colour: { type: 'object' } }),
    { type: 'session.idle', agentId: 'a1', data: {} },
    { type: 'session.idle', data: { aborted: true } },
  ];
  for (const event of events) copilot.tell(event);
  const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new';
  copilot.tell({ ...asks('last', { kind: 'write', fileName: '/tmp/x', diff, newFileContents: 'new' }), agentId: 'a1' });
  const last = await openQuestion(home, 's');
  expect(last.subject).toMatchObject({ tool: 'write', subagent: 'a1', text: `/tmp/x\n${diff}` });
  expect(await questionsIn(home)).toHaveLength(1);
});

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'the daemon ends by %s and starts again: what still waits goes on, and what was seen of it before answers it',
  async (signal) => {
    const { home, start, daemon } = await extensionHome();
    const copilot = await start();
    copilot.tell(asks('p1'));
    const first = await openQuestion(home, 's');
    await daemon.stop(signal);
    await startDaemon(home);
    await answeredOnceAsked(home, first);
    expect(await questionsIn(home)).toHaveLength(1);
    expect((await copilot.called('permission')).args).toMatchObject({ requestId: 'p1', known: true });
  },
);

test('with Belfry gone the extension handles nothing', async () => {
  const { start, file } = await extensionHome();
  writeFileSync(file, readFileSync(file, 'utf8').replace('belfry-ask.mjs', 'gone.mjs'));
  const copilot = await start();
  expect((await copilot.called('joined')).args).toEqual({ handles: 'undefined' });
  copilot.tell(asks('p1'));
  expect(copilot.process.exitCode).toBeNull();
});

test('install and uninstall: without --answer no file differs, and every trace goes', async () => {
  const home = temporaryFolder();
  const run = homeWithClient(home, 'copilot', '1.0.102');
  const folder = join(home, '.copilot');
  mkdirSync(folder);
  const hooks = join(folder, 'hooks', 'belfry.json');
  const extension = join(folder, 'extensions', 'belfry', 'extension.mjs');
  expect(await run('install', 'copilot')).toMatchObject({ code: 0 });
  const plain = readFileSync(hooks, 'utf8');
  expect([existsSync(extension), existsSync(join(folder, 'extensions'))]).toEqual([false, false]);
  expect(await run('install', 'copilot', '--answer')).toMatchObject({ code: 0 });
  const answering = readFileSync(extension, 'utf8');
  expect([readFileSync(hooks, 'utf8'), answering.includes('belfry-ask.mjs')]).toEqual([plain, true]);
  expect((await run('doctor')).stdout).toMatch(
    /Copilot: installed in .* can be answered from elsewhere when started with --experimental,/,
  );
  expect(await run('install', 'copilot')).toMatchObject({ code: 0 }); // an update keeps it
  writeFileSync(extension, `${answering}\n`);
  expect((await run('doctor')).stdout).toMatch(/Copilot: outdated or missing hooks for answers/);
  expect(await run('install', 'copilot')).toMatchObject({ code: 0 });
  expect(readFileSync(extension, 'utf8')).toBe(answering);
  expect(await run('install', 'copilot', '--no-answer')).toMatchObject({ code: 0 });
  expect([existsSync(join(folder, 'extensions')), readFileSync(hooks, 'utf8')]).toEqual([false, plain]);
  expect(await run('install', 'copilot', '--answer')).toMatchObject({ code: 0 });
  expect(await run('uninstall', 'copilot')).toMatchObject({ code: 0 });
  expect([existsSync(hooks), existsSync(join(folder, 'extensions')), existsSync(folder)]).toEqual([false, false, true]);
  // A file of that name that is somebody else's is not touched.
  mkdirSync(join(folder, 'extensions', 'belfry'), { recursive: true });
  writeFileSync(extension, 'mine\n');
  const refused = await run('install', 'copilot', '--answer');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('was not written by belfry')]);
  expect(existsSync(hooks)).toBe(false);
  expect(await run('uninstall', 'copilot')).toMatchObject({ code: 0 });
  expect(readFileSync(extension, 'utf8')).toBe('mine\n');
});
