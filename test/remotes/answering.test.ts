// Answering agents on machines elsewhere by a real sshd: the named question only, the first answer only, and the prompt back when the link is gone.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openQuestion, questionsIn, stop } from '../support/answering.ts';
import {
  type ClientName,
  clientPrograms,
  type FarMachine,
  farFolder,
  farMachine,
  SETTINGS,
  untilState,
} from '../support/far-machine.ts';
import { until } from '../support/wait.ts';

const EXIT = { refused: 5 };
const ALLOWED = '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}';
const NOTHING = { code: 0, stdout: '', stderr: '' };
const asks = (session: string, command = 'touch notes.txt') => ({
  session_id: session,
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command },
  cwd: '/srv/api',
  transcript_path: '/etc/hostname',
});

/** With these clients there, answered from here. Null, and said so, where there is no sshd. */
async function answered(...clients: ClientName[]): Promise<FarMachine | null> {
  const far = await farMachine({ path: `${clientPrograms()}:${process.env['PATH'] ?? ''}` });
  if (far === null) {
    console.log('sshd is needed (openssh-server)');
    return null;
  }
  await far.daemon();
  const named = clients.flatMap((name) => ['--agent', name]);
  const { code, stdout, stderr } = await far.belfry('remote', 'add', 'box', '--yes', '--answer', ...named);
  expect([code, stdout], stderr).toEqual([0, expect.stringMatching(/You can answer .* on box from here\./)]);
  return far;
}
/** What still waits there, or would be taken by somebody. */
const left = (far: FarMachine): string[] =>
  ['asks', 'answers'].flatMap((name) => readdirSync(join(farFolder(far), name)));

test('allowed, denied and told what next, from here; removed byte for byte', async () => {
  const far = await answered('claude');
  if (far === null) return;
  expect(readFileSync(join(far.own, 'config.toml'), 'utf8')).toMatch(/\[remotes\.box\]\nssh = "box"\nanswer = true/);
  const allowed = far.asks('PermissionRequest', asks('s1'));
  const denied = far.asks('PermissionRequest', asks('s2'));
  const [first, second] = [await openQuestion(far.own, 's1'), await openQuestion(far.own, 's2')];
  expect((await far.belfry('pending')).stdout).toMatch(/on box[\s\S]*touch notes\.txt/);
  expect(await far.belfry('answer', first.id, 'allow')).toMatchObject({ code: 0 });
  expect(await allowed.over()).toEqual({ ...NOTHING, stdout: ALLOWED });
  expect(denied.isOver()).toBe(false);
  expect(await far.belfry('answer', second.id, 'deny', '--message', 'grün, nicht "rot"')).toMatchObject({ code: 0 });
  const { decision } = (JSON.parse((await denied.over()).stdout) as { hookSpecificOutput: { decision: object } })
    .hookSpecificOutput;
  expect(decision).toEqual({ behavior: 'deny', message: 'grün, nicht "rot"' });
  // The second answer comes too late.
  expect((await far.belfry('answer', first.id, 'deny')).code).toBe(EXIT.refused);
  const finished = far.asks('Stop', stop('s1'));
  await openQuestion(far.own, 's1');
  expect(await far.belfry('reply', 's1', 'also update the docs')).toMatchObject({ code: 0 });
  expect(await finished.over()).toEqual({ code: 2, stdout: '', stderr: 'also update the docs' });
  expect(left(far)).toEqual([]);
  expect((await far.belfry('remote', 'check', 'box')).stdout).toContain('Claude: can be answered from here');
  expect(await far.belfry('remote', 'remove', 'box')).toMatchObject({ code: 0 });
  expect(readFileSync(join(far.home, '.claude', 'settings.json'), 'utf8')).toBe(SETTINGS);
  expect(existsSync(join(far.home, '.local/share/belfry'))).toBe(false);
});

test('a lost link: refused while it lasts, the same question afterwards; what happened there meanwhile counts', async () => {
  const far = await answered('claude');
  if (far === null) return;
  const [kept, atTerminal] = [far.asks('PermissionRequest', asks('s1')), far.asks('PermissionRequest', asks('s2'))];
  const [question, other] = [await openQuestion(far.own, 's1'), await openQuestion(far.own, 's2')];
  far.proxy.refuse(true);
  far.proxy.cut();
  await untilState(far, 'waiting');
  expect(await far.belfry('answer', question.id, 'allow')).toMatchObject({ code: EXIT.refused });
  expect(kept.isOver()).toBe(false);
  // Its person says yes at the terminal there.
  const ran = { ...asks('s2'), hook_event_name: 'PostToolUse', tool_response: {} };
  expect(await far.hook('PostToolUse', ran)).toMatchObject({ code: 0 });
  far.proxy.refuse(false);
  await untilState(far, 'connected');
  expect(await atTerminal.over()).toEqual(NOTHING);
  const closed = await until(
    async () => (await questionsIn(far.own)).find(({ id, state }) => id === other.id && state === 'closed'),
    'the other question to be over',
  );
  expect(closed.closed).toBe('answered at the terminal');
  expect(await far.belfry('answer', question.id, 'allow')).toMatchObject({ code: 0 });
  expect(await kept.over()).toEqual({ ...NOTHING, stdout: ALLOWED });
});

test('a client that takes its question back, one that is killed, and a daemon that stops', async () => {
  const far = await answered('claude');
  if (far === null) return;
  const over = (id: string): Promise<unknown> =>
    until(async () => (await questionsIn(far.own)).some((q) => q.id === id && q.state === 'closed'), 'its end');
  const escaped = far.asks('PermissionRequest', asks('s1'));
  const first = await openQuestion(far.own, 's1');
  escaped.kill('hooks');
  await over(first.id);
  const killed = far.asks('PermissionRequest', asks('s2'));
  const second = await openQuestion(far.own, 's2');
  killed.kill('client');
  await over(second.id);
  await killed.over();
  const waits = far.asks('PermissionRequest', asks('s3'));
  await openQuestion(far.own, 's3');
  await far.belfry('stop');
  expect(await waits.over()).toEqual(NOTHING);
  expect(left(far)).toEqual([]);
});

test('forged words and answers there reach no other question, and no other user has a way in', async () => {
  const far = await answered('claude');
  if (far === null) return;
  const waits = far.asks('PermissionRequest', asks('s1'));
  const question = await openQuestion(far.own, 's1');
  const folder = farFolder(far);
  for (const name of ['', 'asks', 'answers', 'spool', 'run']) expect(statSync(join(folder, name)).mode & 0o77).toBe(0);
  const [pid = ''] = readdirSync(join(folder, 'asks'));
  expect(statSync(join(folder, 'asks', pid)).mode & 0o77).toBe(0);
  // An answer that does not know the word, and words of hooks that were never asked.
  writeFileSync(join(folder, 'answers', pid), '00000000-0000-4000-8000-000000000000 +{}\n');
  process.kill(Number(pid), 'SIGURG');
  for (const [i, says] of ['taken', 'left', 'ask-again', 'nonsense'].entries())
    writeFileSync(
      join(folder, 'spool', `99999${i}.open`),
      `{"v":1,"agent":"claude","event":"belfry-ask/${says}/00000000-0000-4000-8000-00000000000${i}","ppid":1,"env":{}}\n{}\n#end 99999${i}\n`,
    );
  await until(() => readdirSync(join(folder, 'answers')).length === 0, 'the forged answer to go');
  await far.hook('Notification', { ...asks('s2'), hook_event_name: 'Notification', message: 'after them' });
  await until(async () => (await far.events('s2')).length > 0, 'what came after them');
  expect(waits.isOver()).toBe(false);
  expect((await questionsIn(far.own)).map(({ state }) => state)).toEqual(['open']);
  expect(await far.belfry('answer', question.id, 'allow')).toMatchObject({ code: 0 });
  expect(await waits.over()).toEqual({ ...NOTHING, stdout: ALLOWED });
});

test('clients whose terminal is held meanwhile: only while you are away, and no longer than the link lasts', async () => {
  const far = await answered('codex', 'qwen', 'droid');
  if (far === null) return;
  const [codex, qwen, droid] = ['.codex/hooks.json', '.qwen/settings.json', '.factory/settings.json'];
  expect(await far.asks('PermissionRequest', asks('q0'), qwen).over()).toEqual(NOTHING);
  expect(await far.belfry('away', '10m')).toMatchObject({ code: 0 });
  const allowed = far.asks('PermissionRequest', asks('q1'), qwen);
  const question = await openQuestion(far.own, 'q1');
  expect(await far.belfry('answer', question.id, 'allow')).toMatchObject({ code: 0 });
  expect(await allowed.over()).toEqual({ ...NOTHING, stdout: ALLOWED });
  const finished = far.asks('Stop', stop('d1'), droid);
  await openQuestion(far.own, 'd1');
  expect(await far.belfry('reply', 'd1', 'and "now" the docs')).toMatchObject({ code: 0 });
  expect(JSON.parse((await finished.over()).stdout)).toEqual({ decision: 'block', reason: 'and "now" the docs' });
  const [waits, held] = [
    far.asks('PermissionRequest', asks('q2'), qwen),
    far.asks('PermissionRequest', asks('c1'), codex),
  ];
  for (const session of ['q2', 'c1']) await openQuestion(far.own, session);
  far.proxy.refuse(true);
  far.proxy.cut();
  expect([await waits.over(), await held.over()]).toEqual([NOTHING, NOTHING]);
  far.proxy.refuse(false);
  await untilState(far, 'connected');
  await until(
    async () => (await questionsIn(far.own)).every(({ state }) => state !== 'open'),
    'their questions to be over',
  );
  const back = far.asks('PermissionRequest', asks('c2'), codex);
  await openQuestion(far.own, 'c2');
  expect(await far.belfry('back')).toMatchObject({ code: 0 });
  expect(await back.over()).toEqual(NOTHING);
});

test('six hooks at once, answered while the link is cut: each prints its own answer or none', async () => {
  const far = await answered('claude');
  if (far === null) return;
  const sessions = ['s1', 's2', 's3', 's4', 's5', 's6'];
  const hooks = sessions.map((session) => far.asks('PermissionRequest', asks(session)));
  const questions = await Promise.all(sessions.map((session) => openQuestion(far.own, session)));
  const cutting = setInterval(() => {
    if (far.proxy.connections() < 40) far.proxy.cut();
  }, 700);
  const codes: (number | null)[] = [];
  try {
    for (const [i, { id }] of questions.entries())
      codes.push((await far.belfry('answer', id, 'deny', '--message', `for ${sessions[i]}`)).code);
  } finally {
    clearInterval(cutting);
  }
  await untilState(far, 'connected');
  for (const [i, { id }] of questions.entries())
    if (codes[i] !== 0 && hooks[i]?.isOver() === false) {
      const still = (await questionsIn(far.own)).find((one) => one.id === id)?.state === 'open';
      if (still) await far.belfry('answer', id, 'deny', '--message', `for ${sessions[i]}`);
    }
  for (const [i, hook] of hooks.entries()) {
    const { code, stdout, stderr } = await hook.over();
    expect([code, stderr]).toEqual([0, '']);
    if (stdout !== '') expect(stdout).toContain(`"message":"for ${sessions[i]}"`);
    // What was said to be taken was.
    if (codes[i] === 0) expect(stdout).not.toBe('');
  }
  expect(left(far)).toEqual([]);
});
