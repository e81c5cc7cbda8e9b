// Secrets of channels whose receivers say them back: in no log, list, page of `why` or check of the built programs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PATH, TOKEN } from '../channels/discord-server.ts';
import { startMailServer, USER } from '../channels/mail-server.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith, stop } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const SAID = 'tk_9f8e7d6c5b4a39281706';
const WRONG = 'not the pass word, but as secret';

test('refused credentials are shown without the credentials', async () => {
  const chat = await startReceiver();
  chat.answer = ({ path }) => ({
    status: 401,
    body: JSON.stringify({ message: `Invalid Webhook Token ${path}`, code: 50_027 }),
  });
  const mail = await startMailServer({ options: { disabledCommands: ['STARTTLS'], allowInsecureAuth: true } });
  const home = homeWith(`[channels.chat]
type = "discord"
url = "env:CHAT_URL"
allow_private = true

[channels.mail]
type = "email"
host = "127.0.0.1"
port = ${mail.port}
tls = "none"
user = "${USER}"
password = "env:MAIL_PASSWORD"
from = "me@example.com"
to = "me@example.com"
allow_private = true

[channels.own]
type = "command"
run = ["/bin/sh", "-c", 'echo "no such token: $TOKEN" >&2; exit 1']
env = { TOKEN = "env:OWN_TOKEN" }

[[routes]]
to = ["chat", "mail", "own"]
`);
  const env = { CHAT_URL: `${chat.url}${PATH}`, MAIL_PASSWORD: WRONG, OWN_TOKEN: SAID };
  await startDaemon(home, { env });
  await hook(home, JSON.stringify(stop('one')));
  interface Listed {
    readonly id: string;
    readonly channel: string;
    readonly state: string;
    readonly event_id: string;
  }
  const of = async (channel: string) => (await asked<Listed[]>(home, ['deliveries', '--channel', channel]))[0];
  await until(
    async () =>
      (await of('chat'))?.state === 'paused' &&
      (await of('mail'))?.state === 'paused' &&
      (await of('own'))?.state === 'dead',
    'all three to be refused',
  );
  const ids = await Promise.all(['chat', 'mail', 'own'].map(async (channel) => (await of(channel))?.id ?? ''));
  const commands = [
    ['status'],
    ['status', '--json'],
    ['deliveries'],
    ['deliveries', '--json'],
    ['logs'],
    ['doctor'],
    ['config', 'show'],
    ...ids.flatMap((id) => [
      ['why', id],
      ['why', id, '--json'],
    ]),
    ...['chat', 'mail', 'own'].map((channel) => ['test', channel]),
  ];
  const printed = [];
  for (const args of commands) {
    const { stdout, stderr } = await belfry(home, args, { env });
    printed.push(`$ belfry ${args.join(' ')}\n${stdout}${stderr}`);
  }
  const all = [...printed, readFileSync(join(home, 'state', 'daemon.log'), 'utf8')].join('\n');
  if (process.env['SHOW_IN'] !== undefined) writeFileSync(process.env['SHOW_IN'], all);
  expect(all).toMatch(/\[redacted\]/);
  expect(all).toMatch(/the webhook does not know this token/);
  expect(all).toMatch(/it refused the sign-in/);
  const encoded = (text: string): string[] => [text, encodeURIComponent(text), Buffer.from(text).toString('base64')];
  const signIn = Buffer.from(`\0${USER}\0${WRONG}`).toString('base64');
  for (const secret of [TOKEN, PATH, ...encoded(WRONG), signIn, SAID]) expect(all.includes(secret), secret).toBe(false);
});
