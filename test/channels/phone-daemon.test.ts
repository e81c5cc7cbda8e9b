// ntfy, Telegram and a Slack app through the built daemon: what arrives, and that no secret of theirs is in its log, status, deliveries or why.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { startNtfyServer } from '../support/ntfy-server.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import type { Answer, Receiver } from '../support/receiver.ts';
import { APP_TOKEN, BOT_TOKEN, CHANNEL, startSlackServer } from '../support/slack-server.ts';
import { startTelegramServer, TOKEN } from '../support/telegram-server.ts';

const TOPIC = 'belfry-k3y5n8m2q7r4t6w9';
const HOSTILE = '<b>@everyone</b> *x* $(id) [a](https://example.com) /start \u202e\u001b[31mred';

interface Phone {
  readonly server: Receiver;
  /** Below [channels.phone]. */
  readonly lines: string;
  readonly secrets: readonly string[];
  /** Titles, texts and urgency of what arrived. */
  readonly arrived: () => unknown[];
}

const PHONES: readonly [string, () => Promise<Phone>][] = [
  [
    'ntfy',
    async () => {
      const server = await startNtfyServer();
      return {
        server,
        lines: `type = "ntfy"\nserver = "${server.url}"\ntopic = "${TOPIC}"`,
        secrets: [TOPIC],
        arrived: () => server.published.map(({ title, message, priority }) => ({ title, message, priority })),
      };
    },
  ],
  [
    'telegram',
    async () => {
      const server = await startTelegramServer();
      return {
        server,
        lines: `type = "telegram"\napi_url = "${server.url}"\ntoken = "${TOKEN}"\nchat = 7`,
        secrets: [TOKEN],
        arrived: () => server.shown.map(({ text, active }) => ({ text, active })),
      };
    },
  ],
  [
    'slack-app',
    async () => {
      const server = await startSlackServer();
      const keys = `token = "${BOT_TOKEN}"\napp_token = "${APP_TOKEN}"\nchannel = "${CHANNEL}"`;
      return {
        server,
        lines: `type = "slack-app"\napi_url = "${server.url}/api"\n${keys}`,
        secrets: [BOT_TOKEN, APP_TOKEN],
        arrived: () => server.shown.map(({ text, blocks }) => ({ text, blocks })),
      };
    },
  ],
];

test.each(PHONES)('%s', async (_name, start) => {
  const { server, lines, secrets, arrived } = await start();
  const home = temporaryFolder();
  writeFileSync(
    join(home, 'config.toml'),
    `[channels.phone]\n${lines}\nallow_private = true\ntimeout = "2s"\n[[routes]]\nto = ["phone"]\n`,
    { mode: 0o600 },
  );
  await startDaemon(home);
  const outputs: string[] = [];
  const say = async (...args: string[]) => {
    const { stdout, stderr } = await belfry(home, args);
    outputs.push(stdout, stderr);
    return stdout;
  };
  const send = async (title: string, body: string, ...more: string[]) => say('send', title, body, '--json', ...more);
  const usual = server.answer;
  const answering = async (answer: Answer, work: () => Promise<unknown>): Promise<void> => {
    server.answer = () => answer;
    await work();
    server.answer = usual;
  };

  expect(await send('Build failed', 'See job 1234')).toContain('"sent"');
  expect(await send('Deploy now?', 'The agent waits', '--urgency', 'urgent')).toContain('"sent"');
  expect(await send(`Hostile ${HOSTILE}`, HOSTILE)).toContain('"sent"');
  expect(await send('Long', 'word '.repeat(20_000))).toContain('"sent"');
  expect(arrived()).toHaveLength(4);
  expect(JSON.stringify(arrived())).not.toMatch(/\\u001b|\u202e/);
  outputs.push(await say('doctor', '--json'));
  // A receiver that takes a message and says nothing: tried again once at most.
  await answering(
    (_request, response) => void response.destroy(),
    () => send('Lost', 'answer'),
  );
  // One that says everything back.
  await answering({ status: 403, body: `${secrets.join(' ')} /bot${secrets.join('')}/x` }, () => say('test', 'phone'));
  for (const command of ['status', 'deliveries', 'events', 'logs']) outputs.push(await say(command, '--json'));
  const [event] = JSON.parse(await say('events', '--json', '--limit', '1')) as { id: string }[];
  outputs.push(await say('why', event?.id ?? '', '--json'));
  const all = outputs.join('\n') + readFileSync(join(home, 'state', 'daemon.log'), 'utf8');
  expect(all).toMatch(/it may have arrived/);
  for (const secret of secrets) expect(all).not.toContain(secret);
});
