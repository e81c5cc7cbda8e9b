// `belfry setup` as a person answers it on a terminal: channels asked for and tested one by one, what fails asked again, a second run, a change of mind.
import { channels } from '../../src/channels/index.ts';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshHome, settings, tree } from '../support/fresh-home.ts';
import { startMailServer } from '../channels/mail-server.ts';
import { startNtfyServer } from '../support/ntfy-server.ts';
import { bareEnv, BELFRY, belfry } from '../support/programs.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { APP_TOKEN, BOT_TOKEN, CHANNEL, startSlackServer } from '../support/slack-server.ts';
import { KEYS, onTerminal, type Step } from '../support/terminal.ts';

const { enter, space, down, cancel } = KEYS;

/** The keys from one channel of the list to another; where there is no desktop, and without those that are there already. */
function to(channel: string, from = 'ntfy', without: readonly string[] = []): string {
  const listed = channels.map(({ type }) => type).filter((type) => type !== 'desktop' && !without.includes(type));
  return down.repeat(listed.indexOf(channel) - listed.indexOf(from));
}
const setup = (home: string, env: Record<string, string | undefined>, steps: readonly Step[]) =>
  onTerminal([process.execPath, BELFRY, 'setup', '--no-service'], bareEnv(home, env), steps);
const config = (home: string): string => readFileSync(join(home, '.config', 'belfry', 'config.toml'), 'utf8');
/** A receiver of the tests is on this machine. */
const local: Step = ['is on this machine', enter];
const agents: readonly Step[] = [
  ['Which agents', enter],
  ['answer from elsewhere, too', enter],
];

const token = (typed: string): Step => ['Access token', `${typed}${enter}`];
const user: Step = ['User name', enter];

/** ntfy, whose first server is none; with what is typed after its topic. */
const askedTwice = (url: string, first: readonly Step[], second: readonly Step[]): readonly Step[] => [
  ['How should Belfry notify you?', `${space}${enter}`],
  ['Server', `${'\u007f'.repeat('https://ntfy.sh'.length)}http://127.0.0.1:9${enter}`],
  ['Topic', enter],
  ...first,
  local,
  ['Ask for ntfy again?', enter],
  ['http://127.0.0.1:9', `${'\u007f'.repeat('http://127.0.0.1:9'.length)}${url}${enter}`],
  ['Topic', enter],
  ...second,
  local,
  ['Send a test message', enter],
];

/** Slack's incoming webhook: what it refuses is refused. */
async function startSlackWebhook(): Promise<Receiver> {
  const slack = await startReceiver();
  slack.answer = ({ headers, body }) => {
    const { text, blocks } = JSON.parse(body) as { text?: string; blocks?: unknown[] };
    if (headers['content-type']?.startsWith('application/json') && text && (blocks?.length ?? 0) <= 50)
      return { status: 200, body: 'ok' };
    return { status: 400, body: 'invalid_payload' };
  };
  return slack;
}

test('without a desktop: ntfy to a server of one’s own, after a mistake; it works in the next daemon, and all is removed', async () => {
  const { home, env, before } = freshHome();
  const server = await startNtfyServer();
  const done = await setup(home, env, [...agents, ...askedTwice(server.url, [token(''), user], [token(''), user])]);
  expect(done.screen).toMatch(/127\.0\.0\.1 refused the connection/);
  expect(done.code, done.screen).toBe(0);
  const summary = done.screen
    .slice(done.screen.lastIndexOf('Settings  '))
    .trimEnd()
    .split(/\r?\n(?=\S)/);
  expect(summary.map((line) => line.split(' ')[0])).toEqual([
    'Settings',
    'Agents',
    'Answers',
    'Channels',
    'Daemon',
    'Next',
  ]);
  expect(done.screen).toMatch(/point the phone's camera at this:\s+│ {2}█{20}/);
  expect(server.published).toHaveLength(1);
  expect(config(home)).toMatch(/\[channels\.ntfy\]\ntype = "ntfy"\nserver = ".*"\ntopic = "secret:ntfy_topic"/);
  expect(await belfry(home, ['config', 'check'], { env })).toMatchObject({ code: 0, stderr: '' });
  await belfry(home, ['restart'], { env });
  expect((await belfry(home, ['test'], { env })).code).toBe(0);
  expect(server.published).toHaveLength(2);

  const purge = [process.execPath, BELFRY, 'uninstall', '--purge'];
  const kept = await onTerminal(purge, bareEnv(home, env), [['Delete all of it?', enter]]);
  expect(kept).toMatchObject({ code: 1, screen: expect.stringMatching(/config\.toml[\s\S]*nothing was changed/) });
  expect(config(home)).toContain('secret:ntfy_topic');
  expect(readFileSync(join(home, '.claude', 'settings.json'), 'utf8')).toContain('belfry-hook');
  expect((await onTerminal(purge, bareEnv(home, env), [['Delete all of it?', `y`]])).code).toBe(0);
  expect(readFileSync(join(home, '.claude', 'settings.json'), 'utf8')).toBe(settings);
  expect(tree(home)).toEqual(before);
});

test('Slack by its webhook, and a webhook of one’s own; a second run changes nothing and offers the rest', async () => {
  const { home, env } = freshHome();
  const slack = await startSlackWebhook();
  const audit = await startReceiver();
  const done = await setup(home, env, [
    ...agents,
    ['How should Belfry notify you?', `${to('slack')}${space}${to('webhook', 'slack')}${space}${enter}`],
    ['Webhook URL', `${slack.url}/services/T0/B0/x${enter}`],
    local,
    ['URL to POST to', `${audit.url}/events${enter}`],
    ['Signing secret', `not-so-secret${enter}`],
    local,
  ]);
  expect(done.code, done.screen).toBe(0);
  expect(done.screen).not.toMatch(/services\/T0|not-so-secret/);
  expect(done.screen).toMatch(/slack: test notification sent; its secret is stored in/);
  expect([slack.requests.length, audit.requests.length]).toEqual([1, 1]);
  expect(audit.requests[0]?.headers['webhook-signature']).toMatch(/^v1,/);
  const written = config(home);
  expect(written).toContain('to = ["slack", "webhook"]');

  const again = await setup(home, env, [...agents, ['You have slack, webhook. Add another way', enter]]);
  expect(again.code, again.screen).toBe(0);
  expect(config(home)).toBe(written);
  expect([slack.requests.length, audit.requests.length]).toEqual([2, 2]);
});

test('a channel added to settings of one’s own goes to the route that is picked', async () => {
  const { home, env } = freshHome();
  const [mine, audit] = [await startReceiver(), await startReceiver()];
  mkdirSync(join(home, '.config', 'belfry'), { recursive: true });
  const text = `# mine\n[channels.a]\ntype = "slack"\nurl = "${mine.url}"\nallow_private = true\n\n[[routes]] # all\nto = ["a"]\n`;
  writeFileSync(join(home, '.config', 'belfry', 'config.toml'), text, { mode: 0o600 });
  const done = await setup(home, env, [
    ...agents,
    ['You have a. Add another way', `${to('webhook', 'ntfy', ['slack'])}${space}${enter}`],
    ['URL to POST to', `${audit.url}${enter}`],
    ['Signing secret', enter],
    local,
    ['Which routes should webhook be added to?', enter],
  ]);
  expect(done.code, done.screen).toBe(0);
  expect(config(home)).toContain('[[routes]] # all\nto = ["a", "webhook"]\n');
  expect(done.screen).toMatch(/config\.toml \(channels added\)/);
  expect([mine.requests.length, audit.requests.length]).toEqual([1, 1]);
});

test('a change of mind in the middle changes nothing', async () => {
  const { home, env, before } = freshHome();
  const done = await setup(home, env, [
    ...agents,
    ['How should Belfry notify you?', `${space}${enter}`],
    ['Server', cancel],
    ['Ask for ntfy again?', cancel],
  ]);
  expect(done.code).toBe(1);
  expect(done.screen).toMatch(/cancelled; nothing was changed/);
  expect(tree(home)).toEqual(before);
});

test('a wrong token asks again with what was typed; Esc in another channel keeps the finished one', async () => {
  const { home, env } = freshHome();
  const slack = await startSlackWebhook();
  const server = await startNtfyServer();
  server.rules.users = { 'Bearer tk_right': 'me' };
  const done = await setup(home, env, [
    ...agents,
    ['How should Belfry notify you?', `${space}${to('slack')}${space}${enter}`],
    ['Server', `${'\u007f'.repeat('https://ntfy.sh'.length)}${server.url}${enter}`],
    ['Topic', `-mine${enter}`],
    ['Access token', `tk_wrong${enter}`],
    local,
    ['Ask for ntfy again?', enter],
    [server.url, enter],
    // The same topic, not another random one.
    ['-mine', enter],
    ['keep what you typed', `tk_right${enter}`],
    local,
    ['Send a test message', enter],
    ['Webhook URL', `${slack.url}/services/T0/B0/x${enter}`],
    ['is on this machine', cancel],
    ['Ask for slack again?', `${down}${enter}`],
  ]);
  expect(done.code, done.screen).toBe(0);
  expect(done.screen).toContain('refuses the account');
  expect(done.screen).not.toMatch(/tk_(?:right|wrong)/);
  expect(server.published.map(({ topic }) => topic)).toEqual([expect.stringMatching(/^belfry-\w{16}-mine$/)]);
  expect(slack.requests).toEqual([]);
  expect(config(home)).toMatch(/^\[channels\.ntfy\]/m);
  expect(config(home)).not.toMatch(/^\[channels\.slack\]/m);
});

test('a token that was typed by mistake can be left out in the next try', async () => {
  const { home, env } = freshHome();
  const server = await startNtfyServer();
  const done = await setup(home, env, [
    ...agents,
    ...askedTwice(server.url, [token('tk_mistake')], [['or type - to leave it out', `-${enter}`], user]),
  ]);
  expect(done.code, done.screen).toBe(0);
  expect(server.published).toHaveLength(1);
  expect(config(home)).not.toContain('ntfy_token');
});

test('mail through a relay on this machine is allowed where somebody says so', async () => {
  const { home, env } = freshHome();
  const relay = await startMailServer();
  const add = [process.execPath, BELFRY, 'channel', 'add', 'email', '--no-test'];
  const done = await onTerminal(add, bareEnv(home, env), [
    ['Mail server', `127.0.0.1${enter}`],
    ['Encryption', `${'\u007f'.repeat('starttls'.length)}none${enter}`],
    ['Port', `${relay.port}${enter}`],
    ['User name', enter],
    ['Sender', `belfry@example.com${enter}`],
    ['Recipient', `me@example.com${enter}`],
    local,
  ]);
  expect(done.code, done.screen).toBe(0);
  expect(config(home)).toMatch(/host = "127\.0\.0\.1"[\s\S]*allow_private = true/);
  expect((await belfry(home, ['test', 'email'], { env })).code).toBe(0);
  expect(relay.mails).toHaveLength(1);
});

test('a Slack app in a channel: who may answer is asked, an id that is none is asked again, and nobody is no answer', async () => {
  const server = await startSlackServer();
  for (const [given, kept] of [
    [`["nobody"]`, null],
    [`["U042"]`, 'allow = ["U042"]'],
    ['', ''],
  ] as const) {
    const { home, env } = freshHome();
    const command = [process.execPath, BELFRY, 'channel', 'add', 'slack-app', '--set', `api_url=${server.url}/api`];
    const steps: readonly Step[] = [
      ['Bot token', `${BOT_TOKEN}${enter}`],
      ['Channel id', `${CHANNEL}${enter}`],
      ['App-level token, for buttons', `${APP_TOKEN}${enter}`],
      ['Ids of the members who may answer agents', `${given}${enter}`],
      kept === null ? ['must be the id of a member', cancel] : local,
    ];
    const done = await onTerminal(
      command,
      bareEnv(home, env),
      kept === null ? steps : [...steps, ['Send a test message', enter]],
    );
    expect(done.screen).toContain('a channel carries no answers');
    if (kept === null) continue;
    expect(done.code, done.screen).toBe(0);
    if (kept === '') expect(config(home)).not.toContain('allow =');
    else expect(config(home)).toContain(kept);
  }
});
