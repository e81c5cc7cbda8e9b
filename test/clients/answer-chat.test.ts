// Real clients answered from one chat: allow, deny with text, choose, free text, and the next instruction after a finish.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SeenMessage } from '../support/answer-ways.ts';
import { startTelegramWay } from '../support/answer-ways-telegram.ts';
import { until } from '../support/wait.ts';
import { codexTool, opencodeTool, QUESTION } from './asked-tools.ts';
import { answerWorld } from './answer-world.ts';
import { insideWorld } from './inside-world.ts';
import { joinedWorld } from './joined-world.ts';
import { codex } from './real/codex.ts';
import { opencode } from './real/opencode.ts';

const CLIENTS = [
  { client: 'claude', world: answerWorld, dialog: 'Do you want to proceed?' },
  { client: 'opencode', world: () => insideWorld(opencode, opencodeTool), dialog: 'Permission required' },
  {
    client: 'codex',
    world: () => joinedWorld(codex, { choose: codexTool, install: ['--answer'], start: (name) => [name] }),
    dialog: 'Would you like to run the following command',
  },
];

it.each(CLIENTS)('$client, answered from a chat', async ({ client, world, dialog }) => {
  const w = await world();
  if (w === null) return;
  const way = await startTelegramWay();
  const config = `[answer]\nchannels = ["phone"]\n[channels.phone]\n${way.lines}\nallow_private = true\n[[routes]]\nto = ["phone"]\n`;
  writeFileSync(join(w.home, 'config.toml'), config, { mode: 0o600 });
  await until(way.isListening, 'the receiver');
  const terminal = await w.open();
  /** The latest message that has this in it, with such a button where one is named. */
  const seen = (part: string, label: string | null = null) => {
    const isIt = ({ text, buttons }: SeenMessage): boolean =>
      text.includes(part) && (label === null || buttons.some((button) => button.label === label));
    return until(() => way.shown().findLast(isIt), `a message of ${part} ${label ?? ''}`);
  };
  const press = async (part: string, label: string): Promise<SeenMessage> => {
    const message = await seen(part, label);
    await way.press(message.buttons.find((button) => button.label === label)?.value ?? '');
    return message;
  };
  const write = async (part: string, text: string): Promise<void> => {
    await seen(part);
    await way.reply?.(
      way.shown().findLastIndex((message) => message.text.includes(part)),
      text,
    );
  };
  const read = (text: string) =>
    until(() => w.model.prompts.some((prompt) => prompt.includes(text)), `the model to read ${text}`);

  await w.prompt(terminal, 'touch allowed.txt');
  await terminal.shows(dialog);
  const from = performance.now();
  const message = await press('touch allowed.txt', 'Allow');
  await until(() => existsSync(join(w.project, 'allowed.txt')), 'the file');
  console.log(`${client}, from the button to the file: ${(performance.now() - from).toFixed(0)} ms\n${message.text}`);

  // The turn is over: a reply to what came of it starts the next one.
  const idle = await w.asked('text');
  await until(() => way.shown().some(({ text }) => /next instruction/.test(text)), 'that words are taken');
  await write('next instruction', 'touch replied.txt');
  await terminal.shows(dialog);
  await seen('touch replied.txt', 'Deny');
  await write('touch replied.txt', 'use notes.md instead');
  await read('use notes.md instead');
  expect(existsSync(join(w.project, 'replied.txt'))).toBe(false);

  // A question: by its button, then in words of one's own.
  await w.asked('text', [idle]);
  const first = await w.questions();
  await w.prompt(terminal, 'ask me');
  await press(QUESTION, 'Red');
  await read('Red');
  await w.asked('text', first);
  const second = await w.questions();
  await w.prompt(terminal, 'ask me again'); // other words than before: what is typed is sent once it is seen
  await w.asked('choice', second);
  await seen(QUESTION, 'Red');
  await write(QUESTION, 'as green as grass');
  await read('as green as grass');
});
