// Another program takes the page's port after a stop: the page in a real browser sends it nothing that opens anything, and lets nobody in through it.
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTokenFile, tokenFileIn } from '../../src/http/token-file.ts';
import { openPage } from '../support/browser.ts';
import { startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

/** Listens where Belfry did. */
const takePort = (server: Server, origin: string): Promise<boolean> =>
  until(
    () =>
      new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(false));
        server.listen(Number(new URL(origin).port), '127.0.0.1', () => resolve(true));
      }),
    'the port to be free',
  );

test('whoever takes the port hears nothing of the page that is open which Belfry takes', async () => {
  const home = homeWith('');
  const daemon = await startDaemon(home);
  const { page, origin } = await openPage(home);
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await daemon.stop('SIGKILL');
  const heard: string[] = [];
  const stranger = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      heard.push(`${request.url} ${JSON.stringify(request.headers)} ${body}`);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ proof: 'a'.repeat(64), serving: 'a', sessions: [], notifications: [] }));
    });
  });
  onTestFinished(() => void stranger.close());
  await takePort(stranger, origin);
  await page.getByRole('heading', { name: 'Open the page again' }).waitFor();
  expect(heard.length).toBeGreaterThan(0);
  expect(await page.evaluate(`sessionStorage.length`)).toBe(0);
  const { pages } = await readTokenFile(tokenFileIn(join(home, 'state')));
  expect(pages.map(({ hash }) => hash).filter((hash) => heard.join().includes(hash))).toEqual([]);
  stranger.closeAllConnections();
  await new Promise((resolve) => stranger.close(resolve));
  await startDaemon(home);
  const bearers = heard.flatMap((text) => /"Bearer ([^"]+)"/i.exec(text)?.[1] ?? []);
  for (const bearer of bearers) expect(await statusOf(`${origin}/api/v1/sessions`, bearer)).toBe(401);
});

/** What another program serves as the page: it asks to be let in for as long as it is open. */
const ASKING = `<!doctype html><title>Not Belfry</title><script>
  const channel = new BroadcastChannel('belfry.tabs');
  window.heard = [];
  channel.onmessage = ({ data }) => heard.push(data);
  setInterval(() => channel.postMessage({ asks: [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('') }), 100);
</script>`;

test('a document of whoever had the address while Belfry was away is let in by no tab on its own afterwards', async () => {
  const home = homeWith('');
  const daemon = await startDaemon(home);
  const { page, origin } = await openPage(home);
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await daemon.stop('SIGKILL');
  // It answers nothing that would show the page who it is.
  const stranger = createServer((request, response) => {
    if (request.url !== '/') return void request.socket.destroy();
    response.setHeader('content-type', 'text/html');
    response.end(ASKING);
  });
  onTestFinished(() => void stranger.close());
  await takePort(stranger, origin);
  const document = await page.context().newPage();
  await document.goto(`${origin}/`);
  expect(await document.title()).toBe('Not Belfry');
  stranger.closeAllConnections();
  await new Promise((resolve) => stranger.close(resolve));
  await startDaemon(home);
  await page.getByText('of this browser ask').first().waitFor();
  const isCode = `heard.some((message) => 'code' in message)`;
  expect(await document.evaluate(`[heard.length > 0, ${isCode}]`)).toEqual([true, false]);
  await page.reload();
  await page.getByText('of this browser ask').first().waitFor();
  expect(await document.evaluate(isCode)).toBe(false);
  expect((await readTokenFile(tokenFileIn(join(home, 'state')))).pages).toHaveLength(1);
});

test('a page that is loaded again keeps no token, and goes on after a restart', async () => {
  const home = homeWith('');
  const daemon = await startDaemon(home);
  const { page } = await openPage(home);
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  const kept = await page.evaluate<string[]>(`Object.values(sessionStorage)`);
  expect(kept).toEqual([expect.stringMatching(/^belfry_visit_[0-9a-f]{8}_[0-9a-f]{64}$/)]);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await daemon.stop('SIGKILL');
  await page.getByText('Belfry is not running').first().waitFor();
  await startDaemon(home);
  await until(
    async () => (await page.evaluate<string[]>(`Object.values(sessionStorage)`)).some((text) => !kept.includes(text)),
    'the page to be let in by the Belfry that was started',
  );
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
});

const statusOf = async (url: string, token: string): Promise<number> =>
  (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
