// What the commands make of answers and files: whole JSON, CSV, merged names, attachments, limits by CSV, following.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { define } from '../../src/cli/api/index.ts';
import { processIo } from '../../src/cli/io.ts';
import { UserError } from '../../src/model/errors.ts';
import { fromCsv } from '../../src/cli/api/limit-entries.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry, type Ran } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';

const KEY = 'sk-secret-0123456789';
const envOf = (url: string, key = KEY) => ({ BELFRY_API_BASE_URL: url, BELFRY_API_APP_URL: url, BELFRY_API_KEY: key });
const json = (body: unknown) => ({ status: 200, body: JSON.stringify(body) });

async function api(url: string, args: readonly string[], home = temporaryFolder()): Promise<Ran> {
  return belfry(home, ['api', ...args], { env: envOf(url), cwd: home });
}

/** The command itself, without a process: what it throws. */
async function inProcess(url: string, args: readonly string[]): Promise<Error> {
  const command = new Command('belfry api').exitOverride().configureOutput({ writeErr: () => undefined });
  define(command, { ...processIo(false), tty: false, env: envOf(url) });
  return command.parseAsync([...args], { from: 'user' }).then(
    () => new Error('nothing was refused'),
    (error: Error) => error,
  );
}

const TOOLS = {
  data: [
    {
      date: '2026-02-01',
      tool_calls: 7,
      later: { nested: [1, null] },
      mcp_by_server: [
        { server: 'GitHub', invocations: 3 },
        { server: 'github', invocations: 4 },
        { server: 'linear', invocations: 1 },
      ],
    },
  ],
  meta: { org_id: 'o', extra: true },
  beside: 'x',
};
const day = ['--start-date', '2026-02-01', '--end-date', '2026-02-01'];

describe('rows', () => {
  test('--json is the answer whole, in its own order', async () => {
    const service = await startReceiver();
    service.answer = () => json(TOOLS);
    const ran = await api(service.url, ['analytics', 'tools', ...day, '--json']);
    expect(ran.stdout).toBe(`${JSON.stringify(TOOLS)}\n`);
    expect(ran.stderr).toBe('');
  });

  test.each([
    ['merged', [], 'github 7, linear 1'],
    ['apart with --raw', ['--raw'], 'GitHub 3, github 4, linear 1'],
  ])('MCP names that differ in case: %s', async (_name, more, expected) => {
    const service = await startReceiver();
    service.answer = () => json(TOOLS);
    const ran = await api(service.url, ['analytics', 'tools', ...day, ...more]);
    expect(ran.stdout).toBe(`date\ttool_calls\tmcp_by_server\n2026-02-01\t7\t${expected}\n`);
  });

  test('--csv: dotted columns, lists as JSON, no formula for a spreadsheet', async () => {
    const service = await startReceiver();
    const computer = { id: '=1+1', name: 'a,"b"', providerType: 'byom', createdAt: -1, x: { y: null, z: [1] } };
    service.answer = () => json({ computers: [computer, { ...computer, name: 'two\nlines', extra: true }] });
    const ran = await api(service.url, ['computers', 'list', '--csv']);
    expect(ran.stdout).toBe(
      'id,name,providerType,createdAt,x.y,x.z,extra\n' +
        `'=1+1,"a,""b""",byom,-1,,[1],\n` +
        `'=1+1,"two\nlines",byom,-1,,[1],true\n`,
    );
  });

  test('--all merges the pages into one document', async () => {
    const service = await startReceiver();
    service.answer = (_request, i) =>
      json({
        changes: [{ revision: 2 - i, settings: {} }],
        pagination: { hasMore: i === 0, nextCursor: i === 0 ? 'n' : null },
      });
    const ran = await api(service.url, ['enterprise-controls', 'history', '--all', '--limit', '1', '--json']);
    expect(JSON.parse(ran.stdout)).toEqual({
      changes: [
        { revision: 2, settings: {} },
        { revision: 1, settings: {} },
      ],
      pagination: { hasMore: false, nextCursor: null },
    });
    expect(service.requests.map(({ path }) => path.split('?')[1])).toEqual(['limit=1', 'limit=1&cursor=n']);
    expect(ran.stderr).toBe('');
  });

  test('controls of a terminal in an answer do not reach it', async () => {
    const service = await startReceiver();
    const computer = { id: 'c', name: '\u001b]0;x\u0007evil\u001b[31m\r\n2', providerType: 'byom', createdAt: 1 };
    service.answer = () => json(computer);
    const ran = await api(service.url, ['computers', 'get', 'x']);
    expect(ran.stdout).toContain('name\tevil 2\n');
    expect(ran.stdout).not.toMatch(/[\u001b\u0007\r]/);
  });
});

describe('refused here, nothing sent: exit 2', () => {
  test.each([
    [
      'a day that does not exist',
      ['analytics', 'tokens', '--start-date', '2026-02-30', '--end-date', '2026-03-01'],
      '--start-date: ',
    ],
    ['a missing date', ['analytics', 'tokens', '--start-date', '2026-02-01'], '--end-date: missing'],
    ['dates and --last', ['analytics', 'tokens', ...day, '--last', '7d'], '--last stands instead'],
    ['a range that is none', ['analytics', 'tokens', '--last', 'week'], '--last must be'],
    ['a limit that is no number', ['analytics', 'users', ...day, '--limit', '1e9'], '--limit: must be a whole number'],
    [
      'a limit beyond the bounds',
      ['analytics', 'users', ...day, '--limit', '101'],
      '--limit: must be a whole number from 1 to 100',
    ],
    ['an id that is a path', ['sessions', 'get', '..'], 'ID: must not be'],
    ['a message id that is a path', ['sessions', 'message', 's', '.'], 'MESSAGE: must not be'],
    [
      'settings that are no object',
      ['sessions', 'create', '--computer-id', 'c', '--settings', '[1]'],
      '--settings must be',
    ],
    [
      'a repository that is no URL',
      ['computers', 'create', '--name', 'n', '--remote-user', 'u', '--repo', 'x y'],
      '--repo: must be',
    ],
    ['no text', ['sessions', 'send', 's'], '--text is missing'],
    ['an image that is none', ['sessions', 'send', 's', '--text', 't', '--image', 'bytes'], 'is not an image'],
    ['a file that is no text', ['sessions', 'send', 's', '--text', 't', '--file', 'bytes'], 'neither a PDF nor a text'],
    ['a file that is not there', ['sessions', 'send', 's', '--text', 't', '--file', 'none'], 'cannot read '],
    ['no user', ['usage-limits', 'set'], 'no user given'],
    ['a user without a limit', ['usage-limits', 'set', '--user', 'a@example.com'], '--user must be EMAIL=LIMIT'],
    ['a bad e-mail', ['usage-limits', 'set', '--user', 'nobody=1'], 'nobody: must be an e-mail address'],
    [
      'a user twice',
      ['usage-limits', 'set', '--user', 'a@example.com=1', '--user', 'A@example.com=2'],
      'is there twice',
    ],
    ['more than 100 users', ['usage-limits', 'set', '--from', 'many.csv'], 'add --batch'],
    ['an option nobody knows', ['computers', 'list', '--nmae', 'x'], 'unknown option'],
  ])('%s', async (_name, args, says) => {
    const service = await startReceiver();
    const home = temporaryFolder();
    writeFileSync(join(home, 'bytes'), Buffer.from([0, 1, 2, 255]));
    writeFileSync(join(home, 'many.csv'), csvOf(101));
    const error = await inProcess(
      service.url,
      args.map((arg) => (['bytes', 'none', 'many.csv'].includes(arg) ? join(home, arg) : arg)),
    );
    const exit =
      error instanceof UserError ? error.exit : 'code' in error && /^commander\./.test(String(error.code)) ? 2 : error;
    expect({ exit, requests: service.requests.length }).toEqual({ exit: 2, requests: 0 });
    expect(error.message).toContain(says);
    expect(error.message).not.toContain('\n');
  });

  test('through the program: one line, nothing on stdout', async () => {
    const ran = await api('http://127.0.0.1:9', ['sessions', 'get', '..']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toBe('belfry api: ID: must not be "." or ".."; nothing was sent\n');
  });

  test('no key: exit 3', async () => {
    const service = await startReceiver();
    const ran = await belfry(temporaryFolder(), ['api', 'computers', 'list'], { env: envOf(service.url, '') });
    expect(ran).toMatchObject({ code: 3, stdout: '' });
    expect(ran.stderr).toMatch(/^belfry api: no API key: set BELFRY_API_KEY.*\n$/);
    expect(service.requests).toHaveLength(0);
  });
});

test('[api] of config.toml is used, and the environment wins over it', async () => {
  const service = await startReceiver();
  service.answer = () => json({ computers: [] });
  const home = temporaryFolder();
  const settings = `[api]\nbase_url = "${service.url}/from-config"\nkey = "env:OTHER_KEY"\n`;
  writeFileSync(join(home, 'config.toml'), settings);
  const env = { OTHER_KEY: 'key-of-config' };
  expect((await belfry(home, ['api', 'computers', 'list'], { env })).code).toBe(0);
  const unset = await belfry(home, ['api', 'computers', 'list']);
  expect(unset).toMatchObject({ code: 3, stdout: '' });
  expect(unset.stderr).toMatch(/^belfry api: no API key .*: set OTHER_KEY, or BELFRY_API_KEY; nothing was sent\n$/);
  const more = { ...env, BELFRY_API_BASE_URL: `${service.url}/from-env/`, BELFRY_API_KEY: 'key-of-env' };
  expect((await belfry(home, ['api', 'computers', 'list'], { env: more })).code).toBe(0);
  expect(service.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/from-config/api/v0/computers', 'Bearer key-of-config'],
    ['/from-env/api/v0/computers', 'Bearer key-of-env'],
  ]);
});

const csvOf = (count: number): string => Array.from({ length: count }, (_, i) => `u${i}@example.com,${i}`).join('\n');

describe('usage-limits set', () => {
  test.each([
    ['plain', 'a@example.com,5\nb@example.com,6.5\n'],
    ['with a header', 'email,limit\na@example.com,5\nb@example.com,6.5'],
    ['columns the other way round', 'limit,name,E-Mail\n5,x,a@example.com\n6.5,y,b@example.com\n'],
    ['quoted', '"email","limit"\n"a@example.com","5"\n"b@example.com","6.5"\n'],
    ['BOM and CRLF', '\uFEFFemail,limit\r\na@example.com,5\r\n\r\nb@example.com,6.5\r\n'],
    ['semicolons', 'email;limit\na@example.com;5\nb@example.com;6.5\n'],
    ['quotes, commas and line feeds in between', 'email,note,limit\na@example.com,"x, ""y""\nz",5\nb@example.com,,6.5'],
    ['old line ends', 'a@example.com,5\rb@example.com,6.5\r'],
  ])('CSV %s', (_name, text) => {
    expect(fromCsv(text, 'f')).toEqual([
      { email: 'a@example.com', limit: 5 },
      { email: 'b@example.com', limit: 6.5 },
    ]);
  });

  test.each([
    ['a limit that is no number', 'email,limit\na@example.com,much', /f:2: the limit "much"/],
    ['no limit column', 'email,credits\na@example.com,5', /without a column "limit"/],
    ['a quote left open', 'a@example.com,"5', /f:1: a quote is not closed/],
  ])('CSV refused: %s', (_name, text, says) => {
    expect(() => fromCsv(text, 'f')).toThrow(says);
  });

  test('--batch sends turns of 100; entries that failed are listed, exit 5', async () => {
    const service = await startReceiver();
    service.answer = (request) => {
      const { users } = JSON.parse(request.body) as { users: { email: string; limit: number }[] };
      const [first, ...updated] = users;
      return json({ updated, errors: [{ email: first?.email, error: 'unknown' }] });
    };
    const home = temporaryFolder();
    writeFileSync(join(home, 'many.csv'), csvOf(250));
    const ran = await api(service.url, ['usage-limits', 'set', '--from', 'many.csv', '--batch', '--json'], home);
    expect(ran.code).toBe(5);
    expect(service.requests.map(({ body }) => (JSON.parse(body) as { users: [] }).users.length)).toEqual([
      100, 100, 50,
    ]);
    const { updated, errors } = JSON.parse(ran.stdout) as { updated: []; errors: [] };
    expect([updated.length, errors.length]).toEqual([247, 3]);
    expect(ran.stderr).toMatch(
      /^belfry api: 3 of 250 entries failed.*: u0@example.com \(unknown\), u100@.*, u200@.*\n$/,
    );
  });

  test('a turn that fails says who is left', async () => {
    const service = await startReceiver();
    service.answer = (request, i) =>
      i === 0 ? json({ updated: (JSON.parse(request.body) as { users: [] }).users, errors: [] }) : 403;
    const home = temporaryFolder();
    writeFileSync(join(home, 'many.csv'), csvOf(150));
    const ran = await api(service.url, ['usage-limits', 'set', '--from', 'many.csv', '--batch'], home);
    expect(ran.code).toBe(3);
    expect(ran.stdout.trim().split('\n')).toHaveLength(100);
    expect(ran.stderr).toContain('stopped with 50 users left, from u100@example.com on: the service answered 403');
  });

  test('--dry-run sends nothing and needs no key', async () => {
    const ran = await belfry(temporaryFolder(), [
      'api',
      'usage-limits',
      'set',
      '--user',
      'a@example.com=5',
      '--dry-run',
      '--json',
    ]);
    expect(ran).toMatchObject({ code: 0, stdout: '{"dryRun":true,"users":[{"email":"a@example.com","limit":5}]}\n' });
  });
});

describe('sessions', () => {
  test('send attaches with the right media types and base names only', async () => {
    const service = await startReceiver();
    service.answer = () => json({ messageId: 'm', status: 'running' });
    const home = temporaryFolder();
    const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
    writeFileSync(join(home, 'screen.jpg'), png);
    writeFileSync(join(home, 'notes.md'), '# Ünïcode\n');
    writeFileSync(join(home, 'paper.pdf'), '%PDF-1.7 \xff');
    writeFileSync(join(home, 'data.unknown'), 'a\n');
    const files = ['notes.md', 'paper.pdf', 'data.unknown'].flatMap((name) => ['--file', join(home, name)]);
    writeFileSync(join(home, 'shot.webp'), 'not yet written');
    const images = ['screen.jpg', 'shot.webp'].flatMap((name) => ['--image', join(home, name)]);
    const args = ['sessions', 'send', 's', '--text', '-dash', ...images, ...files];
    const ran = await api(service.url, [...args, '--computer-id', 'c', '--json'], home);
    expect(ran).toMatchObject({ code: 0, stdout: '{"messageId":"m","status":"running"}\n', stderr: '' });
    const base64 = (name: string): string => readFileSync(join(home, name)).toString('base64');
    const file = (name: string, mediaType: string, parsedData: string) => ({
      type: 'base64',
      mediaType,
      data: base64(name),
      parsedData,
      name,
      path: name,
    });
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({
      text: '-dash',
      images: [
        { type: 'base64', data: png.toString('base64'), mediaType: 'image/png' },
        { type: 'base64', data: base64('shot.webp'), mediaType: 'image/webp' },
      ],
      files: [
        file('notes.md', 'text/markdown', '# Ünïcode\n'),
        file('paper.pdf', 'application/pdf', ''),
        file('data.unknown', 'text/plain', 'a\n'),
      ],
      computerId: 'c',
    });
    expect(service.requests[0]?.body).not.toContain(home);
  });

  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());
  const real = (home: string, args: readonly string[]) =>
    belfry(home, ['api', ...args], { env: { ...envOf(sandbox.baseUrl, sandbox.apiKey) } });

  test('create remembers the id for the watch; follow prints each message once and ends when idle', async () => {
    const home = temporaryFolder();
    const created = await real(home, ['sessions', 'create', '--computer-id', 'comp_f79694f1688b3631', '--json']);
    const { sessionId } = JSON.parse(created.stdout) as { sessionId: string };
    const note = join(home, 'state', 'created-sessions');
    expect(readFileSync(note, 'utf8')).toBe(`${sessionId}\n`);
    expect(statSync(note).mode & 0o777).toBe(0o600);
    expect((await real(home, ['sessions', 'send', sessionId, '--text', 'hello there'])).code).toBe(0);
    const followed = await real(home, ['sessions', 'follow', sessionId, '--json']);
    expect(followed.code).toBe(0);
    const roles = followed.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { role: string }).role);
    expect(roles).toEqual(['user', 'tool', 'assistant']);
  });

  test('unknown session: exit 4', async () => {
    expect((await real(temporaryFolder(), ['sessions', 'get', 'none'])).code).toBe(4);
  });
});
