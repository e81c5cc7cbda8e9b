// A proxy through the built daemon and the command line, to targets behind TLS that only the proxy knows.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { startProxy } from '../support/proxy-server.ts';
import { startTlsReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/wait.ts';

const HOST = 'hooks.example.test';
const PASSWORD = 's3cr3tpassw0rd';

async function world() {
  const [proxy, { receiver, port, cert }] = [await startProxy(), await startTlsReceiver([HOST])];
  proxy.names[HOST] = port;
  const home = temporaryFolder();
  const configure = (network: string): void =>
    writeFileSync(
      join(home, 'config.toml'),
      `${network}[channels.team]\ntype = "webhook"\nurl = "https://${HOST}/in"\n[[routes]]\nto = ["team"]\n`,
      { mode: 0o600 },
    );
  return { proxy, receiver, home, configure, trust: { NODE_EXTRA_CA_CERTS: cert } };
}

test('HTTPS_PROXY of the daemon, then an address and "none" of settings that are taken over', {
  timeout: 120_000,
}, async () => {
  const { proxy, receiver, home, configure, trust } = await world();
  const gone = await freePort();
  configure('');
  await startDaemon(home, { env: { ...trust, HTTPS_PROXY: `http://127.0.0.1:${gone}` } });
  const send = async () => {
    const { stdout, stderr } = await belfry(home, ['test', 'team']);
    return `${stdout}${stderr}`;
  };
  expect(await send()).toContain(`the proxy 127.0.0.1:${gone} refused the connection (HTTPS_PROXY)`);
  const named = await belfry(home, ['doctor', '--json']);
  expect(named.stdout).toContain(`the proxy 127.0.0.1:${gone} refused the connection (HTTPS_PROXY)`);

  proxy.signIn = `dev:${PASSWORD}`;
  configure(`[network]\nproxy = "http://dev:${PASSWORD}@127.0.0.1:${proxy.port}"\n`);
  await until(async () => (await send()) !== '' && receiver.requests.length > 0, 'the new settings');
  expect(receiver.requests).toContainEqual(expect.objectContaining({ method: 'POST', path: '/in' }));
  expect(proxy.asked).toContain(`CONNECT ${HOST}:443`);
  const [doctor, shown] = [await belfry(home, ['doctor', '--json']), await belfry(home, ['config', 'show'])];
  expect(doctor.stdout).toContain(`127.0.0.1:${proxy.port} ([network] proxy) takes connections`);
  expect(shown.stdout).toContain(`http://(hidden)@127.0.0.1:${proxy.port}`);
  const logs = await belfry(home, ['logs']);
  for (const ran of [doctor, shown, logs]) expect(`${ran.stdout}${ran.stderr}`).not.toContain(PASSWORD);

  configure('[network]\nproxy = "none"\n');
  // Nobody but the proxy knows the name.
  await until(async () => new RegExp(`${HOST} (?:was not|could not be|cannot be)`).test(await send()), 'no proxy');
});

test('`belfry api` goes through it, and says when it cannot', { timeout: 120_000 }, async () => {
  const { proxy, receiver, home, trust } = await world();
  receiver.answer = () => ({ status: 200, body: '{"computers":[],"pagination":{"hasMore":false,"nextCursor":null}}' });
  const url = `https://${HOST}`;
  const service = { BELFRY_API_BASE_URL: url, BELFRY_API_APP_URL: url, BELFRY_API_KEY: 'sk-secret-0123456789' };
  const list = (more: Record<string, string>) =>
    belfry(home, ['api', 'computers', 'list'], { env: { ...trust, ...service, ...more } });
  expect(await list({ https_proxy: proxy.url })).toMatchObject({ code: 0, stderr: '' });
  expect(receiver.requests).toHaveLength(1);
  writeFileSync(join(home, 'config.toml'), `[network]\nproxy = "env:CORP_PROXY"\n`, { mode: 0o600 });
  expect(await list({ CORP_PROXY: proxy.url })).toMatchObject({ code: 0 });
  expect(proxy.asked).toEqual([`CONNECT ${HOST}:443`, `CONNECT ${HOST}:443`]);
  const missing = await list({});
  expect(missing).toMatchObject({ code: 7 });
  expect(missing.stderr).toContain('[network] proxy cannot be used');
  proxy.signIn = 'dev:x';
  const refused = await list({ CORP_PROXY: proxy.url });
  expect(refused).toMatchObject({ code: 7 });
  expect(refused.stderr).toMatch(/the proxy 127\.0\.0\.1:\d+ demands a sign-in \(407\)/);
});

test.each(['socks5://dev:s3cr3tpassw0rd@proxy:1080', 'proxy:3128', 'true'])(
  '%s in the settings is refused where it is',
  async (address) => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'config.toml'), `[network]\nproxy = "${address}"\n`, { mode: 0o600 });
    const ran = await belfry(home, ['config', 'check']);
    expect(ran.code).not.toBe(0);
    expect(`${ran.stdout}${ran.stderr}`).toMatch(/config\.toml:2:9: network\.proxy.*must be an address such as/);
    expect(`${ran.stdout}${ran.stderr}`).not.toContain(PASSWORD);
  },
);
