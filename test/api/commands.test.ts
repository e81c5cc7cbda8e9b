// What the commands make of answers and input: whole JSON, CSV, merged names, refusals, settings.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { define } from '../../src/cli/api/index.ts';
import { processIo } from '../../src/cli/io.ts';
import { UserError } from '../../src/model/errors.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { api, csvOf, envOf, json } from '../support/service-command.ts';

/** The command itself, without a process: what it throws. */
async function inProcess(url: string, args: readonly string[]): Promise<Error> {
  const command = new Command('belfry api').exitOverride().configureOutput({ writeErr: () => undefined });
  define(command, { ...processIo(false), tty: false, env: envOf(url) }, []);
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

  const DAY = 86_400_000;
  const iso = (daysAgo: number): string => new Date(Date.now() - daysAgo * DAY).toISOString();

  test('--last of a list keeps the rows of these days, on every page, until the order says that only older ones follow', async () => {
    const service = await startReceiver();
    const changes = [[{ at: 0 }, { at: 2 }], [{ at: 3 }, { at: 30 }], [{ at: 31 }]];
    service.answer = (_request, i) =>
      json({
        changes: (changes[i] ?? []).map(({ at }) => ({ revision: 40 - at, settings: {}, updatedAt: iso(at) })),
        pagination: { hasMore: true, nextCursor: `n${i}` },
      });
    const ran = await api(service.url, ['enterprise-controls', 'history', '--last', '7d', '--json']);
    const { changes: rows } = JSON.parse(ran.stdout) as { changes: { revision: number }[] };
    expect([rows.map(({ revision }) => revision), service.requests.length]).toEqual([[40, 38, 37], 2]);
  });

  test('--last where no order is specified reads all pages; a list without pages is cut down as well', async () => {
    const service = await startReceiver();
    const report = (daysAgo: number) => ({
      reportId: `r${daysAgo}`,
      repoUrl: 'https://x',
      apps: {},
      report: {},
      createdAt: Date.now() - daysAgo * DAY,
    });
    service.answer = (_request, i) => json({ reports: [[report(20), report(1)], [report(3)], []][i] });
    const ran = await api(service.url, ['readiness-reports', 'list', '--last', '1w', '--json']);
    const { reports } = JSON.parse(ran.stdout) as { reports: { reportId: string }[] };
    expect([reports.map(({ reportId }) => reportId), service.requests.length]).toEqual([['r1', 'r3'], 3]);
    const computer = (name: string, daysAgo: number) => ({
      id: name,
      name,
      providerType: 'byom',
      createdAt: Date.now() - daysAgo * DAY,
    });
    service.answer = () => json({ computers: [computer('old', 9), computer('new', 1)], beside: 1 });
    const listed = await api(service.url, ['computers', 'list', '--last', '2d', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({ computers: [{ name: 'new' }], beside: 1 });
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
    ['dates and --last', ['analytics', 'tokens', ...day, '--last', '7d'], '--last replaces'],
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
      'appears twice',
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
    expect(ran.stderr).toBe('belfry api sessions get: ID: must not be "." or ".."; nothing was sent\n');
  });

  test('no key: exit 3', async () => {
    const service = await startReceiver();
    const ran = await belfry(temporaryFolder(), ['api', 'computers', 'list'], { env: envOf(service.url, '') });
    expect(ran).toMatchObject({ code: 3, stdout: '' });
    expect(ran.stderr).toMatch(/^belfry api computers list: no API key: set BELFRY_API_KEY.*\n$/);
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
  expect(unset.stderr).toMatch(
    /^belfry api computers list: no API key .*: set OTHER_KEY, or BELFRY_API_KEY; nothing was sent\n$/,
  );
  const more = { ...env, BELFRY_API_BASE_URL: `${service.url}/from-env/`, BELFRY_API_KEY: 'key-of-env' };
  expect((await belfry(home, ['api', 'computers', 'list'], { env: more })).code).toBe(0);
  expect(service.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/from-config/api/v0/computers', 'Bearer key-of-config'],
    ['/from-env/api/v0/computers', 'Bearer key-of-env'],
  ]);
});
