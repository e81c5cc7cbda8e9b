// The real Qwen, started by `belfry run`: answered beside its prompt, from elsewhere and at its terminal.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pathsBelow } from '../support/home.ts';
import { until } from '../support/wait.ts';
import { joinedWorld, OWN } from './joined-world.ts';
import { qwenTool } from './asked-tools.ts';
import { qwen } from './real/qwen.ts';

const DIALOG = 'Allow execution of';
const quote = (title: string, screen: string): void => console.log(`--- ${title}\n${screen.replace(/\n{2,}/g, '\n')}`);

it('allow, deny with text, reply, terminal first, a killed daemon, and the end', async () => {
  const w = await joinedWorld(qwen, { choose: qwenTool, install: [], start: (client) => [...OWN, 'run', client] });
  if (w === null) return;
  const terminal = await w.open();
  const folder = join(pathsBelow(w.home).state, 'wrapped');
  const asks = async (name: string) => {
    const before = await w.questions();
    await w.prompt(terminal, `touch ${name}`);
    await terminal.shows(DIALOG);
    return w.asked('permission', before);
  };
  const allowed = await asks('allowed.txt');
  quote('it asks', await terminal.screen());
  expect(allowed.subject).toMatchObject({
    tool: 'run_shell_command',
    text: expect.stringMatching(/^touch allowed\.txt\n/),
  });
  expect(await w.belfry('answer', allowed.id, 'allow', '--wait')).toMatchObject({ code: 0 });
  await w.made('allowed.txt');
  quote('allowed', await terminal.shows('That is done.'));

  // The turn is over: a reply starts the next one.
  const idle = await w.asked('text');
  const beforeReply = await w.questions();
  expect(await w.belfry('reply', idle.id, 'touch replied.txt')).toMatchObject({ code: 0 });
  const denied = await w.asked('permission', beforeReply);
  quote('replied', await terminal.shows(DIALOG));
  expect(await w.belfry('answer', denied.id, 'deny', '--message', 'use notes.md instead')).toMatchObject({ code: 0 });
  await w.read('use notes.md instead');
  quote('denied', await terminal.shows('use notes.md instead'));
  expect(w.exists('replied.txt')).toBe(false);

  // At the terminal first.
  await terminal.shows(qwen.ready);
  const first = await asks('first.txt');
  const pressed = Date.now();
  await terminal.keys('Enter');
  await w.made('first.txt');
  expect((await w.settled(first.id, 'closed')).closed).toBe('answered at the terminal');
  console.log(`closed after ${Date.now() - pressed} ms`);
  expect((await w.belfry('answer', first.id, 'deny')).code).toBe(5);

  // The daemon is killed: the next one goes on with the same question.
  await terminal.shows(qwen.ready);
  const second = await asks('second.txt');
  await w.daemon.stop('SIGKILL');
  await terminal.shows(DIALOG);
  w.daemon = await w.startDaemon();
  await until(async () => (await w.belfry('answer', second.id, 'allow')).code === 0, 'the answer');
  await w.made('second.txt');

  // It leaves: its files go, and a reply is refused.
  const last = await w.asked('text', [idle]);
  await terminal.shows(qwen.ready);
  expect(readdirSync(folder)).toHaveLength(1);
  await terminal.enter(qwen.leave);
  await terminal.ended(60_000);
  expect(readdirSync(folder)).toEqual([]);
  await w.settled(last.id, 'closed');
  expect((await w.belfry('reply', last.id, 'go on')).code).toBe(5);
  expect(readFileSync(pathsBelow(w.home).daemonLog, 'utf8')).not.toContain('cannot be followed');
  expect(existsSync(join(w.home, '.qwen', 'settings.json'))).toBe(true);
});
