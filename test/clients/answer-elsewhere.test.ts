// Real clients answered from a chat and over HTTP: allow, deny with text, choose, free text, the next instruction, the terminal first, a killed daemon.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import { ASKED_CLIENTS } from './asked-clients.ts';
import { QUESTION } from './asked-tools.ts';
import { ELSEWHERE } from './elsewhere-ways.ts';

const EACH = ASKED_CLIENTS.flatMap((one) => ELSEWHERE.map((way) => ({ ...one, way: way.name, start: way.start })));

it.each(EACH)(
  '$client, answered from elsewhere by $way',
  async ({ client, world, dialog, yes, asks, resumes, start }) => {
    const w = await world();
    if (w === null) return;
    const way = await start();
    writeFileSync(join(w.home, 'config.toml'), way.config, { mode: 0o600 });
    await way.begin(w.home);
    const terminal = await w.open();
    const made = (name: string, limit = 120_000) =>
      until(() => existsSync(join(w.project, name)), `the file ${name}`, limit);
    const read = (text: string) =>
      until(() => w.model.prompts.some((prompt) => prompt.includes(text)), `the model to read ${text}`);
    const asksTo = async (name: string) => {
      const before = await w.questions();
      await w.prompt(terminal, `touch ${name}`);
      await terminal.shows(dialog);
      return w.asked('permission', before);
    };
    const gone = () => until(async () => !(await terminal.screen()).includes(dialog), 'the dialog to be gone');

    await asksTo('allowed.txt');
    const from = performance.now();
    await way.allow('touch allowed.txt');
    await made('allowed.txt');
    console.log(`${client}, from the answer to the file: ${(performance.now() - from).toFixed(0)} ms`);

    // The turn is over: a reply to what came of it starts the next one.
    const idle = await w.asked('text');
    await way.goOn('touch replied.txt');
    await terminal.shows(dialog);
    await way.deny('touch replied.txt', 'use notes.md instead');
    await read('use notes.md instead');
    expect(existsSync(join(w.project, 'replied.txt'))).toBe(false);
    await w.asked('text', [idle]);

    // A question: by its option, then in words of one's own.
    if (asks !== 'nothing') {
      const before = await w.questions();
      await w.prompt(terminal, 'ask me');
      await way.choose(QUESTION, 'Red');
      await read('Red');
      await w.asked('text', before);
    }
    if (asks === 'words') {
      const before = await w.questions();
      await w.prompt(terminal, 'ask me again'); // other words than before: what is typed is sent once it is seen
      await w.asked('choice', before);
      await way.say(QUESTION, 'as green as grass');
      await read('as green as grass');
      await w.asked('text', before);
    }

    // The terminal is first.
    await gone();
    const before = await w.questions();
    const first = await asksTo('first.txt');
    await way.shows('touch first.txt');
    await terminal.press(yes, (screen) => !screen.includes(dialog));
    await made('first.txt');
    await w.settled(first.id, 'closed');
    await way.ended('touch first.txt');
    await w.asked('text', before);

    // The daemon is killed: the dialog stays.
    const second = await asksTo('second.txt');
    await way.shows('touch second.txt');
    // A message whose arrival was not recorded keeps its buttons: it is not known to be there.
    await until(async () => !(await w.belfry('deliveries', '--json')).stdout.includes('leased'), 'the record');
    await w.daemon.stop('SIGKILL');
    await terminal.shows(dialog);
    w.daemon = 'startDaemon' in w ? await w.startDaemon() : await startDaemon(w.home);
    if (resumes)
      await until(
        async () => {
          await way.allow('touch second.txt').catch((error: unknown) => console.log(String(error)));
          return made('second.txt', 15_000).catch(() => false);
        },
        'the next daemon to hand the answer over',
        240_000,
      );
    else {
      await w.settled(second.id, 'closed');
      await way.ended('touch second.txt');
      await terminal.press(yes, (screen) => !screen.includes(dialog));
      await made('second.txt');
    }
  },
);
