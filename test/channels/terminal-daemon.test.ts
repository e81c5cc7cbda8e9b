// The terminal channel through the built programs: the terminal that the daemon finds by the hook's ancestors, and the agent's own client where it finds none.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { permission, startAsk } from '../support/answering.ts';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv, belfry, HOOK, hook, startDaemon } from '../support/programs.ts';
import { asked, homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const settings = (more = ''): string =>
  `[channels.term]\ntype = "terminal"\n${more}[[routes]]\nto = ["term"]\n[redaction]\nlevel = "title"\n`;
const CLAUDE = ['--agent', 'claude'];

/** A shell on a terminal of its own, in which this is run; what the terminal was given. */
function onTerminal(home: string, script: string, env: Record<string, string>): () => string {
  const child = spawn('script', ['-qec', script, '/dev/null'], {
    env: { ...bareEnv(home, env), SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let given = '';
  child.stdout.setEncoding('latin1').on('data', (text: string) => {
    given += text;
  });
  return () => given;
}

test('a hook without variables of its terminal: its ancestors are on one', async () => {
  const home = homeWith(settings());
  await startDaemon(home);
  const input = join(temporaryFolder(), 'input');
  writeFileSync(input, JSON.stringify({ ...permission('here'), cwd: '/src/payments' }));
  const run = `'${process.execPath}' '${HOOK}' --agent claude <'${input}'; exec sleep 600`;
  // As a client runs it: in a session of its own, which has no terminal.
  const given = onTerminal(home, `setsid -w sh -c "${run.split(';')[0]}"; exec sleep 600`, { TERM: 'foot' });
  await until(() => given().includes('\x07'), 'the bell');
  expect(given()).toBe('\x1b]777;notify;payments: Claude needs permission to run Bash;\x1b\\\x07');
  const state = async () => (await asked<{ state: string }[]>(home, ['deliveries']))[0]?.state;
  await until(async () => (await state()) === 'sent', 'it to be sent');
});

test('belfry test shows it where it is run', async () => {
  const home = homeWith(settings());
  await startDaemon(home);
  const program = join(HOOK, '..', 'belfry.js');
  const given = onTerminal(home, `'${process.execPath}' '${program}' test term; exec sleep 600`, {
    TERM: 'xterm-kitty',
  });
  await until(() => given().includes('delivered'), 'the test');
  expect(given()).toContain('\x1b]99;i=ntf_');
});

test('no terminal is known: the client of the session is handed it, if it asks in time', async () => {
  const home = homeWith(settings('by_client = true\n'));
  await startDaemon(home);
  const place = { env: { TERM_PROGRAM: 'iTerm.app' } };
  const prompt = { ...permission('far'), cwd: '/src/payments' };
  await hook(home, JSON.stringify(prompt), CLAUDE, place);
  const notification = { ...prompt, hook_event_name: 'Notification', notification_type: 'permission_prompt' };
  // A hook that does not hear at once that it is to wait leaves: on a busy machine the next one takes it.
  const printed = await until(async () => {
    const ran = await startAsk(home, JSON.stringify(notification), CLAUDE).ended;
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    return ran.stdout || null;
  }, 'something to be printed');
  const { terminalSequence, ...others } = JSON.parse(printed) as Record<string, string>;
  expect(others).toEqual({});
  expect(terminalSequence).toMatch(/^\x1b\]9;payments: Claude needs permission to run Bash\x1b\\\x07$/);
  const sent = await until(async () => {
    const [first] = await asked<{ state: string }[]>(home, ['deliveries']);
    return first?.state === 'sent' && first;
  }, 'it to be sent');
  expect(sent).toBeDefined();
  const { stdout } = await belfry(home, ['send', 'To nobody']);
  expect(stdout).toContain("the agent's client asked for nothing in time");
});

test('a client that asks although nobody wants that leaves at once', async () => {
  const home = homeWith(settings());
  await startDaemon(home);
  const notification = { ...permission('far'), hook_event_name: 'Notification' };
  const { ended } = startAsk(home, JSON.stringify(notification), CLAUDE);
  expect(await ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
});
