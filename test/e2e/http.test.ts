// The HTTP interface of the built daemon: hook inputs, health, tokens, and settings that switch it on and off.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dashboardAddress } from '../support/interface.ts';
import { belfry, BELFRY, bareEnv, run, startDaemon } from '../support/programs.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith, stop, verified, webhookTo, writeSettings } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const HTTP = '[http]\nlisten = ["127.0.0.1:0"]\n';

/** The port that daemon.json names; null while there is none. */
function portOf(home: string): number | null {
  const { http } = JSON.parse(readFileSync(join(home, 'run', 'daemon.json'), 'utf8')) as { http: string[] };
  return http[0] === undefined ? null : Number(http[0].split(':').at(-1));
}

async function token(home: string, name: string, scope: string): Promise<string> {
  return (await asked<{ token: string }>(home, ['token', 'add', name, '--scope', scope])).token;
}

const post = (port: number, path: string, input: string, headers: Readonly<Record<string, string>>) =>
  sendRaw(
    port,
    rawRequest(
      `POST ${path} HTTP/1.1`,
      { host: `localhost:${port}`, 'content-length': String(Buffer.byteLength(input)), ...headers },
      input,
    ),
  );

test('a hook input is acknowledged once it is journaled, and delivered once', async () => {
  const audit = await startReceiver();
  const home = homeWith(webhookTo(audit.url, HTTP));
  await startDaemon(home);
  const port = await until(() => portOf(home), 'the address to be announced');
  const publish = { authorization: `Bearer ${await token(home, 'box', 'publish')}` };
  const read = { authorization: `Bearer ${await token(home, 'graph', 'read')}` };
  const input = JSON.stringify({ session_id: 'far', cwd: '/workspace/payments', transcript_path: '/etc/passwd' });
  const headers = { ...publish, 'x-belfry-host': 'box-1', 'idempotency-key': 'k1' };

  const first = await post(port, '/hooks?agent=claude&event=Stop', input, headers);
  expect(first.status).toBe(202);
  const { id } = JSON.parse(first.body) as { id: string };
  const replayed = await post(port, '/api/v1/hooks?agent=claude&event=Stop', input, headers);
  expect([replayed.status, JSON.parse(replayed.body)]).toEqual([202, { id }]);
  const byHeader = { ...publish, 'x-belfry-agent': 'claude', 'x-belfry-event': 'Stop' };
  expect((await post(port, '/hooks', JSON.stringify(stop('other')), byHeader)).status).toBe(202);

  const notified = (await audit.waitFor(2)).map((request) => verified(request).data.event);
  expect(notified.map(({ session_id, kind, agent }) => [session_id, kind, agent]).sort()).toEqual([
    ['far', 'agent.finished', 'claude'],
    ['other', 'agent.finished', 'claude'],
  ]);
  const events = await asked<{ id: string }[]>(home, ['events']);
  expect(events.filter((event) => event.id === id)).toHaveLength(1);

  for (const [what, headers, input, status] of [
    ['nobody', {}, '{}', 401],
    ['a reader', read, '{}', 403],
    ['a name that is none', { ...publish, 'x-belfry-agent': '../claude' }, '{}', 400],
    ['nothing', publish, '', 400],
  ] as const)
    expect((await post(port, '/hooks', input, headers)).status, what).toBe(status);

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    sendRaw(port, rawRequest(`GET ${path} HTTP/1.1`, { host: `localhost:${port}`, ...headers }));
  expect(JSON.parse((await get('/health/live')).body)).toEqual({ status: 'live' });
  expect((await get('/health/ready')).status).toBe(401);
  expect(JSON.parse((await get('/health/ready', publish)).body)).toEqual({ status: 'ready' });
  expect((await get('/metrics')).body).toMatch(/belfry_events_accepted_total\{source="http"\} 2/);

  expect((await asked<{ http: string[] }>(home, ['status'])).http).toEqual([`127.0.0.1:${port}`]);
  expect((await belfry(home, ['token', 'remove', 'box'])).code).toBe(0);
  expect((await post(port, '/hooks', '{}', publish)).status).toBe(401);
  const secret = publish.authorization.slice(14, 40);
  for (const name of readdirSync(join(home, 'state')).filter((one) => one !== 'backups'))
    expect(readFileSync(join(home, 'state', name), 'latin1').includes(secret), name).toBe(false);
});

test('an open page alone serves no metrics', async () => {
  const home = homeWith('');
  await startDaemon(home);
  const { origin } = await dashboardAddress(home);
  expect((await fetch(`${origin}/metrics`)).status).toBe(404);
});

test('nothing listens until the settings say so; metrics can be left out; a change takes no restart', async () => {
  const home = homeWith('');
  await startDaemon(home);
  expect(portOf(home)).toBeNull();
  writeSettings(home, `${HTTP}metrics = false\n`);
  const port = await until(() => portOf(home), 'the interface to be on');
  const get = async (path: string) =>
    (await sendRaw(port, rawRequest(`GET ${path} HTTP/1.1`, { host: `localhost:${port}` }))).status;
  expect(await get('/health/live')).toBe(200);
  expect(await get('/metrics')).toBe(404);
  writeSettings(home, HTTP);
  await until(async () => (await get('/metrics')) === 200, 'the metrics to be served');
  expect(portOf(home)).toBe(port);
  writeSettings(home, '');
  await until(() => portOf(home) === null, 'the interface to be off');
  expect(await get('/health/live')).toBe(0);
});

test('tokens are made, listed and removed without a daemon', async () => {
  const home = homeWith('');
  const made = await belfry(home, ['token', 'add', 'box', '--scope', 'publish,read']);
  expect(made.stdout).toMatch(/^belfry_[\w-]{43}\n$/);
  expect(made.stderr).toContain('not shown again');
  expect(statSync(join(home, 'state', 'tokens.json')).mode & 0o777).toBe(0o600);
  const { tokens } = await asked<{ tokens: Record<string, unknown>[] }>(home, ['token', 'list']);
  expect(tokens).toEqual([
    { name: 'box', scopes: ['publish', 'read'], created_at: expect.any(String), last_used: null },
  ]);
  for (const [args, code] of [
    [['add', 'box', '--scope', 'read'], 2],
    [['add', 'two words', '--scope', 'read'], 2],
    [['add', 'x', '--scope', 'write'], 2],
    [['add', 'x'], 2],
    [['remove', 'nobody'], 4],
    [['remove', 'box'], 0],
  ] as const)
    expect((await belfry(home, ['token', ...args])).code, args.join(' ')).toBe(code);
  expect((await belfry(home, ['token', 'list'])).stderr).toContain('no tokens');
});

test('an agent cannot make itself a token that answers', async () => {
  const home = homeWith('');
  const add = (scope: string): string => `${process.execPath} ${BELFRY} token add ${scope} --scope ${scope}; exit $?`;
  // A shell that bears an agent's name, as /proc shows it.
  const below = (scope: string) => run('bash', ['-c', `printf claude > /proc/$$/comm; ${add(scope)}`], bareEnv(home));
  const refused = await below('answer');
  expect([refused.code, refused.stdout]).toEqual([3, '']);
  expect(refused.stderr).toContain('claude');
  expect((await below('publish')).code).toBe(0);
  expect((await belfry(home, ['token', 'add', 'mine', '--scope', 'answer'])).code).toBe(0);
});
