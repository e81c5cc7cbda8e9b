// The command line as people and scripts meet it: help, exit codes, one-line errors, JSON, hostile text.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { commandTree } from '../../src/cli/commands/completion/tree.ts';
import { EXAMPLES } from '../../src/cli/examples.ts';
import { newId } from '../../src/ipc/id.ts';
import { writeSpool } from '../../src/ipc/spool.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { BELFRY, bareEnv, belfry, hook, run, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { sample } from '../support/samples.ts';
import { asked, chatAndWebhookTo, homeWith, stop, verified, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const README = readFileSync(new URL('../../docs/reference/commands.md', import.meta.url), 'utf8');

/** Arguments, exit code, what stderr says. */
const REFUSED: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  ['an unknown command', ['evnts'], 2, /^belfry: unknown command "evnts"; did you mean "events"\?\n$/],
  ['an unknown option', ['--frob'], 2, /^belfry: unknown option --frob; see `belfry --help`\n$/],
  [
    "a command's unknown option",
    ['events', '--sinse', '2h'],
    2,
    /^belfry events: unknown option --sinse; did you mean "--since"\?; see `belfry events --help`\n$/,
  ],
  ['a missing argument', ['why'], 2, /^belfry why: ID is missing; see `belfry why --help`\n$/],
  [
    'an unknown subcommand',
    ['config', 'chekc'],
    2,
    /^belfry config: unknown subcommand "chekc"; did you mean "check"\?; see .*\n$/,
  ],
  [
    'an argument too many',
    ['status', 'now'],
    2,
    /^belfry status: unexpected argument "now"; see `belfry status --help`\n$/,
  ],
  [
    'a shell with a typo',
    ['completion', 'fissh'],
    2,
    /^belfry completion: "fissh" is not one of .*; did you mean "fish"\?; see `belfry completion --help`\n$/,
  ],
  [
    'a shell that is not known',
    ['completion', 'tcsh'],
    2,
    /^belfry completion: "tcsh" is not one of bash, zsh, fish, powershell; see `belfry completion --help`\n$/,
  ],
  ['an option without its value', ['mute', '--channel'], 2, /^belfry mute: --channel needs a value; see /],
  [
    'an option below api',
    ['api', 'sessions', 'get', 'x', '--rloe', 'y'],
    2,
    /^belfry api sessions get: unknown option --rloe; see `belfry api sessions get --help`\n$/,
  ],
  [
    'an argument missing below api',
    ['api', 'computers', 'get'],
    2,
    /^belfry api computers get: NAME is missing; see `belfry api computers get --help`\n$/,
  ],
  [
    'a subcommand nobody knows',
    ['api', 'computers', 'lsit'],
    2,
    /: unknown subcommand "lsit"; did you mean "list"\?; see /,
  ],
  [
    'a value that is not one of the known',
    ['api', 'sessions', 'messages', 'x', '--role', 'bogus'],
    2,
    /^belfry api sessions messages: --role: must be one of user, assistant, tool; nothing was sent\n$/,
  ],
  [
    'nothing to change',
    ['api', 'computers', 'update', 'c'],
    2,
    /^belfry api computers update: nothing to change: give --name or --remote-user; nothing was sent\n$/,
  ],
  [
    'no subcommand, for a program',
    ['config', '--json'],
    2,
    /^belfry config: a subcommand is missing: check, get, set, unset, .*; see .*\n$/,
  ],
  ['a time', ['events', '--since', 'yesterday-ish'], 2, /neither a duration such as 2h nor a date/],
  ['a kind', ['events', '--kind', 'agent.finish'], 2, /there is no kind "agent.finish"/],
  ['a number', ['events', '--limit', '0'], 2, /whole number from 1/],
  ['a number too large', ['deliveries', '--limit', '1e21'], 2, /whole number from 1 to 10000/],
  [
    'a time too long ago',
    ['events', '--since', '99999999999d'],
    2,
    /--since "99999999999d" is too long: at most 3650d/,
  ],
  ['a duration too long', ['mute', '99999999999d'], 2, /"99999999999d" is too long: at most 3650d/],
  ['no duration at all', ['mute', '0s'], 2, /"0s" is not a duration such as 30m/],
  [
    'a timeout too long',
    ['api', 'computers', 'list', '--timeout', '99d'],
    2,
    /--timeout "99d" is too long: at most 1d/,
  ],
  ['a folder that is empty', ['mute', '--cwd', ''], 2, /--cwd is empty/],
  ['an urgency', ['send', 'x', '--urgency', 'high'], 2, /--urgency high: must be one of low, normal, urgent/],
  ['a duration', ['mute', '5x'], 2, /not a duration such as 30m/],
  [
    'clearing without what',
    ['deliveries', 'clear'],
    2,
    /^belfry deliveries clear: --dead is missing; see `belfry deliveries clear --help`\n$/,
  ],
  ['both or neither', ['replay'], 2, /give an ID or --dead/],
  ['an id nobody has', ['why', '01990000-0000'], 4, /no event has the id "01990000-0000": `belfry events` lists them/],
  ['an acknowledgement of nothing', ['ack', 'no-such-id'], 4, /nothing has the id "no-such-id"/],
  ['a file that is not there', ['explain', '/nowhere/x.json'], 4, /: \/nowhere\/x.json does not exist: give /],
];

let empty = '';
beforeAll(() => {
  empty = join('/tmp', `belfry-cli-test-${process.pid}-none`);
});

test.each(REFUSED)('%s is refused with one line', async (_name, args, code, said) => {
  const ran = await belfry(empty, args);
  expect([ran.code, ran.stdout]).toEqual([code, '']);
  expect(ran.stderr).toMatch(said);
  expect(ran.stderr.split('\n')).toHaveLength(2);
});

test('a folder that is gone is said to be gone', async () => {
  const gone = temporaryFolder();
  const script = `mkdir "$1/gone" && cd "$1/gone" && rmdir "$1/gone" && exec "$2" "$3" mute 1h --cwd .`;
  const ran = await run('/bin/sh', ['-c', script, 'sh', gone, process.execPath, BELFRY], bareEnv(gone));
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([
    2,
    '',
    'belfry mute: the folder that you are in is gone: give --cwd a whole path, or change to another folder\n',
  ]);
});

test('--help lists every command once, each has help of its own, and docs/reference/commands.md names it', async () => {
  const ran = await belfry(empty, ['--help']);
  expect(ran.code).toBe(0);
  const shown = COMMANDS.filter((entry) => entry.hidden !== true);
  for (const { name, summary } of shown) {
    expect(ran.stdout).toContain(`  ${name} `);
    expect(ran.stdout).toContain(summary);
    expect(README).toMatch(new RegExp(`[\`\\s]${name}\\b`));
  }
  expect(Math.max(...ran.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  const one = await belfry(empty, ['help', 'events']);
  expect([one.code, one.stdout.includes('--follow')]).toEqual([0, true]);
  const below = await belfry(empty, ['help', 'channel', 'list']);
  expect([below.code, below.stdout]).toEqual([0, expect.stringMatching(/^ +--json +machine output/m)]);
  expect((await belfry(empty, ['--version'])).stdout).toMatch(/^belfry \d+\.\d+\.\d+\n$/);
});

test('a group of commands without one of them prints its help, as `belfry` does, and is bad usage', async () => {
  const spots = await commandTree(COMMANDS);
  const groups = [...new Set(spots.flatMap(({ path }) => path.slice(1).map((_, i) => path.slice(0, i + 1).join(' '))))];
  expect(groups).toEqual(expect.arrayContaining(['channel', 'config', 'secret', 'service', 'token', 'api computers']));
  // It lists them, and has a subcommand besides.
  expect((await belfry(empty, ['deliveries'])).code).toBe(0);
  for (const group of groups.filter((one) => one !== 'deliveries')) {
    const [alone, asked] = await Promise.all([
      belfry(empty, group.split(' ')),
      belfry(empty, [...group.split(' '), '--help']),
    ]);
    expect([group, alone.code, alone.stderr, alone.stdout]).toEqual([group, 2, '', asked.stdout]);
    expect(asked.stdout).toMatch(new RegExp(`^Usage: belfry ${group} `));
  }
});

test('every command and subcommand has an example with words and options that exist', async () => {
  const spots = await commandTree(COMMANDS);
  const named = (words: string) => spots.find(({ path }) => path.length > 0 && path.join(' ') === words);
  for (const { path } of spots.slice(1)) expect(EXAMPLES, path.join(' ')).toHaveProperty([path.join(' ')]);
  for (const [words, examples] of Object.entries(EXAMPLES)) {
    expect(named(words), words).toBeDefined();
    for (const example of examples) {
      expect(`${example} `.startsWith(`${words} `), example).toBe(true);
      const [, ...typed] = example.split(' ');
      const depth = typed.findIndex(
        (_, i) =>
          !named(
            example
              .split(' ')
              .slice(0, i + 2)
              .join(' '),
          ),
      );
      const spot = named(
        example
          .split(' ')
          .slice(0, depth < 0 ? undefined : depth + 1)
          .join(' '),
      );
      const known = ['-f', '--json', ...(spot?.options.map(({ name }) => name) ?? [])];
      for (const [option] of example.matchAll(/(?<= )--?[a-z][\w-]*/g)) expect(known, example).toContain(option);
    }
  }
  const help = await belfry(empty, ['config', 'set', '--help']);
  expect(help.stdout).toContain('Examples:\n  belfry config set retention.days 60\n');
});

test('reading needs no daemon and no home; status says 7', async () => {
  const home = temporaryFolder();
  for (const list of ['events', 'deliveries', 'sessions']) {
    expect(await asked(home, [list])).toEqual([]);
    const plain = await belfry(home, [list]);
    expect([plain.code, plain.stdout]).toEqual([0, '']);
  }
  expect([(await belfry(home, ['status'])).code, (await belfry(home, ['status', '--json'])).code]).toEqual([7, 7]);
  expect(await asked(home, ['status'])).toMatchObject({ running: false, spooled: 0 });
  expect(await belfry(home, ['daemon', 'status'])).toMatchObject({ code: 7, stdout: 'not running\n' });
  expect((await belfry(home, ['daemon', 'service', '--help'])).stdout).toContain('belfry service');
});

test('send starts a missing daemon and says where it was sent; why, event, replay and mute answer by the beginning of an id', async () => {
  const chat = await startReceiver();
  const audit = await startReceiver();
  const toChat = '[[routes]]\nmatch = { kind = ["test"] }\nto = ["chat"]\n[[routes]]';
  const home = homeWith(chatAndWebhookTo(chat.url, audit.url).replace('[[routes]]', toChat));
  onTestFinished(async () => void (await belfry(home, ['stop'])));
  const sent = await asked<{ id: string; deliveries: { channel: string; state: string }[] }>(home, [
    'send',
    'Hello',
    'World',
  ]);
  expect(sent.deliveries).toEqual([expect.objectContaining({ channel: 'chat', state: 'sent' })]);
  const short = sent.id.slice(0, 18);
  const why = await asked<Record<string, unknown>>(home, ['why', short]);
  expect(why).toMatchObject({
    event: { id: sent.id, kind: 'test', agent: 'belfry' },
    deliveries: [{ channel: 'chat', state: 'sent', attempts: [{ number: 1, ok: true, status: 200 }] }],
  });
  expect((await belfry(home, ['why', short])).stdout).toMatch(
    /It goes to chat by route 1[\s\S]*chat: sent +Hello\n[\s\S]*attempt 1: accepted \(200\)/,
  );
  expect((await belfry(home, ['event', short])).stdout).toContain(sent.id);
  const again = await asked<{ replayed: { state: string }[] }>(home, ['replay', short]);
  expect(again.replayed).toEqual([expect.objectContaining({ channel: 'chat', state: 'sent' })]);
  expect(chat.requests).toHaveLength(2);
  expect((await belfry(home, ['mute', '1h'])).stdout).toMatch(
    /^muted: everything, until 20[^;]*; urgent events still come through\n$/,
  );
  expect((await belfry(home, ['send', 'quiet'])).stdout).toMatch(/^not sent: muted/);
  expect((await belfry(home, ['send', 'noted', '--kind', 'agent.waiting'])).stdout).toContain('audit: delivered\n');
  expect(audit.requests.map((request) => verified(request).data.notification)).toMatchObject([
    { title: 'noted', count: 1 },
  ]);
  expect((await belfry(home, ['send', 'loud', '--urgency', 'urgent'])).stdout).toBe('chat: delivered\n');
  expect((await belfry(home, ['unmute'])).stdout).toBe('1 mute ended\n');
  await until(() => chat.requests.length === 4, 'the digest of what was muted');
  chat.answer = () => 400;
  const failed = await belfry(home, ['send', 'bad']);
  expect([failed.code, failed.stdout]).toEqual([5, expect.stringMatching(/chat: given up: answered 400/)]);
  const [dead] = await asked<{ event_id: string }[]>(home, ['deliveries', '--failed']);
  expect(dead).toMatchObject({ state: 'dead', last_reason: 'client', title: 'bad' });
  expect((await belfry(home, ['why', dead?.event_id ?? ''])).stdout).toMatch(
    /attempt 1: failed: answered 400: [^;]+; given up: rejected by the receiver\n/,
  );
  expect(await belfry(home, ['test', 'nope'])).toMatchObject({
    code: 4,
    stdout: '',
    stderr: expect.stringMatching(/there is no channel "nope"; known: chat, audit/),
  });
});

test('--follow prints each event once, also one that was recorded after a later one', async () => {
  const home = homeWith('[[routes]]\nto = []\n');
  const { spool: folder } = pathsBelow(home);
  const put = (session: string, at: number): void => {
    const raw = Buffer.from(JSON.stringify(stop(session)));
    const origin = { pid: 1, ppid: 1, env: {} };
    expect(
      writeSpool(folder, { id: newId(at), agent: 'claude', startedAt: at, receivedAt: at, origin, raw }),
    ).toBeNull();
  };
  const listed = async (): Promise<number> =>
    (await belfry(home, ['events', '--json'])).stdout.split('"session_id"').length - 1;
  const now = Date.now();
  put('later', now);
  await startDaemon(home);
  await until(async () => (await listed()) === 1, 'the first event');
  put('earlier', now - 60_000);
  await until(async () => (await listed()) === 2, 'the second event');
  const follower = spawn(process.execPath, [BELFRY, 'events', '--follow', '--json'], {
    env: bareEnv(home),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void follower.kill('SIGKILL'));
  const sessions: string[] = [];
  createInterface({ input: follower.stdout }).on('line', (line) => sessions.push(JSON.parse(line).session_id));
  await until(() => sessions.length >= 2, 'the two of before');
  put('last', now + 1);
  await until(() => sessions.includes('last'), 'the third event');
  expect(sessions).toEqual(['earlier', 'later', 'last']);
});

test('hostile text reaches the terminal as text, a closed pipe is no error, --follow is live', async () => {
  const home = homeWith('[[routes]]\nto = []\n');
  await startDaemon(home);
  const follower = spawn(process.execPath, [BELFRY, 'events', '--follow', '--json'], {
    env: bareEnv(home),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void follower.kill('SIGKILL'));
  let followed = '';
  follower.stdout.on('data', (chunk: Buffer) => {
    followed += chunk.toString();
  });
  const hostile = 'a\u001b[31mb\u001b]0;title\u0007\u202e\r\nc\u009b2J';
  await hook(home, JSON.stringify({ ...stop('hostile', hostile), message: hostile, cwd: `/tmp/${hostile}` }));
  await until(() => followed.includes('\n'), 'the event to be followed');
  expect(JSON.parse(followed.split('\n')[0] ?? '')).toMatchObject({ kind: 'agent.finished', session_id: 'hostile' });
  for (const args of [['events'], ['sessions'], ['deliveries']]) {
    const { stdout } = await belfry(home, args);
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(stdout.split('\n').length).toBeLessThanOrEqual(2);
  }
  const reader = spawn(process.execPath, [BELFRY, 'config', 'schema'], {
    env: bareEnv(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  reader.stdout.destroy();
  let complaint = '';
  reader.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  await once(reader, 'close');
  expect([reader.exitCode, complaint]).toEqual([0, '']);
});

test('explain says what would be sent, and sends nothing', async () => {
  const audit = await startReceiver();
  const home = homeWith(webhookTo(audit.url));
  const input = sample('droid', 'SessionEnd', 'exec-plain');
  const explained = await asked(home, ['explain', input.path]);
  expect(explained).toMatchObject({
    agent: 'droid',
    event: { kind: 'session.ended', abnormal: true, urgency: 'urgent' },
    channels: ['audit'],
    notifications: [{ channel: 'audit', title: expect.stringContaining('ended abnormally') }],
  });
  writeFileSync(join(home, 'bad.json'), '[1]');
  expect(await belfry(home, ['explain', join(home, 'bad.json')])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('quarantine'),
  });
  expect([audit.requests.length, await asked(home, ['events'])]).toEqual([0, []]);
});

test('a broken file: start and daemon refuse with line and column; a secret is never shown', async () => {
  const home = homeWith('[retention]\ndays = "x"\n');
  for (const args of [['start'], ['daemon']]) {
    const ran = await belfry(home, args);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringMatching(/config\.toml:2:8: retention\.days: must be a number; fix it/),
    ]);
  }
  expect((await belfry(home, ['config', 'check'])).code).toBe(2);
  const open = homeWith(`[api]\nkey = "sesame-open"\n${webhookTo('https://example.com/x')}`);
  for (const args of [
    ['config', 'show'],
    ['config', 'show', '--json'],
    ['config', 'check'],
    ['config', 'check', '--json'],
  ]) {
    const ran = await belfry(open, args);
    expect(ran.code).toBe(0);
    expect(ran.stdout + ran.stderr).not.toMatch(/sesame|whsec_/);
  }
  expect((await belfry(open, ['config', 'show'])).stdout).toMatch(/retried after 5s, 30s, 2m, 10m, 30m, 2h, 5h, 10h/);
});
