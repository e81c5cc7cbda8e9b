// Answers through the socket and the command line: the first one wins, and nothing forged, late or wrong reaches a hook.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newId } from '../../src/ipc/id.ts';
import { seenOf } from '../../src/model/question/seen.ts';
import {
  command,
  type Conversation,
  openQuestion,
  permission,
  questionsIn,
  startAsk,
  startWaiting,
  stop,
  waitAsHook,
} from '../support/answering.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { submitInput } from '../support/submit.ts';
import { until } from '../support/wait.ts';

const ALLOWED = '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}';

/** A daemon that notifies nobody. */
async function daemonHome(settings = '') {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.toml'), `[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n${settings}`);
  return { home, daemon: await startDaemon(home) };
}

const named = (question: Awaited<ReturnType<typeof openQuestion>>) => ({ id: question.id, seen: seenOf(question) });

/** What a waiting hook has got so far: nothing, or its last line. */
async function got(talk: Conversation): Promise<unknown> {
  const line = await talk.next();
  return line?.data ?? null;
}

test('allow and deny through the hook program; the second one hears who was first; how long it takes', async () => {
  const { home } = await daemonHome();
  const times: number[] = [];
  for (let i = 0; i < 11; i++) {
    const session = `session-${i}`;
    const { ended, question } = await startWaiting(home, permission(session));
    const from = performance.now();
    const answer = i % 2 === 0 ? { type: 'allow' } : { type: 'deny', message: 'use notes.md' };
    await command(home, 'answer', { ...named(question), answer });
    const ran = await ended;
    times.push(performance.now() - from);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      hookSpecificOutput: {
        decision: i % 2 === 0 ? { behavior: 'allow' } : { behavior: 'deny', message: 'use notes.md' },
      },
    });
    if (i > 0) continue;
    const late = await belfry(home, ['answer', question.id, 'deny']);
    expect([late.code, late.stderr]).toEqual([5, expect.stringMatching(/\(command line\) answered first/)]);
  }
  times.sort((a, b) => a - b);
  console.log(`answer to the hook's exit: p50 ${times[5]?.toFixed(1)} ms, worst ${times.at(-1)?.toFixed(1)} ms`);
});

test('a reply ends with the private status, and only from the hook that was installed for it', async () => {
  const { home } = await daemonHome();
  const { ended } = await startWaiting(home, stop('s-1'), ['--agent', 'claude', '--reply']);
  await hook(home, JSON.stringify(stop('s-1')), ['--agent', 'claude']);
  expect(await belfry(home, ['reply', 's-1', 'also update\nthe docs'])).toMatchObject({ code: 0 });
  expect(await ended).toMatchObject({ code: 42, stdout: '', stderr: 'also update\nthe docs' });
  expect(await startAsk(home, JSON.stringify(stop('s-2')), ['--agent', 'claude']).ended).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '',
  });
  expect(await startAsk(home, JSON.stringify(permission('s-2')), ['--agent', 'claude', '--reply']).ended).toMatchObject(
    { code: 0, stderr: '' },
  );
  expect(await questionsIn(home)).toHaveLength(1);
});

interface PendingRow {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly session_id: string | null;
  readonly question: { readonly id: string } | null;
}

test('every open question is listed and can be answered by its id: one of no notification, two of one session', async () => {
  const { home } = await daemonHome();
  const listed = async (): Promise<readonly PendingRow[]> =>
    JSON.parse((await belfry(home, ['pending', '--json'])).stdout) as PendingRow[];
  const own = await waitAsHook(home, permission('both'));
  const helper = await waitAsHook(home, { ...permission('both', 'npm test'), agent_id: 'a1', agent_type: 'helper' });
  await until(async () => (await questionsIn(home)).length === 2, 'both questions');
  const rows = await listed();
  expect(rows.map(({ kind, session_id, title }) => [kind, session_id, title]).sort()).toEqual([
    ['agent.waiting', 'both', 'claude: Bash: npm test'],
    ['agent.waiting', 'both', 'claude: Bash: touch notes.txt'],
  ]);
  expect((await belfry(home, ['pending'])).stdout).toContain('touch notes.txt');
  expect((await belfry(home, ['status'])).stdout).toContain('2 open; `belfry pending` lists them');
  for (const { id, question } of rows) {
    expect(id).toBe(question?.id);
    expect(await belfry(home, ['answer', id, 'allow'])).toMatchObject({ code: 0 });
  }
  for (const talk of [own, helper]) expect(await got(talk)).toEqual({ stdout: ALLOWED });
  expect(await listed()).toEqual([]);
});

test('what an answer must not be: none of these reaches a hook', async () => {
  const { home } = await daemonHome();
  const input = permission('target');
  const talk = await waitAsHook(home, input);
  const other = await waitAsHook(home, permission('other', 'rm -rf build'));
  const idle = await waitAsHook(home, stop('idle'));
  const [target, otherOne, reply] = await Promise.all(
    ['target', 'other', 'idle'].map((name) => openQuestion(home, name)),
  );
  if (!target || !otherOne || !reply) throw new Error('no questions');
  const good = { ...named(target), answer: { type: 'allow' } };
  const cases: readonly (readonly [what: string, args: object | string])[] = [
    ['no arguments', {}],
    ['no id', { ...good, id: undefined }],
    ['an unknown id', { ...good, id: 'qst_000000000000000000000000' }],
    ['an id cut short', { ...good, id: target.id.slice(0, 12) }],
    ['an id with more', { ...good, id: `${target.id}x` }],
    ['an id in another case', { ...good, id: target.id.toUpperCase() }],
    ['an id of SQL', { ...good, id: "' OR 1=1 --" }],
    ['an id that is a list', { ...good, id: [target.id] }],
    ['an id that is an object', { ...good, id: { $ne: null } }],
    ['nothing seen', { ...good, seen: undefined }],
    ['an empty text seen', { ...good, seen: '' }],
    ['a guess', { ...good, seen: 'A'.repeat(22) }],
    ['another question seen', { ...good, seen: seenOf(otherOne) }],
    ['what was seen cut short', { ...good, seen: good.seen.slice(0, -1) }],
    ['what was seen with more', { ...good, seen: `${good.seen}A` }],
    ['what was seen as true', { ...good, seen: true }],
    ['another command seen', { ...good, seen: seenOf({ ...target, subject: otherOne.subject }) }],
    ['the input of another question seen', { ...good, seen: seenOf({ ...target, inputHash: otherOne.inputHash }) }],
    ['what an earlier version sent', { ...good, seen: undefined, nonce: target.nonce, inputHash: target.inputHash }],
    ['no answer', { ...good, answer: undefined }],
    ['an answer that is null', { ...good, answer: null }],
    ['an answer that is a text', { ...good, answer: 'allow' }],
    ['an unknown answer', { ...good, answer: { type: 'always' } }],
    ['allow with an edited input', { ...good, answer: { type: 'allow', updatedInput: { command: 'id' } } }],
    ['allow with rules', { ...good, answer: { type: 'allow', updatedPermissions: [] } }],
    ['deny with an empty message', { ...good, answer: { type: 'deny', message: ' ' } }],
    ['deny with control characters only', { ...good, answer: { type: 'deny', message: '\u0000\u001b' } }],
    ['deny with a message that is an object', { ...good, answer: { type: 'deny', message: {} } }],
    ['deny with a message of 20,000 characters', { ...good, answer: { type: 'deny', message: 'x'.repeat(20_000) } }],
    ['a choice for a permission', { ...good, answer: { type: 'choose', choices: ['1'] } }],
    ['a reply for a permission', { ...good, answer: { type: 'reply', text: 'go on' } }],
    ['allow for a finished session', { ...named(reply), answer: { type: 'allow' } }],
    ['an empty reply', { ...named(reply), answer: { type: 'reply', text: '\n\t ' } }],
    ['a reply of 20,000 characters', { ...named(reply), answer: { type: 'reply', text: 'x'.repeat(20_000) } }],
    ['another question with what was seen of this', { ...good, id: otherOne.id }],
    ['no process', `${JSON.stringify({ v: 1, op: 'answer', args: good })}\n`],
    ['a process of the wrong kind', `${JSON.stringify({ v: 1, op: 'answer', args: good, pid: 'self' })}\n`],
    ['process 0', `${JSON.stringify({ v: 1, op: 'answer', args: good, pid: 0 })}\n`],
    ['__proto__', '{"v":1,"op":"answer","args":{"__proto__":{"id":"x"}}}\n'],
    ['a command cut short', '{"v":1,"op":"answer","args":{"id":"x"\n'],
    ['a command of another version', '{"v":2,"op":"answer","args":{}}\n'],
    ['an operation that is not there', '{"v":1,"op":"answers","args":{}}\n'],
  ];
  expect(cases.length).toBeGreaterThanOrEqual(40);
  for (const [what, args] of cases) {
    const line = typeof args === 'string' ? await raw(home, args) : await command(home, 'answer', args);
    expect([what, line === null || line.error !== undefined]).toEqual([what, true]);
  }
  expect((await questionsIn(home)).map(({ state }) => state)).toEqual(['open', 'open', 'open']);
  // All three still wait, and the right one gets its own answer.
  expect((await command(home, 'answer', good))?.error).toBeUndefined();
  expect(await got(talk)).toEqual({ stdout: ALLOWED });
  expect((await command(home, 'answer', good))?.exit).toBe(5); // replayed
  // Asked once more with the very same words: the answer of before is none to it.
  const again = await waitAsHook(home, input);
  await openQuestion(home, 'target');
  expect((await command(home, 'answer', good))?.exit).toBe(5);
  for (const one of [other, idle, again]) one.close();
  await until(async () => (await questionsIn(home)).every(({ state }) => state !== 'open'), 'all to be closed');
  expect(readFileSync(pathsBelow(home).daemonLog, 'utf8')).toContain('an answer was refused');
});

async function raw(home: string, text: string) {
  const { converse } = await import('../support/answering.ts');
  const talk = converse(home);
  talk.send(text);
  const line = (await talk.next()) as { error?: string; ok?: boolean } | null;
  talk.close();
  return line?.ok === false ? null : line;
}

test('more answers in a minute than a person gives are refused', async () => {
  const { home } = await daemonHome();
  const talk = await waitAsHook(home, permission('one'));
  const question = await openQuestion(home, 'one');
  const guess = { ...named(question), seen: 'guessed', answer: { type: 'allow' } };
  const exits: unknown[] = [];
  for (let i = 0; i < 80; i++) exits.push((await command(home, 'answer', guess))?.exit);
  expect([exits[0], exits.at(-1)]).toEqual([5, 6]);
  talk.close();
});

test('a secret that was hidden cannot be allowed from elsewhere, only denied', async () => {
  const { home } = await daemonHome();
  const talk = await waitAsHook(
    home,
    permission('s', 'curl -H "Authorization: Bearer sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG" x'),
  );
  const question = await openQuestion(home, 's');
  expect(JSON.stringify(question)).not.toContain('abcdefghijklmnopqrstuvwxyz');
  const allowed = await belfry(home, ['answer', question.id, 'allow']);
  expect([allowed.code, allowed.stderr]).toEqual([
    2,
    expect.stringContaining('hidden as a secret: allow it at the terminal'),
  ]);
  expect(await belfry(home, ['answer', question.id, 'deny'])).toMatchObject({ code: 0 });
  expect(String(((await got(talk)) as { stdout: string }).stdout)).toContain('deny');
});

/** What a session's next inputs say of an open permission prompt, and of a finished turn. */
const NEXT: readonly (readonly [
  what: string,
  first: 'permission' | 'stop',
  next: Record<string, unknown>,
  ends: boolean,
])[] = [
  [
    'its tool has run',
    'permission',
    { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command: 'touch notes.txt' } },
    true,
  ],
  [
    'its tool has failed',
    'permission',
    { hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', tool_input: { command: 'touch notes.txt' } },
    true,
  ],
  [
    'another tool has run beside it',
    'permission',
    { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command: 'sleep 1' } },
    false,
  ],
  [
    'the tool of a subagent has run',
    'permission',
    { hook_event_name: 'PostToolUse', agent_id: 'a1', tool_name: 'Bash', tool_input: { command: 'touch notes.txt' } },
    false,
  ],
  ['it asks for something else', 'permission', permission('', 'ls /'), true],
  ['a subagent asks', 'permission', { ...permission('', 'ls /'), agent_id: 'a1' }, false],
  [
    'the reminder of the client',
    'permission',
    {
      hook_event_name: 'Notification',
      notification_type: 'permission_prompt',
      message: 'Claude needs your permission',
    },
    false,
  ],
  ['a prompt', 'permission', { hook_event_name: 'UserPromptSubmit', prompt: 'go on' }, true],
  ['its turn is over', 'permission', { hook_event_name: 'Stop' }, true],
  ['its session ended', 'permission', { hook_event_name: 'SessionEnd', reason: 'clear' }, true],
  ['a prompt after the finish', 'stop', { hook_event_name: 'UserPromptSubmit', prompt: 'go on' }, true],
  ['the session is cleared', 'stop', { hook_event_name: 'SessionEnd', reason: 'clear' }, true],
  [
    'the reminder that it is idle',
    'stop',
    { hook_event_name: 'Notification', notification_type: 'idle_prompt', message: 'Claude is waiting' },
    false,
  ],
  ['the finish of a background turn', 'stop', { hook_event_name: 'Stop', last_assistant_message: 'again' }, true],
];

test('what the session does next ends a wait, or does not', async () => {
  const { home } = await daemonHome();
  for (const [at, [what, first, next, ends]] of NEXT.entries()) {
    const session = `next-${at}`;
    const talk = await waitAsHook(home, first === 'stop' ? stop(session) : permission(session));
    const question = await openQuestion(home, session);
    await hook(home, JSON.stringify({ ...next, session_id: session, cwd: '/tmp' }), ['--agent', 'claude']);
    await hook(home, JSON.stringify({ ...stop('mark'), session_id: `mark-${at}` }), ['--agent', 'claude']);
    await until(
      async () => (await belfry(home, ['events', '--session', `mark-${at}`, '--json'])).stdout.includes('mark-'),
      'the mark',
    );
    const { state, closed } = (await questionsIn(home)).find(({ id }) => id === question.id) ?? {};
    expect([what, state === 'closed']).toEqual([what, ends]);
    if (ends) expect(await got(talk)).toEqual({ left: closed });
    talk.close();
  }
});

test('a hook that left just before its tool is reported was answered at the terminal', async () => {
  const { home } = await daemonHome();
  const session = 'order';
  const talk = await waitAsHook(home, permission(session));
  const question = await openQuestion(home, session);
  talk.close();
  const ran = { ...permission(session), hook_event_name: 'PostToolUse' };
  expect(await submitInput(pathsBelow(home).socket, newId(Date.now()), ran)).toBe(true);
  const closed = () => questionsIn(home).then((all) => all.find(({ id }) => id === question.id)?.closed ?? null);
  expect(await until(closed, 'the question to be closed')).toBe('answered at the terminal');
});

test('a restart closes what was open: an answer to it is refused', async () => {
  const { home, daemon } = await daemonHome();
  const { ended, question } = await startWaiting(home, permission('s'));
  await daemon.stop('SIGKILL');
  expect(await ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
  const down = await belfry(home, ['answer', question.id, 'allow']);
  expect([down.code, down.stderr]).toEqual([7, expect.stringContaining('not running')]);
  const { stop: end } = await startDaemon(home);
  const late = await belfry(home, ['answer', question.id, 'allow']);
  expect([late.code, late.stderr]).toEqual([5, expect.stringContaining('only its terminal can answer now')]);
  // A clean stop lets the hooks leave as well.
  const second = await startWaiting(home, permission('t'));
  await end();
  expect(await second.ended).toMatchObject({ code: 0, stdout: '' });
  expect((await questionsIn(home)).map(({ state }) => state)).toEqual(['closed', 'closed']);
});

test('settings decide what may be answered', async () => {
  const { home } = await daemonHome('[answer]\nkinds = ["question"]\n');
  const input = {
    ...permission('s'),
    tool_name: 'AskUserQuestion',
    tool_input: { questions: [{ question: 'Which?', options: [{ label: 'Blue' }, { label: 'Red' }] }] },
  };
  expect(await startAsk(home, JSON.stringify(permission('p')), ['--agent', 'claude']).ended).toMatchObject({
    code: 0,
    stdout: '',
  });
  const talk = await waitAsHook(home, input);
  await openQuestion(home, 's');
  expect(await belfry(home, ['answer', 's', 'red'])).toMatchObject({ code: 4 }); // no event of that session is known
  const question = await openQuestion(home, 's');
  expect(await belfry(home, ['answer', question.id.slice(0, 10), 'red', '--wait'])).toMatchObject({ code: 0 });
  expect(JSON.parse(String(((await got(talk)) as { stdout: string }).stdout))).toMatchObject({
    hookSpecificOutput: { decision: { behavior: 'allow', updatedInput: { answers: { 'Which?': 'Red' } } } },
  });
  talk.close();
});

test('away ends by itself or by back', async () => {
  const { home } = await daemonHome();
  const shown = async (...args: string[]) =>
    JSON.parse((await belfry(home, [...args, '--json'])).stdout) as Record<string, unknown>;
  expect(await shown('away', '30m')).toMatchObject({ away: true });
  expect(await shown('back')).toEqual({ away: false, was: true });
  expect(await shown('back')).toEqual({ away: false, was: false });
  expect(await belfry(home, ['away', '13h'])).toMatchObject({ code: 2 });
});

test('an agent answers nothing: refused below its process, by the command and by the daemon', async () => {
  const { home } = await daemonHome();
  const talk = await waitAsHook(home, permission('s'));
  const question = await openQuestion(home, 's');
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const { run, bareEnv, BELFRY } = await import('../support/programs.ts');
  const { copyFileSync } = await import('node:fs');
  copyFileSync('/bin/sh', join(bin, 'claude'));
  const { chmodSync } = await import('node:fs');
  chmodSync(join(bin, 'claude'), 0o755);
  for (const words of [`answer ${question.id} allow`, 'reply s hello', 'away']) {
    const ran = await run(
      join(bin, 'claude'),
      ['-c', `"${process.execPath}" "${BELFRY}" ${words}; exit $?`],
      bareEnv(home),
    );
    expect([words, ran.code, ran.stderr]).toEqual([words, 3, expect.stringContaining('an agent (claude)')]);
  }
  expect((await questionsIn(home))[0]?.state).toBe('open');
  expect(existsSync(join(home, 'spool'))).toBe(true);
  talk.close();
});

/** Clients whose hooks hold the terminal, what they ask with, and the forms that they were seen to take. */
const HOLDING: readonly (readonly [
  agent: string,
  input: Record<string, unknown>,
  given: readonly (readonly [answer: object, printed: unknown])[],
])[] = [
  ...['codex', 'qwen'].map(
    (agent) =>
      [
        agent,
        permission(`${agent}-1`),
        [
          [
            { type: 'allow' },
            { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } },
          ],
          [
            { type: 'deny', message: 'use notes.md' },
            {
              hookSpecificOutput: {
                hookEventName: 'PermissionRequest',
                decision: { behavior: 'deny', message: 'use notes.md' },
              },
            },
          ],
        ],
      ] as const,
  ),
  [
    'droid',
    stop('droid-1'),
    [
      [
        { type: 'reply', text: 'also the docs' },
        { decision: 'block', reason: 'also the docs' },
      ],
    ],
  ],
];

test.each(HOLDING)(
  '%s is held only while somebody is away, and let go when they are back',
  async (agent, input, given) => {
    const { home } = await daemonHome();
    const args = ['--agent', agent];
    const silent = { code: 0, stdout: '', stderr: '' };
    expect(await startAsk(home, JSON.stringify(input), args).ended).toMatchObject(silent);
    expect(await questionsIn(home)).toEqual([]);
    expect((await belfry(home, ['away', '30m'])).code).toBe(0);
    expect((await belfry(home, ['status'])).stdout).toMatch(/^away {5}until .*; `belfry back` ends it$/m);
    for (const [answer, printed] of given) {
      const { ended, question } = await startWaiting(home, input, args);
      expect(question.deadline).toBeLessThanOrEqual(Date.now() + 30 * 60_000);
      await command(home, 'answer', { ...named(question), answer });
      const ran = await ended;
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(ran.stdout)).toEqual(printed);
    }
    const last = await startWaiting(home, input, args);
    expect((await belfry(home, ['back'])).code).toBe(0);
    expect((await belfry(home, ['status'])).stdout).not.toMatch(/^away/m);
    expect(await last.ended).toMatchObject(silent);
    expect(await startAsk(home, JSON.stringify(input), args).ended).toMatchObject(silent);
  },
);
