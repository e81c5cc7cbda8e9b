// What stands beside the rows: that more follow, that a range was cut, what is missing; and waiting for what was created.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry, BELFRY, bareEnv, run } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { api, envOf, json } from '../support/service-command.ts';

const day = ['--start-date', '2026-02-01', '--end-date', '2026-02-01'];

describe('a part is called one', () => {
  const page = (more: boolean) => ({
    data: [{ user_id: 'u1', user_email: 'a@example.com', date: '2026-02-01', billable_tokens: 5 }],
    meta: { has_more: more, next_cursor: more ? "it's u1" : null },
  });

  test.each([
    [
      'more follows',
      [],
      true,
      "1 row, and there is more: add --all for everything, or --cursor 'it'\\''s u1' for the next page\n",
    ],
    [
      'as CSV too',
      ['--csv'],
      true,
      "1 row, and there is more: add --all for everything, or --cursor 'it'\\''s u1' for the next page\n",
    ],
    ['not beside a whole document', ['--json'], true, ''],
    ['all is there', [], false, ''],
  ])('%s', async (_name, more, follows, said) => {
    const service = await startReceiver();
    service.answer = () => json(page(follows));
    const ran = await api(service.url, ['analytics', 'users', ...day, ...more]);
    expect(ran).toMatchObject({ code: 0, stderr: said });
  });

  test('a service that does not say: there may be more where the page is full', async () => {
    const service = await startReceiver();
    const report = { reportId: 'r1', createdAt: 1, repoUrl: 'https://x', apps: {}, report: {} };
    service.answer = () => json({ reports: [report] });
    const full = await api(service.url, ['readiness-reports', 'list', '--limit', '1']);
    expect(full.stderr).toBe(
      '1 row, and there may be more: add --all for everything, or --start-after r1 for the next page\n',
    );
    const short = await api(service.url, ['readiness-reports', 'list', '--limit', '2']);
    expect(short.stderr).toBe('');
  });

  test('--all warns where the service repeats itself, and prints each report once', async () => {
    const service = await startReceiver();
    const report = { reportId: 'r1', createdAt: 1, repoUrl: 'https://x', apps: {}, report: {} };
    service.answer = () => json({ reports: [report] });
    const ran = await api(service.url, ['readiness-reports', 'list', '--all', '--json']);
    expect(JSON.parse(ran.stdout)).toEqual({ reports: [report] });
    expect(ran.stderr).toMatch(
      /^belfry api readiness-reports list: the service gave the same rows again .*may be incomplete\n$/,
    );
  });
});

describe('said before anything is sent', () => {
  test.each([
    [
      'no dates',
      ['analytics', 'tokens'],
      '--start-date and --end-date: missing (or --last 7d instead of both dates); nothing was sent',
    ],
    ['nothing of a computer', ['computers', 'create'], '--name and --remote-user: missing; nothing was sent'],
    [
      'no computer',
      ['sessions', 'create'],
      '--computer-id: missing (`belfry api computers list` shows the ids); nothing was sent',
    ],
    [
      'an empty text',
      ['sessions', 'send', 's', '--text', ' '],
      '--text is empty: give the message to send; nothing was sent',
    ],
    [
      'a wait that is none',
      ['computers', 'create', '--name', 'n', '--remote-user', 'u', '--wait', 'long'],
      '--wait must be a duration such as 10m; nothing was sent',
    ],
    [
      'no subcommand, for a program',
      ['usage-limits', '--json'],
      'a subcommand is missing: set; see `belfry api usage-limits --help`',
    ],
  ])('%s', async (_name, args, says) => {
    const service = await startReceiver();
    const ran = await api(service.url, args);
    const command = args.slice(0, 2).filter((arg) => !arg.startsWith('--'));
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: `belfry api ${command.join(' ')}: ${says}\n` });
    expect(service.requests).toHaveLength(0);
  });

  test('--last beyond the history is cut, and it is said', async () => {
    const service = await startReceiver();
    service.answer = () => json({ data: [], meta: {} });
    const ran = await api(service.url, ['analytics', 'tokens', '--last', '9000d', '--json']);
    expect(ran.stderr).toMatch(
      /^the history begins on 2026-01-14: --last 9000d was shortened to the \d+ days up to .*\n$/,
    );
    expect(service.requests[0]?.path).toContain('startDate=2026-01-14');
  });
});

test('--json before the command', async () => {
  const service = await startReceiver();
  service.answer = () => json({ computers: [] });
  const ran = await belfry(temporaryFolder(), ['--json', 'api', 'computers', 'list'], { env: envOf(service.url) });
  expect(ran).toMatchObject({ code: 0, stdout: '{"computers":[]}\n', stderr: '' });
});

describe('with the mock service', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());
  const env = () => ({ ...envOf(sandbox.baseUrl, sandbox.apiKey), BELFRY_API_APP_URL: sandbox.appUrl });

  test('create --wait ends when the computer is active, or has failed', async () => {
    const create = ['api', 'computers', 'create', '--remote-user', 'me', '--json', '--wait', '1m', '--name'];
    const good = await belfry(temporaryFolder(), [...create, 'mine'], { env: env() });
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(good.stdout)).toMatchObject({ name: 'mine', status: 'active' });
    const bad = await belfry(temporaryFolder(), [...create, 'will-fail'], { env: env() });
    expect(bad.code).toBe(5);
    expect(JSON.parse(bad.stdout)).toMatchObject({ status: 'error' });
    expect(bad.stderr).toMatch(
      /^belfry api computers create: provisioning failed at "Install agent": .*get will-fail`\n$/,
    );
  });

  test.skipIf(process.platform !== 'linux')(
    'a terminal of 80 columns: no line is wider, no colour with NO_COLOR; progress while stdout is a file',
    async () => {
      const home = temporaryFolder();
      const vars = bareEnv(home, { ...env(), TERM: 'xterm' });
      const on = (command: string) =>
        run('script', ['-qec', `stty cols 80; ${process.execPath} ${BELFRY} api ${command}`, '/dev/null'], vars, {
          cwd: home,
        });
      const seen = await on('enterprise-controls history --all');
      expect(seen.stdout).toContain('\u001b[Kpage 3, 45 rows');
      const table = seen.stdout.split('\u001b[K').at(-1) ?? '';
      expect(table.split(/\r?\n/).filter((line) => [...line].length > 80)).toEqual([]);
      expect(table).not.toContain('\u001b');
      expect(table).toContain('first revision: ');
      const filed = await on('readiness-reports list --all --csv > out.csv');
      expect(filed.stdout).toContain('page 3, 48 rows');
    },
  );
});
