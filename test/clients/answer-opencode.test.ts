// The real client, answered from elsewhere by its plugin: each way, each end of a wait, and nobody else's dialog touched.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answeredOnceAsked } from '../support/answering.ts';
import { startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import { opencodeTool } from './asked-tools.ts';
import { type InsideWorld, insideWorld } from './inside-world.ts';
import { opencode } from './real/opencode.ts';
import type { Terminal } from './terminal.ts';

const DIALOG = 'Permission required';

const quote = (title: string, screen: string): void =>
  console.log(`--- ${title}\n${screen.replace(/[ \t]+$/gm, '').replace(/\n{2,}/g, '\n')}`);

/** What a test of one session does. */
function session(world: InsideWorld, terminal: Terminal) {
  const made = (name: string) => until(() => existsSync(join(world.project, name)), `the file ${name}`);
  const asks = async (name: string) => {
    const before = await world.questions();
    await world.prompt(terminal, `touch ${name}`);
    await terminal.shows(DIALOG);
    return world.asked('permission', before);
  };
  const gone = () => until(async () => !(await terminal.screen()).includes(DIALOG), 'the dialog to be gone');
  return { made, asks, gone };
}

it('allow, deny with text, choose, free text and reply from the command line', async () => {
  const world = await insideWorld(opencode, opencodeTool);
  if (world === null) return;
  const { project, model } = world;
  const terminal = await world.open();
  const { made, asks, gone } = session(world, terminal);
  const read = (text: string) =>
    until(() => model.prompts.some((prompt) => prompt.includes(text)), `the model to read ${text}`);

  const allowed = await asks('allowed.txt');
  quote('it asks', await terminal.screen());
  expect(allowed.subject).toMatchObject({ tool: 'bash', text: 'touch allowed.txt', partial: null });
  const from = performance.now();
  expect(await world.belfry('answer', allowed.id, 'allow', '--wait')).toMatchObject({ code: 0 });
  await made('allowed.txt');
  console.log(`from the command to the file: ${(performance.now() - from).toFixed(0)} ms`);
  await gone();
  quote('allowed', await terminal.shows('That is done.'));

  // The turn is over: a reply starts the next one.
  const idle = await world.asked('text');
  expect(await world.belfry('reply', idle.id, 'touch replied.txt')).toMatchObject({ code: 0 });
  const denied = await world.asked('permission');
  expect(denied.subject).toMatchObject({ text: 'touch replied.txt' });
  await terminal.shows(DIALOG);
  expect(await world.belfry('answer', denied.id, 'deny', '--message', 'use notes.md instead')).toMatchObject({
    code: 0,
  });
  await gone();
  await read('use notes.md instead');
  quote('replied and denied', await terminal.screen());
  expect(existsSync(join(project, 'replied.txt'))).toBe(false);

  // A question: an option by its number, then words of one's own.
  await world.asked('text', [idle]);
  for (const [answer, means] of [
    ['2', 'Red'],
    ['as green as grass', 'as green as grass'],
  ]) {
    const before = await world.questions();
    await world.prompt(terminal, 'ask me');
    quote('it asks a question', await terminal.shows('A strong red'));
    const asked = await world.asked('choice', before);
    expect(await world.belfry('answer', asked.id, answer ?? '')).toMatchObject({ code: 0 });
    await read(String(means));
    await world.asked('text', before);
    quote('chosen', await terminal.screen());
  }
});

it('every end of a wait leaves the dialog to the terminal, and what comes late reaches nobody', async () => {
  const world = await insideWorld(opencode, opencodeTool);
  if (world === null) return;
  const { home, project } = world;
  const terminal = await world.open();
  const { made, asks, gone } = session(world, terminal);
  const closed = async (id: string, since: number, words: readonly string[] = ['answer', id, 'allow']) => {
    const { closed: why } = await world.settled(id, 'closed');
    console.log(`closed after ${Date.now() - since} ms: ${why}`);
    const late = await world.belfry(...words);
    expect([late.code, late.stderr]).toEqual([5, expect.stringContaining('only its terminal can answer now')]);
    return why;
  };

  // Yes at the terminal.
  const first = await asks('first.txt');
  let since = Date.now();
  const before = await world.questions();
  await terminal.keys('Enter');
  await made('first.txt');
  expect(await closed(first.id, since)).toBe('answered at the terminal');

  // A prompt at the terminal after the finish; the reply to the turn of before is refused. Then Esc in the dialog.
  const idle = await world.asked('text', before);
  const second = await asks('second.txt');
  expect(await closed(idle.id, Date.now(), ['reply', idle.id, 'go on'])).toBe('it got a prompt at its terminal');
  since = Date.now();
  await terminal.keys('Escape');
  await gone().catch(() => terminal.keys('Enter'));
  expect(await closed(second.id, since)).toBe('answered at the terminal');
  expect(existsSync(join(project, 'second.txt'))).toBe(false);
  // A prompt that comes while the turn is being ended goes down with it.
  await until(async () => !(await terminal.screen()).includes('esc interrupt'), 'the client to be at rest');

  // The daemon is killed: the dialog stays, and what was shown answers it through the next daemon.
  const third = await asks('third.txt');
  await world.daemon.stop('SIGKILL');
  await terminal.shows(DIALOG);
  world.daemon = await startDaemon(home);
  await answeredOnceAsked(home, third);
  await made('third.txt');

  // Killed once more, and answered at the terminal while nobody listens.
  const fourth = await asks('fourth.txt');
  await world.daemon.stop('SIGKILL');
  await terminal.keys('Enter');
  await made('fourth.txt');
  world.daemon = await startDaemon(home);
  await closed(fourth.id, Date.now());

  // The client is killed.
  const fifth = await asks('fifth.txt');
  since = Date.now();
  process.kill(await terminal.pid(), 'SIGKILL');
  await closed(fifth.id, since);

  // One-shot: nothing waits, so nothing is held up.
  const all = await world.questions();
  const ran = await world.once('hello');
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  await world.once('touch once.txt');
  expect((await world.questions()).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
});

it('two sessions: each answer reaches its own', async () => {
  const world = await insideWorld(opencode, opencodeTool);
  if (world === null) return;
  const [one, two] = [await world.open(), await world.open()];
  const first = await session(world, one).asks('one.txt');
  const second = await session(world, two).asks('two.txt');
  expect(await world.belfry('answer', second.id, 'allow')).toMatchObject({ code: 0 });
  await session(world, two).made('two.txt');
  expect(existsSync(join(world.project, 'one.txt'))).toBe(false);
  await one.shows(DIALOG);
  expect(await world.belfry('answer', first.id, 'allow')).toMatchObject({ code: 0 });
  await session(world, one).made('one.txt');
});
