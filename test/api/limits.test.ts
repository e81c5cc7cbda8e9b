// `usage-limits set`: CSV of every kind, turns of a hundred, entries that failed, a dry run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fromCsv } from '../../src/cli/api/limit-entries.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { api, csvOf, json } from '../support/service-command.ts';

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
