// `belfry channel add`: from nothing to a test message that arrived; what fails leaves settings and secrets as they were.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { channels } from '../../src/channels/index.ts';
import { ownSettings } from '../../src/cli/commands/channel/setting-rows.ts';
import { temporaryFolder } from '../support/home.ts';
import { startNtfyServer } from '../support/ntfy-server.ts';
import { belfry, type RunOptions, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { startTelegramServer, TOKEN } from '../support/telegram-server.ts';

const add = (home: string, args: readonly string[], options: RunOptions = {}) =>
  belfry(home, ['channel', 'add', ...args, '--yes'], options);
const set = (answers: Record<string, string>): string[] =>
  Object.entries(answers).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
const config = (home: string): string => readFileSync(join(home, 'config.toml'), 'utf8');
const secrets = (home: string): string[] =>
  existsSync(join(home, 'secrets')) ? readdirSync(join(home, 'secrets')) : [];

/** A home with these settings. */
function homeWith(text: string): string {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.toml'), text, { mode: 0o600 });
  return home;
}

const DESK =
  '# mine\n[channels.desk] # here\ntype = "desktop"\n\n[[routes]] # urgent\nmatch = { urgency = "urgent" }\nto = ["desk"]\n\n[[routes]]\nto = [\n  "desk", # me\n]\n';

test('the first channel: a secret of its own, a route, a message', async () => {
  const home = temporaryFolder();
  const server = await startNtfyServer();
  const added = await add(home, ['ntfy', ...set({ server: server.url })]);
  expect(added).toMatchObject({ code: 0 });
  const topic = readFileSync(join(home, 'secrets', 'ntfy_topic'), 'utf8').trim();
  expect(topic).toMatch(/^belfry-[a-z2-9]{16}$/);
  expect(statSync(join(home, 'secrets', 'ntfy_topic')).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, 'config.toml')).mode & 0o777).toBe(0o600);
  expect(server.published).toMatchObject([{ topic, title: 'belfry test' }]);
  expect(config(home)).toBe(
    `[channels.ntfy]\ntype = "ntfy"\nserver = "${server.url}"\ntopic = "secret:ntfy_topic"\nallow_private = true\n\n[[routes]]\nmatch = { urgency = ["normal", "urgent"] }\nto = ["ntfy"]\n`,
  );
  expect(added.stderr).toContain(`subscribe to the topic ${topic}`);
  expect((await belfry(home, ['config', 'check'])).code).toBe(0);
});

test('what helps names the setting that is asked for, in no file: nothing is written yet', async () => {
  const { url } = await startReceiver(); // answers, but not as ntfy does
  const { code, stderr } = await add(temporaryFolder(), ['ntfy', ...set({ server: url })]);
  expect([code, stderr]).toEqual([5, expect.stringMatching(/: (check|correct) `server`/)]);
  expect(stderr).not.toContain('config.toml');
});

test('beside others: comments stay, the last route gets it, and running it again changes nothing', async () => {
  const home = homeWith(DESK);
  const receiver = await startReceiver();
  const args = ['webhook', '--name', 'audit', ...set({ url: receiver.url })];
  expect(await add(home, args)).toMatchObject({ code: 0 });
  const after = DESK.replace('"desk", # me', '"desk", "audit", # me');
  const table = `\n[channels.audit]\ntype = "webhook"\nurl = "${receiver.url}"\nallow_private = true\n`;
  expect(config(home)).toBe(after + table);
  const again = await add(home, args);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('Changed [channels.audit]') });
  expect(config(home)).toBe(after + table);
  expect(receiver.requests).toHaveLength(2);
  await add(home, ['webhook', '--name', 'audit', '--set', 'updates=true', '--route', '1']);
  expect(config(home)).toContain('allow_private = true\nupdates = true\n');
  expect(config(home)).toContain('match = { urgency = "urgent" }\nto = ["desk", "audit"]');
});

test('a secret by standard input, one line each; another channel of the type keeps its own', async () => {
  const home = homeWith(DESK);
  const receiver = await startReceiver();
  const args = ['webhook', ...set({ url: receiver.url, secret: '-' })];
  const first = await add(home, [...args, '--name', 'a', '--json'], { input: 'hush-1\n' });
  expect(JSON.parse(first.stdout)).toMatchObject({ name: 'a', type: 'webhook', routes: [1], test: { ok: true } });
  await add(home, [...args, '--name', 'b'], { input: 'hush-2\n' });
  await add(home, [...args, '--name', 'a'], { input: 'hush-3\n' });
  expect(secrets(home)).toEqual(['a_secret', 'b_secret']);
  expect(secrets(home).map((name) => readFileSync(join(home, 'secrets', name), 'utf8'))).toEqual([
    'hush-3\n',
    'hush-2\n',
  ]);
  expect(config(home)).not.toContain('hush');
  // Stored by hand, for something else.
  mkdirSync(join(home, 'secrets'), { recursive: true });
  writeFileSync(join(home, 'secrets', 'c_secret'), 'kept\n', { mode: 0o600 });
  await add(home, [...args, '--name', 'c'], { input: 'hush-4\n' });
  expect(readFileSync(join(home, 'secrets', 'c_secret'), 'utf8')).toBe('kept\n');
  expect(config(home)).toContain('secret = "secret:c_secret_2"');
});

test('telegram: paired by the code, whoever sent it is allowed', async () => {
  const home = homeWith(DESK);
  const server = await startTelegramServer();
  server.chats.set(42, { type: 'private' });
  const adding = add(home, ['telegram', ...set({ token: '-', api_url: server.url })], {
    input: `${TOKEN}\n`,
    onStderr: (text) => {
      const code = /: ([A-Z0-9]{8}) /.exec(text)?.[1];
      const from = { id: 42, is_bot: false, first_name: 'Ada', username: 'ada' };
      if (code && server.shown.length === 0) server.write({ from, chat: { id: 42, type: 'private' }, text: code });
    },
  });
  expect(await adding).toMatchObject({ code: 0, stderr: expect.stringContaining('Paired with @ada.') });
  expect(config(home)).toContain(
    `token = "secret:telegram_token"\napi_url = "${server.url}"\nallow_private = true\nchat = 42\nallow = [42]\n`,
  );
  expect(server.shown).toMatchObject([{ chat: 42, text: expect.stringMatching(/^belfry test\n/) }]);
  expect(config(home)).not.toContain(TOKEN);
});

test('telegram: not paired while the daemon listens to the same bot, which would take the code', async () => {
  const server = await startTelegramServer();
  const table = `[channels.phone]\ntype = "telegram"\napi_url = "${server.url}"\ntoken = "${TOKEN}"\nchat = 7\nallow = [42]\n`;
  const home = homeWith(`${table}allow_private = true\n[[routes]]\nto = ["phone"]\n`);
  const args = ['telegram', '--name', 'team', ...set({ token: '-', api_url: server.url })];
  await startDaemon(home);
  const added = await add(home, args, { input: `${TOKEN}\n` });
  expect(added).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/for channels\.phone, .*`belfry daemon stop` first/),
  });
  expect(config(home)).not.toContain('team');
  expect(added.stderr).not.toContain('Send this code');
});

test('a running daemon has it at once', async () => {
  const home = homeWith(DESK);
  const receiver = await startReceiver();
  await startDaemon(home);
  await add(home, ['webhook', ...set({ url: receiver.url })]);
  expect(await belfry(home, ['test', 'webhook'])).toMatchObject({ code: 0 });
  expect(receiver.requests).toHaveLength(2);
});

const URL_OF = 'http://127.0.0.1:9/hook';
const REFUSED: readonly [string, string[], number, RegExp, string?][] = [
  ['an unknown type', ['pager'], 2, /"pager" is not one of desktop, ntfy/],
  ['an answer that is missing', ['webhook'], 2, /add --set url=\.\.\./],
  ['a setting that is none', ['webhook', '--set', 'uri=x'], 2, /"uri" is no setting of webhook; did you mean "url"/],
  ['a value that is none', ['webhook', '--set', 'url=nonsense'], 2, /url: the address is not a valid URL/],
  [
    'a secret as an argument',
    ['slack', '--set', 'url=https://hooks.example.com/hush'],
    2,
    /url is a secret, .* --set url=-/,
  ],
  ['a reference to nothing', ['slack', '--set', 'url=env:NO_SUCH'], 2, /NO_SUCH is not set/],
  [
    'a receiver that is not there',
    ['webhook', '--set', `url=${URL_OF}`],
    7,
    /test message failed: .*refused the connection/,
  ],
  [
    'a server that is not there, with a secret',
    ['ntfy', '--set', 'server=http://127.0.0.1:9', '--set', 'topic=-'],
    5,
    /refused the connection/,
    'topic-of-mine\n',
  ],
  ['a route that is not there', ['webhook', '--set', `url=${URL_OF}`, '--no-test', '--route', '3'], 4, /routes 1 to 2/],
  [
    'the name of another type',
    ['webhook', '--name', 'desk', '--set', `url=${URL_OF}`],
    2,
    /\[channels.desk\] is of type "desktop"/,
  ],
  ['an endless secret', ['ntfy', '--set', 'topic=-'], 2, /larger than 65536 bytes/, 'x'.repeat(70_000)],
];

test.each(REFUSED)('refused: %s', async (_name, args, code, words, input) => {
  const home = homeWith(DESK);
  const ran = await add(home, args, input === undefined ? {} : { input });
  expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(words) });
  expect(ran.stderr).not.toMatch(/hush|topic-of-mine/);
  expect(config(home)).toBe(DESK);
  expect(secrets(home)).toEqual([]);
});

test('settings that are broken, or cannot be written, are left alone, and so are the secrets', async () => {
  const receiver = await startReceiver();
  const args = ['webhook', ...set({ url: receiver.url, secret: '-' })];
  const broken = homeWith('[channels.desk]\ntype = "desktopp"\n');
  expect(await add(broken, args, { input: 'hush\n' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('correct it first'),
  });
  const inline = homeWith(`routes = [{ to = [] }]\nchannels = { desk = { type = "desktop" } }\n`);
  const ran = await add(inline, args, { input: 'hush\n' });
  expect(ran.code).not.toBe(0);
  expect(ran).toMatchObject({ stderr: expect.stringContaining('nothing was changed') });
  expect([secrets(broken), secrets(inline)]).toEqual([[], []]);
});

test.each([
  [
    'without a terminal',
    [],
    /there is no terminal to ask on: add --set url=\.\.\.; `belfry channel add webhook --help`/,
  ],
  ['with --yes', ['--yes'], /--yes asks nothing: add --set url=\.\.\.; `belfry channel add webhook --help`/],
] as const)('what is missing %s is named, and where it is explained', async (_how, flags, words) => {
  const ran = await belfry(temporaryFolder(), ['channel', 'add', 'webhook', ...flags]);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(words) });
});

test('an address on this machine: said with --yes, otherwise it takes a word more', async () => {
  const home = homeWith(DESK);
  const receiver = await startReceiver();
  const args = ['channel', 'add', 'webhook', ...set({ url: receiver.url })];
  expect(await belfry(home, args)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^belfry channel add: 127\.0\.0\.1 is on this machine .* add --set allow_private=true/,
    ),
  });
  expect([config(home), receiver.requests]).toEqual([DESK, []]);
  const said = await belfry(home, [...args, '--yes', '--json']);
  expect(said).toMatchObject({ code: 0, stderr: expect.stringContaining('allow_private = true lets this channel') });
  const given = await belfry(home, [...args, '--name', 'b', '--set', 'allow_private=true']);
  expect(given).toMatchObject({ code: 0, stderr: expect.not.stringContaining('this machine') });
});

test.each(channels.map((channel) => [channel.type, channel] as const))(
  '`channel add %s --help` lists its settings and an example that its schema accepts',
  async (type, channel) => {
    const { code, stdout } = await belfry(temporaryFolder(), ['channel', 'add', type, '--help']);
    expect(code).toBe(0);
    for (const { name, required } of ownSettings(channel))
      expect(stdout).toMatch(new RegExp(`^  ${name} .*${required ? '(Required|Found by pairing)' : ''}`, 'm'));
    expect(stdout).toMatch(new RegExp(`^  belfry channel add ${type}( --set .*)? --yes$`, 'm'));
    expect(stdout.split('\n').filter((line) => line.length > 80 && !line.startsWith('  belfry '))).toEqual([]);
  },
);
