// Other pages in a real browser: one on another port of this machine and one of a rebound name get nothing of Belfry's page; the file of `belfry dashboard` does.
import type { AddressInfo } from 'node:net';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { command } from '../support/answering.ts';
import { openPage, openWindow } from '../support/browser.ts';
import { visit } from '../support/interface.ts';
import { homeWithEverything } from '../support/made-home.ts';
import { until } from '../support/wait.ts';

/** What the other page tries; each resolves with what it got, or throws. `HOST`: Belfry's origin. */
const TRIES: Readonly<Record<string, string>> = {
  'a fetch of the page': `fetch(HOST + '/').then((answer) => answer.text())`,
  'a fetch of sessions': `fetch(HOST + '/api/v1/sessions').then((answer) => answer.text())`,
  'a fetch with a guessed token': `fetch(HOST + '/api/v1/sessions', { headers: { authorization: 'Bearer x' } }).then((answer) => answer.text())`,
  'a fetch that is not read': `fetch(HOST + '/api/v1/sessions', { mode: 'no-cors', credentials: 'include' }).then((answer) => answer.type === 'opaque' ? Promise.reject('opaque') : answer.text())`,
  'a write as JSON': `fetch(HOST + '/api/v1/mutes', { method: 'POST', headers: { 'content-type': 'application/json', 'x-belfry': '1' }, body: '{"all":true}' }).then((answer) => answer.text())`,
  'a write that asks nobody': `fetch(HOST + '/api/v1/mutes', { method: 'POST', mode: 'no-cors', body: '{"all":true}' }).then((answer) => answer.type === 'opaque' ? Promise.reject('opaque') : answer.text())`,
  'a code': `fetch(HOST + '/api/v1/page/token', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"code":"x"}' }).then((answer) => answer.text())`,
  'a listener': `new Promise((resolve, reject) => { const source = new EventSource(HOST + '/api/v1/stream'); source.onopen = resolve; source.onerror = () => { source.close(); reject('refused'); }; })`,
  'a websocket': `new Promise((resolve, reject) => { const socket = new WebSocket(HOST.replace('http', 'ws') + '/api/v1/stream'); socket.onopen = resolve; socket.onerror = () => reject('refused'); })`,
  'a script': `new Promise((resolve, reject) => { const script = document.createElement('script'); script.src = HOST + ASSET; script.onload = resolve; script.onerror = () => reject('refused'); document.head.append(script); })`,
  'an image': `new Promise((resolve, reject) => { const image = new Image(); image.src = HOST + '/api/v1/sessions'; image.onload = resolve; image.onerror = () => reject('refused'); })`,
  'a frame': `new Promise((resolve, reject) => { const frame = document.createElement('iframe'); frame.src = HOST + '/'; frame.onload = () => frame.contentDocument === null ? reject('not readable') : resolve(frame.contentDocument.body.textContent); document.body.append(frame); })`,
  'a window': `new Promise((resolve, reject) => { const other = window.open(HOST + '/'); const look = () => { try { if (other.closed) return reject('cut off'); const text = other.document.body?.textContent ?? ''; if (text !== '') return resolve(text); } catch (error) { return reject(error); } setTimeout(look, 20); }; look(); })`,
  'a form': `new Promise((resolve, reject) => { const frame = document.createElement('iframe'); frame.name = 'target'; document.body.append(frame); const form = document.createElement('form'); form.method = 'post'; form.target = 'target'; form.action = HOST + '/api/v1/mutes'; form.innerHTML = '<input name="all" value="true">'; document.body.append(form); frame.onload = () => frame.contentDocument === null ? reject('not readable') : resolve('read'); form.submit(); })`,
};

/** A page of somebody else's program on another port. */
async function otherPage(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Another page</title><body>Another page');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a page of another port and a rebound name learn and change nothing', async () => {
  const { home } = await homeWithEverything();
  const { page: own, origin } = await openPage(home);
  await own.locator('[data-notification]').first().waitFor();
  const asset = new URL((await own.locator('script[src]').getAttribute('src')) ?? '', origin).pathname;
  const { call } = await visit(home);
  const { page } = await openWindow();
  await page.goto(await otherPage());
  const got: string[] = [];
  for (const [name, attempt] of Object.entries(TRIES)) {
    const outcome = await page.evaluate<string>(
      `(() => { const HOST = ${JSON.stringify(origin)}; const ASSET = ${JSON.stringify(asset)}; return (${attempt}).then((it) => 'got ' + it, () => 'refused'); })()`,
    );
    if (outcome !== 'refused') got.push(`${name}: ${outcome}`);
  }
  expect(got).toEqual([]);
  expect((await call('mutes.list', {})).mutes).toEqual([]);

  const rebound = origin.replace('127.0.0.1', 'evil.example');
  const answer = await page.goto(`${rebound}/`);
  expect(answer?.status()).toBe(403);
  expect(await page.evaluate(`fetch('/api/v1/sessions').then((it) => it.status, () => 'refused')`)).toBe('refused');
});

test('the file that `belfry dashboard` opens leads to the page, once, and goes', async () => {
  const { home } = await homeWithEverything();
  const opened = await command(home, 'dashboard', { pid: process.pid, file: true });
  const address = `file://${String(opened?.data?.['file'])}`;
  const { page } = await openWindow();
  await page.goto(address);
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  await until(() => !existsSync(String(opened?.data?.['file'])), 'the file to go');
});
