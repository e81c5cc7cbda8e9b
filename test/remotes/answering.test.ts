// Answering agents on machines elsewhere by a real sshd: the named question only, the first answer only, and the prompt back when the link is gone.
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openQuestion, questionsIn, stop } from '../support/answering.ts';
import { type FarMachine, farMachine, SETTINGS, untilState } from '../support/far-machine.ts';
import { temporaryFolder } from '../support/home.ts';
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

/** With Claude there, answered from here. Null, and said so, where there is no sshd. */
async function answered(): Promise<FarMachine | null> {
  const programs = temporaryFolder();
  writeFileSync(join(programs, 'claude'), '#!/bin/sh\necho "2.1.197 (Claude Code)"\n');
  chmodSync(join(programs, 'claude'), 0o755);
  const far = await farMachine({ path: `${programs}:${process.env['PATH'] ?? ''}` });
  if (far === null) {
    console.log('sshd is needed (openssh-server)');
    return null;
  }
  await far.daemon();
  const { code, stdout, stderr } = await far.belfry('remote', 'add', 'box', '--yes', '--answer');
  expect([code, stdout], stderr).toEqual([0, expect.stringContaining('You can answer Claude on box from here.')]);
  return far;
}
const farFolder = (far: FarMachine): string => {
  const folder = join(far.home, '.local/state/belfry/far');
  return join(folder, readdirSync(folder)[0] ?? '');
};
/** What still waits there, or would be taken by somebody. */
const left = (far: FarMachine): string[] =>
  ['asks', 'answers'].flatMap((name) => readdirSync(join(farFolder(far), name)));

test('allowed, denied and told what next, from here; removed byte for byte', async () => {
  const far = await answered();
  if (far === null) return;
  expect(readFileSync(join(far.own, 'config.toml'), 'utf8')).toMatch(/\[remotes\.box\]\nssh = "box"\nanswer = true/);
  const allowed = far.asks('PermissionRequest', asks('s1'));
  const denied = far.asks('PermissionRequest', asks('s2'));
  const [first, second] = [await openQuestion(far.own, 's1'), await openQuestion(far.own, 's2')];
  expect((await far.belfry('pending')).stdout).toMatch(/on box[\s\S]*touch notes\.txt/);
  expect(await far.belfry('answer', first.id, 'allow')).toMatchObject({ code: 0 });
  expect(await allowed.ended).toEqual({ ...NOTHING, stdout: ALLOWED });
  expect(denied.isOver()).toBe(false);
  expect(await far.belfry('answer', second.id, 'deny', '--message', 'grün, nicht "rot"')).toMatchObject({ code: 0 });
  const { decision } = (JSON.parse((await denied.ended).stdout) as { hookSpecificOutput: { decision: object } })
    .hookSpecificOutput;
  expect(decision).toEqual({ behavior: 'deny', message: 'grün, nicht "rot"' });
  // The second answer comes too late.
  expect((await far.belfry('answer', first.id, 'deny')).code).toBe(EXIT.refused);
  const finished = far.asks('Stop', stop('s1'));
  await openQuestion(far.own, 's1');
  expect(await far.belfry('reply', 's1', 'also update the docs')).toMatchObject({ code: 0 });
  expect(await finished.ended).toEqual({ code: 2, stdout: '', stderr: 'also update the docs' });
  expect(left(far)).toEqual([]);
  expect((await far.belfry('remote', 'check', 'box')).stdout).toContain('Claude: can be answered from here');
  expect(await far.belfry('remote', 'remove', 'box')).toMatchObject({ code: 0 });
  expect(readFileSync(join(far.home, '.claude', 'settings.json'), 'utf8')).toBe(SETTINGS);
  expect(existsSync(join(far.home, '.local/share/belfry'))).toBe(false);
});

test('a lost link: refused while it lasts, the same question afterwards; what happened there meanwhile counts', async () => {
  const far = await answered();
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
  expect(await atTerminal.ended).toEqual(NOTHING);
  const closed = await until(
    async () => (await questionsIn(far.own)).find(({ id, state }) => id === other.id && state === 'closed'),
    'the other question to be over',
  );
  expect(closed.closed).toBe('answered at the terminal');
  expect(await far.belfry('answer', question.id, 'allow')).toMatchObject({ code: 0 });
  expect(await kept.ended).toEqual({ ...NOTHING, stdout: ALLOWED });
});

test('a client that takes its question back, one that is killed, and a daemon that stops', async () => {
  const far = await answered();
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
  await killed.ended;
  const waits = far.asks('PermissionRequest', asks('s3'));
  await openQuestion(far.own, 's3');
  await far.belfry('stop');
  expect(await waits.ended).toEqual(NOTHING);
  expect(left(far)).toEqual([]);
});

test('forged words and answers there reach no other question, and no other user has a way in', async () => {
  const far = await answered();
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
  expect(await waits.ended).toEqual({ ...NOTHING, stdout: ALLOWED });
});
