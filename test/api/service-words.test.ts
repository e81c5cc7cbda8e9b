// What a service says about a failure reaches the person, whatever its shape; numbers of any size stay as they were sent.
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/index.ts';
import { parseExact, stringifyExact } from '../../src/api/client/exact-json.ts';
import { startReceiver } from '../support/receiver.ts';
import { api } from '../support/service-command.ts';

describe('a failure’s message', () => {
  test.each<[string, string]>([
    ['message', '{"message":"quota is gone"}'],
    ['error as text', '{"error":"quota is gone"}'],
    ['error as an object', '{"error":{"code":17,"message":"quota is gone"}}'],
    ['error with a detail', '{"error":{"type":"quota","detail":"quota is gone"}}'],
    ['an error code and a message', '{"error":"quota_error","message":"quota is gone"}'],
    ['a list of texts', '{"errors":["quota is gone"]}'],
    ['a list of objects', '{"errors":[{"field":"x","message":"quota is gone"}]}'],
    ['detail as a list', '{"detail":[{"loc":["body"],"msg":"quota is gone"}]}'],
    ['a list alone', '[{"message":"quota is gone"}]'],
    ['a bare string', '"quota is gone"'],
    ['plain text', 'quota is gone\n'],
    ['description', '{"error":"x","error_description":"quota is gone"}'],
  ])('%s', async (_name, body) => {
    const service = await startReceiver();
    service.answer = () => ({ status: 409, body });
    const call = createClient({ baseUrl: service.url, key: 'k' }).computers.list();
    await expect(call).rejects.toMatchObject({
      exit: 5,
      message: expect.stringMatching(/^the service answered 409.*: (quota_error: )?quota is gone; /),
    });
  });

  test('two errors are both shown; a web page, numbers and depth are not', async () => {
    const service = await startReceiver();
    const bodies = [
      '{"errors":[{"message":"one"},{"message":"two"}]}',
      '<html>quota</html>',
      '17',
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    ];
    service.answer = (_request, i) => ({ status: 409, body: bodies[i] ?? '' });
    const client = createClient({ baseUrl: service.url, key: 'k' });
    const said: string[] = [];
    for (const _ of bodies)
      said.push(
        await client.computers.list().then(
          () => 'fine',
          (error: Error) => error.message,
        ),
      );
    expect(said).toEqual([
      'the service answered 409: one; two; check the values you gave',
      ...Array(3).fill('the service answered 409; check the values you gave'),
    ]);
  });
});

describe('numbers beyond 2^53', () => {
  const TEXT =
    '{"a":9007199254740993,"b":[1.00000000000000000001,{"c":-12345678901234567890e2}],"d":"9007199254740993","e":1e400,"f":7}';

  test('come out as they came in', () => {
    const value = parseExact(TEXT) as { a: number; b: unknown[]; f: number };
    expect([typeof value.a, value.f]).toEqual(['number', 7]);
    expect(stringifyExact(value)).toBe(TEXT);
    expect(stringifyExact({ rows: [value.b[1]] }, 2)).toBe(
      '{\n  "rows": [\n    {\n      "c": -12345678901234567890e2\n    }\n  ]\n}',
    );
  });

  test('under --json and --csv, pages together too', async () => {
    const service = await startReceiver();
    const row = (revision: string) => `{"revision":${revision},"settings":{"n":9007199254740995}}`;
    service.answer = (_request, i) => ({
      status: 200,
      body: `{"changes":[${row(i === 0 ? '9007199254740997' : '9007199254740993')}],"pagination":{"hasMore":${i % 2 === 0},"nextCursor":"n"}}`,
    });
    const history = ['enterprise-controls', 'history', '--all'];
    const whole = await api(service.url, [...history, '--json']);
    expect(whole.stdout).toBe(
      `{"changes":[${row('9007199254740997')},${row('9007199254740993')}],"pagination":{"hasMore":false,"nextCursor":"n"}}\n`,
    );
    service.requests.length = 0;
    const csv = await api(service.url, ['enterprise-controls', 'history', '--csv']);
    expect(csv.stdout).toMatch(/^revision,settings\.n\n\d+[37],9007199254740995\n$/);
  });

  test('a limit that would be sent as another number is refused', async () => {
    const service = await startReceiver();
    const ran = await api(service.url, ['usage-limits', 'set', '--user', 'a@example.com=9007199254740993']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('9007199254740993');
    expect(service.requests).toHaveLength(0);
  });
});

describe('a change whose outcome is unknown', () => {
  const cut = (_request: unknown, response: import('node:http').ServerResponse): void => {
    response.writeHead(201, { 'content-length': '1000' });
    response.write('{"id":"c', () => response.socket?.destroy());
  };
  const create = ['computers', 'create', '--name', 'n', '--remote-user', 'u'];

  test.each([
    ['cut off on the wire', create, cut],
    ['half a document', create, { status: 201, body: '{"id":"c","name":"n"' }],
    [
      'a connection that broke',
      create,
      (_r: unknown, response: import('node:http').ServerResponse) => void response.socket?.destroy(),
    ],
    ['PATCH', ['computers', 'update', 'c', '--name', 'n'], cut],
    ['PUT', ['usage-limits', 'set', '--user', 'a@example.com=1'], cut],
  ])('%s: exit 7, sent once', async (_name, args, answer) => {
    const service = await startReceiver();
    service.answer = () => answer;
    const ran = await api(service.url, args);
    expect(ran).toMatchObject({ code: 7, stdout: '' });
    expect(ran.stderr).toMatch(/may have been (made|carried out).*check before you (send|try)/);
    expect(service.requests).toHaveLength(1);
  });

  test('a read that was cut short stays exit 1', async () => {
    const service = await startReceiver();
    service.answer = () => ({ status: 200, body: '{"computers":[' });
    expect((await api(service.url, ['computers', 'list'])).code).toBe(1);
  });
});
