// Another program takes the page's port after a stop: the page in a real browser sends it no token, and lets nobody in through it.
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

test('whoever takes the port gets no token of the page that is open', async () => {
  const home = homeWith('');
  const daemon = await startDaemon(home);
  const { page, origin } = await openPage(home);
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  const token = await page.evaluate<string>(`sessionStorage.getItem('belfry.token')`);
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
      response.end(JSON.stringify({ proof: 'a'.repeat(64), sessions: [], notifications: [], questions: [] }));
    });
  });
  onTestFinished(() => void stranger.close());
  await until(
    () =>
      new Promise<boolean>((resolve) => {
        stranger.once('error', () => resolve(false));
        stranger.listen(Number(new URL(origin).port), '127.0.0.1', () => resolve(true));
      }),
    'the port to be free',
  );
  await page.getByRole('heading', { name: 'Open the page again' }).waitFor();
  expect(heard.length).toBeGreaterThan(0);
  expect(heard.filter((text) => text.includes(token.slice(21)) || text.includes('authorization'))).toEqual([]);
  expect(await page.evaluate(`sessionStorage.getItem('belfry.token')`)).toBeNull();
});
