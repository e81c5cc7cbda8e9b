// While no daemon runs a prompt is answered: the next daemon takes that over first, and nobody is asked to come any more.
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endMark, partialName } from '../../src/ipc/shell-spool-file.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { asked, homeWith, spool } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const COMMAND = { tool_name: 'Bash', tool_input: { command: 'npm publish' } };

const ask = (session: string) => ({
  ...COMMAND,
  session_id: session,
  cwd: '/src/payments',
  hook_event_name: 'PermissionRequest',
  tool_use_id: 'u1',
});
const answered = (session: string) => ({ ...ask(session), hook_event_name: 'PostToolUse', tool_response: {} });

/** A home whose people are told of prompts, through a receiver that asks to wait until it is told otherwise. */
async function waitingHome(): Promise<{ home: string; people: Receiver; accept: () => void }> {
  const people = await startReceiver();
  let accepts = false;
  people.answer = () => (accepts ? 200 : { status: 429, headers: { 'retry-after': '1' } });
  const home = homeWith(
    `[channels.team]\ntype = "slack"\nurl = "${people.url}"\nallow_private = true\n[[routes]]\nmatch = { kind = ["agent.waiting"] }\nto = ["team"]\n[[routes]]\nto = []\n`,
  );
  const accept = (): void => {
    accepts = true;
  };
  return { home, people, accept };
}

/** Leaves a prompt of this session waiting, and no daemon. */
async function leavePrompt(home: string, people: Receiver, session: string): Promise<void> {
  const daemon = await startDaemon(home);
  expect((await hook(home, JSON.stringify(ask(session)), ['--agent', 'claude'])).code).toBe(0);
  await people.waitFor(1);
  const refused = async () => (await asked<{ attempts: number }[]>(home, ['deliveries'])).some((d) => d.attempts > 0);
  await until(refused, 'the refusal to be recorded');
  await daemon.stop('SIGKILL');
}

/** As a hook in another session, once all has been decided: what is asked there is sent. */
async function askElsewhere(home: string, people: Receiver): Promise<readonly string[]> {
  const before = people.requests.length;
  await hook(home, JSON.stringify({ ...ask('elsewhere'), cwd: '/src/elsewhere' }), ['--agent', 'claude']);
  await until(() => people.requests.some(({ body }) => body.includes('elsewhere')), 'the other session to be told of');
  return people.requests.slice(before).map(({ body }) => body);
}

const ANSWERS: readonly (readonly [string, (home: string) => Promise<unknown>])[] = [
  ['a hook in Node', async (home) => spool(home, answered('one'), Date.now(), { agent: 'claude' })],
  [
    'a shell hook',
    async (home) => {
      const { pid } = spawnSync('true');
      const header = JSON.stringify({ v: 1, agent: 'claude', ppid: 1, cwd: '/src/payments', env: {} });
      const bytes = `${header}\n${JSON.stringify(answered('one'))}${endMark(pid)}`;
      writeFileSync(join(home, 'spool', partialName(pid)), bytes);
    },
  ],
];

test.each(ANSWERS)('a prompt that was answered meanwhile, as %s left it, is not sent', async (_how, answer) => {
  const { home, people, accept } = await waitingHome();
  await leavePrompt(home, people, 'one');
  const hour = Date.now() - 3_600_000;
  for (let i = 0; i < 400; i++)
    spool(home, { session_id: `other-${i}`, hook_event_name: 'Stop', cwd: '/src/x' }, hour + i);
  await answer(home);
  await until(() => Date.now() > (people.requests.at(-1)?.at ?? 0) + 2_000, 'the pause to be over');
  accept();
  const asks = people.requests.length;
  await startDaemon(home);
  await askElsewhere(home, people);
  const later = people.requests.slice(asks).map(({ body }) => body.includes('elsewhere'));
  expect(later).toEqual([true]);
  const states = await asked<{ state: string }[]>(home, ['deliveries', '--session', 'one']);
  expect(states.map(({ state }) => state)).toEqual(['cancelled']);
});

test('a prompt that was not answered is sent, whatever lies damaged in the spool', async () => {
  const { home, people, accept } = await waitingHome();
  await leavePrompt(home, people, 'one');
  writeFileSync(join(home, 'spool', `${Date.now().toString(16).padStart(12, '0')}-0000-damaged.event`), 'no envelope');
  spool(home, 'no object', Date.now(), { agent: 'claude' });
  await until(() => Date.now() > (people.requests.at(-1)?.at ?? 0) + 2_000, 'the pause to be over');
  accept();
  const asks = people.requests.length;
  await startDaemon(home);
  await until(() => people.requests.length > asks, 'the prompt to be sent');
  expect(people.requests.at(-1)?.body).toContain('payments');
});

test('a prompt of a session that the spool says nothing of is sent while a long spool is taken over', async () => {
  const { home, people, accept } = await waitingHome();
  await leavePrompt(home, people, 'one');
  const hour = Date.now() - 3_600_000;
  for (let i = 0; i < 3_000; i++)
    spool(home, { session_id: `other-${i}`, hook_event_name: 'Stop', cwd: '/src/x' }, hour + i);
  await until(() => Date.now() > (people.requests.at(-1)?.at ?? 0) + 2_000, 'the pause to be over');
  accept();
  const asks = people.requests.length;
  await startDaemon(home);
  await until(() => people.requests.length > asks, 'the prompt to be sent');
  const { pending_entries: undecided } = await asked<{ pending_entries: number }>(home, ['status']);
  const left = readdirSync(join(home, 'spool')).length;
  expect(undecided + left).toBeGreaterThan(0);
});
