// `usage-limits set`: CSV of every kind, turns of a hundred, entries that failed, a dry run.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gatherLimits } from '../../src/cli/api/limits/limit-entries.ts';
import { parseLimits } from '../../src/api/limits/parse-limits.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { api, csvOf, envOf, json } from '../support/service-command.ts';

describe('usage-limits set', () => {
  test.each([
    ['CSV plain', 'a@example.com,5\nb@example.com,6.5\n'],
    ['with a header', 'email,limit\na@example.com,5\nb@example.com,6.5'],
    ['columns the other way round', 'limit,name,E-Mail\n5,x,a@example.com\n6.5,y,b@example.com\n'],
    ['quoted', '"email","limit"\n"a@example.com","5"\n"b@example.com","6.5"\n'],
    ['BOM and CRLF', '\uFEFFemail,limit\r\na@example.com,5\r\n\r\nb@example.com,6.5\r\n'],
    ['semicolons', 'email;limit\na@example.com;5\nb@example.com;6.5\n'],
    ['quotes, commas and line feeds in between', 'email,note,limit\na@example.com,"x, ""y""\nz",5\nb@example.com,,6.5'],
    ['old line ends', 'a@example.com,5\rb@example.com,6.5\r'],
    ['JSON: a list', '[{"email":"a@example.com","limit":5},{"limit":"6.5","email":"b@example.com"}]'],
    [
      'JSON: as the service takes it',
      '{"users":[{"email":"a@example.com","limit":5},{"email":"b@example.com","limit":6.5}]}',
    ],
    ['JSON: by address', '{"a@example.com":5,\n"b@example.com":6.5}'],
  ])('%s', (_name, text) => {
    const { found, errors } = parseLimits(text.replace(/^\uFEFF/, ''));
    expect([found.map(({ email, limit }) => [email, limit]), errors]).toEqual([
      [
        ['a@example.com', 5],
        ['b@example.com', 6.5],
      ],
      [],
    ]);
  });

  test.each<[string, string, string[]]>([
    [
      'a limit that is no number',
      'email,limit\na@example.com,much',
      ['f:2: the limit "much" is not a number; nothing was sent'],
    ],
    ['an empty file', '', ['f has no entries; nothing was sent']],
    ['a header alone', 'email,limit\n', ['f has no entries; nothing was sent']],
    ['an empty list', '[]', ['f has no entries; nothing was sent']],
    ['no limit column', 'email,credits\na@example.com,5', ['f:1: the header has no column "limit"; nothing was sent']],
    ['a quote left open', 'a@example.com,"5', ['f:1: closing quote missing; nothing was sent']],
    ['broken JSON', '[\n{"email":"a@example.com",\n"limit" 5}]', ['f:3: invalid JSON from here on; nothing was sent']],
    [
      'every error at once',
      'email,limit\nnobody,1\na@example.com,5\nb@example.com,\nA@example.com,6\nc@example.com,9007199254740993\n',
      [
        'f:2: "nobody" must be an e-mail address',
        'f:4: the limit "" is not a number',
        'f:5: A@example.com appears twice, first at f:3',
        'f:6: the limit 9007199254740993 must be at most 9007199254740991',
        '4 entries are invalid (listed above): correct them first; nothing was sent',
      ],
    ],
    [
      'every error of JSON at once',
      '{"beside":[1],\n"users":[\n{"email":"a@example.com","limit":5},\n{"email":"b]@example.com","limit":1},\n7, {"email":"c@example.com",\n"limit":null}]}',
      [
        'f:4: "b]@example.com" must be an e-mail address',
        'f:5: the limit "" is not a number',
        'f:5: the limit "null" is not a number',
        '3 entries are invalid (listed above): correct them first; nothing was sent',
      ],
    ],
  ])('refused: %s', async (_name, text, says) => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'f'), text);
    const said: string[] = [];
    await gatherLimits([], join(home, 'f'), (line) => void said.push(line)).catch((error: Error) => {
      said.push(error.message);
    });
    expect(said.map((line) => line.replaceAll(`${home}/`, ''))).toEqual(says);
  });

  test('an e-mail address with a = of its own; the last = comes before the limit', async () => {
    const service = await startReceiver();
    service.answer = () => json({ updated: [], errors: [], later: { id: 7 } });
    const ran = await api(service.url, ['usage-limits', 'set', '--user', 'a=b+c@example.com=500', '--json']);
    expect(ran).toMatchObject({ code: 0, stdout: '{"updated":[],"errors":[],"later":{"id":7}}\n' });
    expect(service.requests[0]?.body).toBe('{"users":[{"email":"a=b+c@example.com","limit":500}]}');
  });

  test('a negative limit is the service’s to judge; fields nobody knows stay beside failed entries too', async () => {
    const service = await startReceiver();
    const answer = { updated: [], errors: [{ email: 'a@example.com', error: 'too low', code: 7 }], later: [1] };
    service.answer = () => json(answer);
    const ran = await api(service.url, ['usage-limits', 'set', '--user', 'a@example.com=-5', '--json']);
    expect(service.requests[0]?.body).toBe('{"users":[{"email":"a@example.com","limit":-5}]}');
    expect([ran.code, JSON.parse(ran.stdout)]).toEqual([5, answer]);
  });

  test('--from - reads standard input', async () => {
    const service = await startReceiver();
    service.answer = () => json({ updated: [{ email: 'a@example.com', limit: 5 }], errors: [] });
    const ran = await belfry(temporaryFolder(), ['api', 'usage-limits', 'set', '--from', '-'], {
      env: envOf(service.url),
      input: '\uFEFF[{"email":"a@example.com","limit":5}]',
    });
    expect(ran).toMatchObject({ code: 0, stdout: 'a@example.com\t5\n', stderr: 'the limit is set\n' });
  });

  test('many failed entries are a table, and a file that --from reads again', async () => {
    const service = await startReceiver();
    service.answer = (request) => {
      const { users } = JSON.parse(request.body) as { users: { email: string }[] };
      return json({ updated: [], errors: users.map(({ email }) => ({ email, error: 'no such user, sorry' })) });
    };
    const home = temporaryFolder();
    writeFileSync(join(home, 'some.csv'), csvOf(12));
    const args = ['usage-limits', 'set', '--from', 'some.csv', '--failed-to', 'failed.csv'];
    const ran = await api(service.url, args, home);
    expect(ran).toMatchObject({ code: 5, stdout: '' });
    const lines = ran.stderr.trimEnd().split('\n');
    expect([lines.length, lines[0], lines[11], lines[12]]).toEqual([
      13,
      'u0@example.com    0  no such user, sorry',
      'u11@example.com  11  no such user, sorry',
      'belfry api usage-limits set: 12 of 12 entries failed; see failed.csv; correct them and send them again',
    ]);
    const failed = readFileSync(join(home, 'failed.csv'), 'utf8');
    expect(failed.split('\n').slice(0, 2)).toEqual(['email,limit,error', 'u0@example.com,0,"no such user, sorry"']);
    service.requests.length = 0;
    expect((await api(service.url, ['usage-limits', 'set', '--from', 'failed.csv'], home)).code).toBe(5);
    expect((JSON.parse(service.requests[0]?.body ?? '') as { users: [] }).users).toHaveLength(12);
  });

  test('a turn that fails leaves the rest in the file; a file that cannot be written is refused before', async () => {
    const service = await startReceiver();
    service.answer = (request, i) =>
      i === 0 ? json({ updated: (JSON.parse(request.body) as { users: [] }).users, errors: [] }) : 403;
    const home = temporaryFolder();
    writeFileSync(join(home, 'many.csv'), csvOf(150));
    const set = ['usage-limits', 'set', '--from', 'many.csv', '--batch'];
    expect((await api(service.url, [...set, '--failed-to', 'left.csv'], home)).code).toBe(3);
    expect(readFileSync(join(home, 'left.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(51);
    service.requests.length = 0;
    const refused = await api(service.url, [...set, '--failed-to', 'none/left.csv'], home);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(service.requests).toHaveLength(0);
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
      /^belfry api usage-limits set: 3 of 250 entries failed.*: u0@example.com \(unknown\), u100@.*, u200@.*\n$/,
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
