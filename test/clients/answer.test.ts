// The real client, answered from elsewhere: each way, each end of a wait, and nobody else's prompt touched.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Question } from '../../src/model/question.ts';
import { startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import { answerWorld } from './answer-world.ts';

/** That a hook may leave since the machine is too busy. */
const MOST_TIMES = 10;
const DIALOG = 'Do you want to proceed?';
const quote = (title: string, screen: string): void =>
  console.log(`--- ${title}\n${screen.replace(/\n{2,}/g, '\n').replace(/^.*Claude Code v[\s\S]*?~\/project\n/, '')}`);

it('allow, deny with text, choose, free text and reply from the command line', async () => {
  const world = await answerWorld();
  if (world === null) return;
  const { project, model } = world;
  const terminal = await world.open();
  const read = (text: string) =>
    until(() => model.prompts.some((prompt) => prompt.includes(text)), `the model to read ${text}`);

  await world.prompt(terminal, 'touch allowed.txt');
  quote('a hook waits', await terminal.shows(DIALOG));
  const allowed = await world.asked('permission');
  expect(allowed.subject).toMatchObject({
    tool: 'Bash',
    text: 'touch allowed.txt\ndescription: Create a file',
    partial: null,
  });
  expect(await world.belfry('answer', allowed.id, 'allow', '--wait')).toMatchObject({ code: 0 });
  quote('allowed', await terminal.shows('Allowed by PermissionRequest hook'));
  await until(() => existsSync(join(project, 'allowed.txt')), 'the file');

  // The turn is over: a reply starts the next one.
  const idle = await world.asked('text');
  expect(await world.belfry('reply', idle.id, 'touch replied.txt')).toMatchObject({ code: 0 });
  const denied = await world.asked('permission');
  expect(denied.subject).toMatchObject({ text: expect.stringContaining('replied.txt') });
  quote('replied', await terminal.shows('Reply from another device'));
  expect(await world.belfry('answer', denied.id, 'deny', '--message', 'use notes.md instead')).toMatchObject({
    code: 0,
  });
  quote('denied', await terminal.shows('Denied by PermissionRequest hook'));
  await read('use notes.md instead');
  expect(existsSync(join(project, 'replied.txt'))).toBe(false);

  // A question: an option by its number, then words of one's own.
  await world.asked('text', [idle]);
  for (const [at, [answer, means]] of [
    ['2', 'Red'],
    ['as green as grass', 'as green as grass'],
  ].entries()) {
    const before = await world.questions();
    await world.prompt(terminal, 'ask me');
    await terminal.shows('Which colour should the button have?');
    const asked = await world.asked('choice', before);
    expect(await world.belfry('answer', asked.id, answer ?? '')).toMatchObject({ code: 0 });
    await read(`=\\"${means}\\"`).catch(() => read(String(means)));
    quote(`chosen ${at}`, await terminal.shows(String(means)));
    await world.asked('text', before);
  }
});

it('every end of a wait leaves the prompt to the terminal, and what comes late reaches nobody', async () => {
  const world = await answerWorld();
  if (world === null) return;
  const { project, home } = world;
  const terminal = await world.open();
  const made = (name: string) => until(() => existsSync(join(project, name)), `the file ${name}`);
  /** Until its hook waits: one that a busy machine kept too long has left the prompt to the terminal. */
  const asks = async (name: string): Promise<Question> => {
    for (let time = 1; time <= MOST_TIMES; time++) {
      const before = await world.questions();
      await world.prompt(terminal, `touch ${name}`);
      await terminal.shows(DIALOG);
      const asked = await world.waits('permission', before);
      if (asked !== null) return asked;
      console.log(`the hook left, time ${time}`);
      await terminal.keys('Escape');
      await terminal.shows(/^❯\s*$/m);
    }
    throw new Error(`the hook left ${MOST_TIMES} times`);
  };
  /** Closed within what time (ms), why; a late answer is refused. */
  const closed = async (id: string, from: number, words: readonly string[] = ['answer', id, 'allow']) => {
    const { closed: why } = await world.settled(id, 'closed');
    console.log(`closed after ${Date.now() - from} ms: ${why}`);
    const late = await world.belfry(...words);
    expect([late.code, late.stderr]).toEqual([5, expect.stringContaining('only its terminal can answer now')]);
    return why;
  };

  // Yes at the terminal.
  const first = await asks('first.txt');
  const before = await world.questions();
  const pressed = Date.now();
  await terminal.keys('Enter');
  await made('first.txt');
  expect(await closed(first.id, pressed)).toBe('answered at the terminal');

  // /clear: the reply to the old conversation is refused.
  const idle = await world.asked('text', before);
  const cleared = Date.now();
  await world.prompt(terminal, '/clear');
  expect(await closed(idle.id, cleared, ['reply', idle.id, 'go on'])).toMatch(/session/);

  // Esc in the dialog.
  const second = await asks('second.txt');
  const escaped = Date.now();
  await terminal.keys('Escape');
  await closed(second.id, escaped);
  expect(existsSync(join(project, 'second.txt'))).toBe(false);

  // The daemon is killed: the dialog stays, and the terminal answers.
  await terminal.shows(/^❯\s*$/m);
  const third = await asks('third.txt');
  await world.daemon.stop('SIGKILL');
  await terminal.shows(DIALOG);
  await terminal.keys('Enter');
  await made('third.txt');
  world.daemon = await startDaemon(home);
  await closed(third.id, Date.now());

  // The time is over: the dialog stays.
  writeFileSync(
    join(home, 'config.toml'),
    '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n[answer]\nwait = "3s"\n',
  );
  await until(async () => (await world.belfry('config', 'check')).code === 0, 'the settings to be valid');
  await world.daemon.stop();
  world.daemon = await startDaemon(home);
  const fourth = await asks('fourth.txt');
  expect(await closed(fourth.id, Date.now())).toBe('the time to answer was over');
  await terminal.shows(DIALOG);
  await terminal.keys('Enter');
  await made('fourth.txt');

  // The client is killed.
  writeFileSync(join(home, 'config.toml'), '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n');
  await world.daemon.stop();
  world.daemon = await startDaemon(home);
  const fifth = await asks('fifth.txt');
  const killed = Date.now();
  process.kill(await terminal.pid(), 'SIGKILL');
  await closed(fifth.id, killed);

  // One-shot: nothing waits, so nothing is held up.
  const all = await world.questions();
  const ran = await world.print('-p', 'hello');
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect(await world.questions()).toEqual(all);
});
