// The steps of docs/guide/answering.md, taken literally in a home with nothing in it: they lead to a command that was allowed from Telegram.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { permission, waitAsHook } from '../support/answering.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook } from '../support/programs.ts';
import { startTelegramServer, TOKEN } from '../support/telegram-server.ts';
import { until } from '../support/wait.ts';

const ADA = { id: 42, is_bot: false, first_name: 'Ada' };

/** The command lines of the steps, without comments. */
function steps(): readonly (readonly string[])[] {
  const text = readFileSync(new URL('../../docs/guide/answering.md', import.meta.url), 'utf8');
  const block = /From nothing to allowing a command from Telegram:\n\n```sh\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const words = (line: string) => (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'|'$/g, ''));
  return block
    .trim()
    .split('\n')
    .map((line) => words(line.replace(/ +#.*$/, '')).slice(1));
}

test('from nothing to allowing a command from Telegram', async () => {
  const home = temporaryFolder();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), "#!/bin/sh\necho '2.1.197 (Claude Code)'\n");
  chmodSync(join(bin, 'claude'), 0o755);
  mkdirSync(join(home, '.claude'));
  const env = { PATH: `${bin}${delimiter}${process.env['PATH']}`, BELFRY_NO_AUTOSTART: undefined };
  onTestFinished(async () => void (await belfry(home, ['stop'], { env })));
  const server = await startTelegramServer();
  const lines = steps();
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
