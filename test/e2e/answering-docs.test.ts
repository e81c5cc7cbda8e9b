// The steps of docs/guide/answering.md, taken literally in a home with nothing in it: they lead to a command that was allowed from Telegram.
import { expect, test } from 'vitest';
import { commandsIn, fencesOf } from '../docs/fences.ts';
import { permission, waitAsHook } from '../support/answering.ts';
import { newcomer } from '../support/newcomer.ts';
import { belfry, hook } from '../support/programs.ts';
import { startTelegramServer, TOKEN } from '../support/telegram-server.ts';
import { until } from '../support/wait.ts';

const ADA = { id: 42, is_bot: false, first_name: 'Ada' };

test('from nothing to allowing a command from Telegram', async () => {
  const { home, env } = newcomer();
  const server = await startTelegramServer();
  const fence = fencesOf('docs/guide/answering.md').find(({ text }) => text.includes('channel add telegram'));
  const lines = fence ? commandsIn(fence).map(({ words }) => words) : [];
  expect(lines.map(([command]) => command)).toEqual(['install', 'channel', 'config', 'restart']);
  for (const line of lines) {
    const isChannel = line[0] === 'channel';
    // What a person would type at the questions, and this bot's server in the place of Telegram's.
    const answers = isChannel ? ['--set', 'token=-', '--set', `api_url=${server.url}`, '--yes'] : [];
    const onStderr = (text: string): void => {
      const code = /: ([A-Z0-9]{8}) /.exec(text)?.[1];
      if (code && server.shown.length === 0) server.write({ from: ADA, chat: { id: 7, type: 'private' }, text: code });
    };
    const ran = await belfry(home, [...line, ...answers], { env, onStderr, ...(isChannel && { input: `${TOKEN}\n` }) });
    expect(ran, line.join(' ')).toMatchObject({ code: 0 });
  }
  const input = permission('first', 'touch allowed.txt');
  const startedAt = Date.now();
  await hook(home, JSON.stringify(input), ['--agent', 'claude']);
  const talk = await waitAsHook(home, input, startedAt);
  const asks = await until(
    () => server.shown.find(({ text, labels }) => text.includes('touch allowed.txt') && labels.includes('Allow')),
    'the message with its buttons',
  );
  server.press(asks.buttons[asks.labels.indexOf('Allow')] ?? '', ADA.id);
  expect(String((await talk.next())?.data?.['stdout'])).toContain('"behavior":"allow"');
  await until(() => asks.text.includes('allowed by Ada in Telegram') && asks.buttons.length === 0, 'the end of it');
});
