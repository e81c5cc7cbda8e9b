// The real client, answered from elsewhere by its extension: each way, each end of a wait, and nobody else's dialog touched.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answeredOnceAsked } from '../support/answering.ts';
import { startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import { insideWorld } from './inside-world.ts';
import { copilotTool } from './asked-tools.ts';
import { askedCopilot } from './real/copilot.ts';

const DIALOG = 'Do you want to run this command';
const quote = (title: string, screen: string): void =>
  console.log(`--- ${title}\n${screen.replace(/[ \t]+$/gm, '').replace(/\n{2,}/g, '\n')}`);

it('allow, deny with text, choose, reply; the terminal first; the daemon killed; one-shot', async () => {
  const world = await insideWorld(askedCopilot, copilotTool);
  if (world === null) return;
  const { home, project, model } = world;
  const terminal = await world.open();
  const made = (name: string) => until(() => existsSync(join(project, name)), `the file ${name}`);
  const read = (text: string) =>
    until(() => model.prompts.some((prompt) => prompt.includes(text)), `the model to read ${text}`);
  const asks = async (name: string) => {
    const before = await world.questions();
    await world.prompt(terminal, `touch ${name}`);
    await terminal.shows(DIALOG);
    return world.asked('permission', before);
  };
  const gone = () => until(async () => !(await terminal.screen()).includes(DIALOG), 'the dialog to be gone');

  const allowed = await asks('allowed.txt');
  quote('it asks', await terminal.screen());
  expect(allowed.subject).toMatchObject({ text: expect.stringContaining('touch allowed.txt'), partial: null });
  expect(await world.belfry('answer', allowed.id, 'allow', '--wait')).toMatchObject({ code: 0 });
  await made('allowed.txt');
  await gone();
  quote('allowed', await terminal.shows('That is done.'));

  const idle = await world.asked('text');
  expect(idle.subject).toMatchObject({ text: 'That is done.' });
  expect(await world.belfry('reply', idle.id, 'touch replied.txt')).toMatchObject({ code: 0 });
  const denied = await world.asked('permission');
  await terminal.shows(DIALOG);
  expect(await world.belfry('answer', denied.id, 'deny', '--message', 'use notes.md instead')).toMatchObject({
    code: 0,
  });
  await gone();
  await read('use notes.md instead');
  expect(existsSync(join(project, 'replied.txt'))).toBe(false);
  quote('replied and denied', await terminal.screen());

  const finished = await world.asked('text', [idle]);
  await world.prompt(terminal, 'ask me');
  quote('it asks a question', await terminal.shows('Which colour should the button have?'));
  const asked = await world.asked('choice');
  console.log(JSON.stringify(asked.subject));
  expect(await world.belfry('answer', asked.id, 'red')).toMatchObject({ code: 0 });
  await read('Red');
  await world.asked('text', [idle, finished]);
  quote('chosen', await terminal.screen());

  // Yes at the terminal.
  const first = await asks('first.txt');
  await terminal.keys('Enter');
  await made('first.txt');
  expect(await world.settled(first.id, 'closed')).toMatchObject({ closed: 'answered at the terminal' });
  expect((await world.belfry('answer', first.id, 'deny')).code).toBe(5);
  await world.asked('text', [idle, finished]);

  // The daemon is killed: the dialog stays, and what was shown answers it through the next daemon.
  const second = await asks('second.txt');
  await world.daemon.stop('SIGKILL');
  await terminal.shows(DIALOG);
  world.daemon = await startDaemon(home);
  await answeredOnceAsked(home, second);
  await made('second.txt');

  // One-shot: nothing waits, although the extension is there.
  await world.asked('text');
  const all = await world.questions();
  const ran = await world.once('hello');
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect((await world.questions()).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
});
