// Every fault of a service, through the built command line: the documented exit code within its time, one line, no key.
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { belfry } from '../support/programs.ts';
import { type Answer, startReceiver } from '../support/receiver.ts';

const KEY = 'sk-secret-0123456789';

const problem = (status: number): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ title: 'Said', detail: `why ${status} for ${KEY}`, status, requestId: 'req-7' }),
});

/** Answers by hand; the receiver closes what is left open. */
const raw =
  (write: (response: ServerResponse) => void): Answer =>
  (_request, response) =>
    write(response);

const endless = raw((response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
});

const cut = raw((response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"computers":', () => response.socket?.destroy());
});

const fifty = raw((response) => {
  response.writeHead(200);
  response.write('{"computers":[],"x":"');
  const chunk = 'x'.repeat(1_000_000);
  const more = (left: number): void => {
    if (left === 0) response.end('"}');
    else response.write(chunk, () => more(left - 1));
  };
  more(50);
});

interface Fault {
  readonly name: string;
  readonly answer: Answer;
  readonly exit: number;
  /** What the line says. */
  readonly says: RegExp;
  /** Requests sent: a GET is repeated twice after a fault that may pass. */
  readonly requests?: number;
}

const faults: readonly Fault[] = [
  { name: '5, 7: 401', answer: problem(401), exit: 3, says: /401 Said: why 401.*check the key.*req-7/ },
  { name: '5, 7: 403', answer: problem(403), exit: 3, says: /403 Said: .*Manager or Owner/ },
  { name: '404', answer: problem(404), exit: 4, says: /404 Said: .*check the id/ },
  { name: '7: 400', answer: problem(400), exit: 5, says: /400 Said: .*check the values/ },
  { name: '422 with a web page', answer: { status: 422, body: '<html>' }, exit: 5, says: /answered 422/ },
  { name: '7: 500', answer: problem(500), exit: 7, says: /500 Said: .*try again later/, requests: 3 },
  { name: '502 with a web page', answer: { status: 502, body: '<h1>Bad' }, exit: 7, says: /answered 502/, requests: 3 },
  {
    name: '429, seconds beyond a minute',
    answer: { status: 429, headers: { 'retry-after': '120' } },
    exit: 6,
    says: /try again in 120 s/,
  },
  {
    name: '429, a date beyond a minute',
    answer: (_request, response) =>
      void response.writeHead(429, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }).end(),
    exit: 6,
    says: /try again in 3[56]\d\d s/,
  },
  {
    name: 'a web page',
    answer: { status: 200, body: '<!doctype html><p>Login' },
    exit: 1,
    says: /not JSON but a web page/,
  },
  { name: 'nothing', answer: { status: 200, body: '' }, exit: 1, says: /empty/ },
  { name: '204', answer: 204, exit: 1, says: /empty/ },
  {
    name: 'a required field missing',
    answer: { status: 200, body: '{"computers":[{"id":"c","name":"n","createdAt":1}]}' },
    exit: 1,
    says: /computers\[0\]\.providerType: missing/,
  },
  { name: 'cut short', answer: cut, exit: 1, says: /cut short/, requests: 3 },
  { name: 'endless', answer: endless, exit: 7, says: /no whole answer .* within 4 s/ },
  { name: 'silence', answer: raw(() => undefined), exit: 7, says: /within 4 s/ },
  { name: 'reset', answer: raw((response) => response.socket?.destroy()), exit: 7, says: /cannot reach/, requests: 3 },
  { name: '50 MB', answer: fifty, exit: 1, says: /larger than 32 MB/ },
  {
    name: '40 MB in a small gzip',
    answer: raw((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(40_000_000, ' '))),
    ),
    exit: 1,
    says: /larger than 32 MB/,
  },
  {
    name: 'nested 100,000 deep',
    answer: { status: 200, body: `{"computers":${'['.repeat(100_000)}${']'.repeat(100_000)}}` },
    exit: 1,
    says: /nested deeper/,
  },
  {
    name: 'a redirect in a circle',
    answer: { status: 302, headers: { location: '/api/v0/computers' } },
    exit: 1,
    says: /in a circle/,
    requests: 6,
  },
];

describe.concurrent('each fault', { timeout: 180_000 }, () => {
  test.each(faults)('$name: exit $exit', async ({ answer, exit, says, requests = 1 }) => {
    const service = await startReceiver({ owned: false });
    service.answer = () => answer;
    const home = temporaryFolder();
    const timeout = String(says).includes('within 4 s') ? '4s' : '1m';
    const ran = await belfry(home, ['api', 'computers', 'list', '--verbose', '--timeout', timeout], {
      env: { BELFRY_API_BASE_URL: service.url, BELFRY_API_APP_URL: service.url, BELFRY_API_KEY: KEY },
      limit: 120_000,
    });
    await service.close();
    const lines = ran.stderr.trim().split('\n');
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: exit, stdout: '' });
    expect(lines.filter((line) => line.startsWith('belfry api computers list: '))).toHaveLength(1);
    expect(lines.at(-1)).toMatch(says);
    expect(lines.slice(0, -1).every((line) => line.startsWith('GET http'))).toBe(true);
    expect(ran.stderr).not.toContain(KEY);
    expect(service.requests).toHaveLength(requests);
  });
});

test('a redirect to another origin is refused, and nothing reaches it', async () => {
  const [service, other] = [await startReceiver(), await startReceiver()];
  service.answer = () => ({ status: 307, headers: { location: `${other.url}/api/v0/computers` } });
  const env = { BELFRY_API_BASE_URL: service.url, BELFRY_API_APP_URL: service.url, BELFRY_API_KEY: KEY };
  const ran = await belfry(temporaryFolder(), ['api', 'computers', 'list'], { env });
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toMatch(/^belfry api computers list: .*another origin, .*does not get the key.*\n$/);
  expect(other.requests).toHaveLength(0);
});

test('nobody there: exit 7', async () => {
  const service = await startReceiver({ owned: false });
  await service.close();
  const env = { BELFRY_API_BASE_URL: service.url, BELFRY_API_APP_URL: service.url, BELFRY_API_KEY: KEY };
  const ran = await belfry(temporaryFolder(), ['api', 'computers', 'list'], { env });
  expect(ran).toMatchObject({ code: 7, stdout: '' });
  expect(ran.stderr).toMatch(/^belfry api computers list: cannot reach .*ECONNREFUSED.*\n$/);
});
