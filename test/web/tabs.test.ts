// Tabs of one browser in a real Chromium: one that is opened by a link or a push is let in by one that is in, and nobody else is: no page of another
// port, no frame, no script that fetches the document, no tab that another site opened before somebody wants it.
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page, Route } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { readTokenFile, tokenFileIn } from '../../src/http/token-file.ts';
import { permission, startWaiting } from '../support/answering.ts';
import { violations } from '../support/axe.ts';
import { openPage, openWindow } from '../support/browser.ts';
import { dashboardAddress } from '../support/interface.ts';
import { startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const SETTINGS =
  '[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n[answer]\nkinds = ["permission"]\n';

const OUT = { name: 'Open the page again' } as const;
const isIn = (page: Page): Promise<void> => page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
const isOut = (page: Page): Promise<void> => page.getByRole('heading', OUT).waitFor();

/** Once this tab knows who was open before it came in: it asks about those, and lets in those that come later. */
const letsTabsIn = (page: Page): Promise<boolean> =>
  until(() => page.evaluate<boolean>(`performance.getEntriesByName('lets-tabs-in').length > 0`), 'it to let tabs in');

/** Names of the browsers and tabs that are let in. */
const pagesOf = async (home: string): Promise<readonly string[]> =>
  (await readTokenFile(tokenFileIn(join(home, 'state')))).pages.map(({ name }) => name);

/** Another tab of the same browser; what it complains of goes where that of the first goes. */
async function anotherTab(page: Page, address: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(address);
  return tab;
}

/** A page of somebody else's program on another port, with this in it. */
async function otherPage(body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>Another page</title><body>${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A browser without a screen shows every tab. */
const HIDDEN = `Object.defineProperty(document, 'visibilityState', { get: () => (window.isShown ? 'visible' : 'hidden') })`;

async function start() {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const opened = await openPage(home);
  await isIn(opened.page);
  await letsTabsIn(opened.page);
  return { home, ...opened };
}

test('a tab by its plain address is let in, with a token of its own, at the question that it is about', async () => {
  const { home, page, origin, complaints } = await start();
  const asked = await startWaiting(home, permission('q1', 'npm publish'));
  const tab = await anotherTab(page, `${origin}/?item=${asked.question.notificationId}`);
  await tab.locator(`[data-question="${asked.question.id}"]`).waitFor();
  expect(await pagesOf(home)).toHaveLength(2);
  const kept = await Promise.all([page, tab].map((one) => one.evaluate<string>(`Object.values(sessionStorage)[0]`)));
  expect(new Set(kept).size).toBe(2);
  // Each lets others in, and goes on alone.
  await letsTabsIn(tab);
  await page.close();
  await isIn(await anotherTab(tab, `${origin}/`));
  expect(complaints).toEqual([]);
});

test('a link of the page in a tab of its own is let in', async () => {
  const { page } = await start();
  const opening = page.context().waitForEvent('page');
  await page
    .getByRole('link', { name: 'Sessions' })
    .first()
    .click({ modifiers: ['Control'] });
  const tab = await opening;
  await tab.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
});

test('where no tab is in, one says so within two seconds, and comes in once another one has', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { origin, code } = await dashboardAddress(home);
  const { page } = await openWindow();
  await page.goto(`${origin}/sessions`);
  const began = Date.now();
  await isOut(page);
  expect(Date.now() - began).toBeLessThan(2_000);
  expect(await violations(page)).toEqual([]);
  expect(await page.getByRole('button').count()).toBe(0);
  await isIn(await anotherTab(page, `${origin}/#t=${code}`));
  await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
  expect(await pagesOf(home)).toHaveLength(2);
});

test('once Belfry was started again, a tab is let in when somebody says so in one that is open', async () => {
  const home = homeWith(SETTINGS);
  const daemon = await startDaemon(home);
  const { page, origin } = await openPage(home);
  await isIn(page);
  await daemon.stop();
  await startDaemon(home);
  const atTheDoor = async (address: string): Promise<Page> => {
    const tab = await anotherTab(page, address);
    await tab.getByText('Press “Sign it in” there').waitFor();
    return tab;
  };
  const [tab, ignored] = [await atTheDoor(`${origin}/sessions`), await atTheDoor(origin)];
  expect(await violations(tab)).toEqual([]);
  await page.bringToFront();
  await page.getByText('2 other tabs of this browser ask to be signed in').waitFor();
  expect(await violations(page)).toEqual([]);
  // The focus has just come: a press belongs to what was there before.
  const shown = await page.evaluate<string>(
    `new Promise((resolve) => { window.dispatchEvent(new Event('focus')); document.querySelector('.banner button').click(); requestAnimationFrame(() => resolve(document.querySelector('.banner').textContent)); })`,
  );
  expect(shown).toMatch(/^2 other tabs/);
  const pressUntil = (name: string, isDone: () => Promise<boolean>): Promise<boolean> =>
    until(async () => {
      if (await isDone()) return true;
      await page
        .getByRole('button', { name })
        .click({ timeout: 1_000 })
        .catch(() => undefined);
      return false;
    }, 'a press to count');
  const count = (text: string): Promise<number> => page.getByText(text).count();
  await pressUntil('Sign one in', async () => (await count('Another tab of this browser asks to be signed in')) === 1);
  await tab.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
  await pressUntil('Ignore it', async () => (await count('asks to be signed in')) === 0);
  await isOut(ignored);
  expect(await pagesOf(home)).toHaveLength(2);
  // Who comes in anew lets in those that wait.
  const { code } = await dashboardAddress(home);
  await isIn(await anotherTab(page, `${origin}/#t=${code}`));
  await isIn(ignored);
  expect(await pagesOf(home)).toHaveLength(4);
});

/** What the document of another program keeps doing once Belfry has its address: asks, in each way there is, and notes what it is given. */
const SQUATTER = `<!doctype html><title>Not Belfry</title><body><script>
  window.given = [];
  const heard = new BroadcastChannel('belfry.tabs');
  heard.onmessage = ({ data }) => data.code && given.push(data.code);
  navigator.serviceWorker?.addEventListener('message', ({ data }) => data.code && given.push(data.code));
  window.ask = async () => {
    heard.postMessage({ asks: 'a'.repeat(64) });
    const registration = await navigator.serviceWorker.ready;
    registration.active.postMessage({ asks: 'b'.repeat(64) });
    const frame = document.createElement('iframe');
    frame.srcdoc = '<script>navigator.serviceWorker.getRegistration("/").then(({ active }) => active.postMessage({ asks: "' + 'c'.repeat(64) + '" }))</' + 'script>';
    document.body.append(frame);
  };
</script>`;

/** Another program at an address: its documents stay in the browser's cache, and its worker goes on serving one of them. */
async function squat(): Promise<{ readonly port: number; readonly end: () => Promise<void> }> {
  const server = createServer(({ url }, response) => {
    response.setHeader('cache-control', 'max-age=3600');
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('content-type', url === '/worker.js' ? 'text/javascript' : 'text/html');
    response.setHeader('service-worker-allowed', '/');
    const answer = `new Response(${JSON.stringify(SQUATTER)}, { headers: { 'content-type': 'text/html' } })`;
    response.end(url === '/worker.js' ? `onfetch = (event) => event.respondWith(${answer});` : SQUATTER);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, end };
}

test('what another program left in the browser, before Belfry had its address, is let in by no tab', async () => {
  const other = await squat();
  const origin = `http://127.0.0.1:${other.port}`;
  const { page: squatter } = await openWindow();
  await squatter.goto(`${origin}/events`);
  await squatter.evaluate(
    `navigator.serviceWorker.register('/worker.js', { scope: '/sessions' }).then(({ installing }) => new Promise((resolve) => { installing.onstatechange = () => installing.state === 'activated' && resolve(0); }))`,
  );
  await squatter.goto(`${origin}/`);
  await other.end();

  const home = homeWith(`[http]\nlisten = ["127.0.0.1:${other.port}"]\n${SETTINGS}`);
  await startDaemon(home);
  const { code } = await dashboardAddress(home);
  const page = await anotherTab(squatter, `${origin}/channels#t=${code}`);
  await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor();
  await letsTabsIn(page);
  await squatter.evaluate('void ask()');
  // Each way of asking is a question to the person.
  await page.getByText('3 other tabs of this browser ask to be signed in').waitFor();
  // What it opens in a window is Belfry's own, and out of its reach.
  const opening = page.context().waitForEvent('page');
  await squatter.evaluate(`window.opened = window.open('/rules'), 0`);
  await (await opening).getByRole('heading', { level: 1, name: 'Rules' }).waitFor();
  const reached = `(() => { try { return opened.closed ? 'closed' : opened.document.title; } catch { return 'closed'; } })()`;
  expect(await squatter.evaluate(reached)).toBe('closed');
  // Those that the person opens are Belfry's own, and let in unasked.
  for (const [path, name] of [
    ['/sessions', 'Sessions'],
    ['/events', 'Events'],
  ] as const)
    await (await anotherTab(page, `${origin}${path}`)).getByRole('heading', { level: 1, name }).waitFor();
  expect(await squatter.title()).toBe('Not Belfry');
  expect(await pagesOf(home)).toHaveLength(4);
  // It has heard their codes by now, and neither was for it.
  const used = await squatter.evaluate<number[]>(
    `Promise.all(given.flatMap((code) => ['a', 'b', 'c'].map((one) => ({ code, secret: one.repeat(64) }))).map((body) => fetch('/api/v1/page/token', {
      method: 'POST', headers: { 'content-type': 'application/json', 'x-belfry': '1' }, body: JSON.stringify(body) }).then((answer) => answer.status)))`,
  );
  expect(new Set(used)).toEqual(new Set([401]));
  expect(await pagesOf(home)).toHaveLength(4);
});

test('another browser is let in by none of the tabs of this one', async () => {
  const { home, origin } = await start();
  const { page: other } = await openWindow();
  await other.goto(origin);
  await isOut(other);
  expect(await pagesOf(home)).toHaveLength(1);
});

test('of many tabs that answer one lets in, and many that ask are each let in', async () => {
  const { home, page, origin } = await start();
  const tabs = [page, await anotherTab(page, origin), await anotherTab(page, origin)];
  await Promise.all(tabs.map((tab) => isIn(tab).then(() => letsTabsIn(tab))));
  const said: unknown[] = [];
  await page.exposeFunction('heard', (code: unknown) => said.push(code));
  await page.evaluate(`new BroadcastChannel('belfry.tabs').onmessage = ({ data }) => data.code && heard(data.code)`);
  const asked = await Promise.all([anotherTab(page, origin), anotherTab(page, origin)]);
  await Promise.all(asked.map(isIn));
  await until(() => said.length >= 2, 'both codes to be heard');
  expect(new Set(said).size).toBe(2);
  expect(said).toHaveLength(2);
  expect(await pagesOf(home)).toHaveLength(5);
  // What everybody on the channel hears is good for nobody.
  const statuses = await page.evaluate<number[]>(
    `Promise.all(${JSON.stringify(said)}.flatMap((code) => [{ code }, { code, secret: 'a'.repeat(64) }]).map((body) => fetch('/api/v1/page/token', {
      method: 'POST', headers: { 'content-type': 'application/json', 'x-belfry': '1' }, body: JSON.stringify(body) }).then((answer) => answer.status)))`,
  );
  expect(new Set(statuses)).toEqual(new Set([401]));
});

test('a tab that another site opened is let in once somebody wants that, and by no press meant for something else', async () => {
  const { home, page, origin } = await start();
  const site = await anotherTab(page, await otherPage(`<a href="${origin}/sessions" target="_blank">Belfry</a>`));
  const opening = page.context().waitForEvent('page');
  await site.getByRole('link', { name: 'Belfry' }).click();
  const tab = await opening;
  await isOut(tab);
  const button = tab.getByRole('button', { name: 'Sign in by the other tab' });
  // The focus has just come: a press belongs to what was there before.
  await tab.evaluate(`window.dispatchEvent(new Event('focus')), document.querySelector('button').click()`);
  await isIn(await anotherTab(page, origin)); // as long as that takes, nothing came of it
  await isOut(tab);
  expect(await pagesOf(home)).toHaveLength(2);
  expect(await violations(tab)).toEqual([]);
  await tab.bringToFront();
  await until(async () => {
    await button.dblclick({ timeout: 1_000 }).catch(() => undefined);
    return (await tab.getByRole('heading', OUT).count()) === 0;
  }, 'a press to count');
  await tab.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
  expect(await pagesOf(home)).toHaveLength(3);
});

/** What a page of another port tries to be let in by; none of it leaves a token. `HOST`: Belfry's origin. */
const TRIES: Readonly<Record<string, string>> = {
  'asking on a channel of its own': `new Promise((resolve, reject) => { const channel = new BroadcastChannel('belfry.tabs'); channel.onmessage = resolve; channel.postMessage({ asks: 'a'.repeat(64) }); channel.postMessage({ isIn: true }); setTimeout(reject, 1_500); })`,
  'a code for itself': `fetch(HOST + '/api/v1/page/code', { method: 'POST', headers: { 'content-type': 'application/json', 'x-belfry': '1' }, body: JSON.stringify({ for: 'a'.repeat(64) }) }).then((answer) => answer.text())`,
  'a frame': `new Promise((resolve, reject) => { const frame = document.createElement('iframe'); frame.src = HOST + '/'; frame.onload = () => setTimeout(reject, 1_500); document.body.append(frame); })`,
  'the document': `fetch(HOST + '/').then((answer) => answer.text())`,
};

/** As a program gets it that is no browser, and may send what it likes. */
function documentFor(origin: string, headers: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    get(origin, { headers }, (response) => void text(response).then(resolve, reject)).on('error', reject);
  });
}

test('a page of another port, a frame and who fetches the document are let in by nobody', async () => {
  const { home, page, origin } = await start();
  const site = await anotherTab(page, await otherPage('Another page'));
  for (const [name, attempt] of Object.entries(TRIES)) {
    const outcome = await site.evaluate<string>(
      `(() => { const HOST = ${JSON.stringify(origin)}; return (${attempt}).then(() => 'got it', () => 'refused'); })()`,
    );
    expect([name, outcome]).toEqual([name, 'refused']);
  }
  // Within the page's own origin its policy takes no frame.
  const framed = await page.evaluate<string>(
    `new Promise((resolve) => { const frame = document.createElement('iframe'); frame.src = '/sessions'; frame.onload = () => resolve(frame.contentDocument === null ? 'refused' : frame.contentDocument.title); document.body.append(frame); })`,
  );
  expect(framed).not.toContain('Belfry');
  // Another user's program says that it is a browser; the document that it gets has no secret, and lets nobody in.
  const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' };
  const documents = await Promise.all([{}, navigation, navigation].map((headers) => documentFor(origin, headers)));
  expect(documents.map((one) => /belfry-opened" content="(\w+)"/.exec(one)?.[1])).toEqual([
    'elsewhere',
    'here',
    'here',
  ]);
  expect(documents[1]).toBe(documents[2]);
  expect(await pagesOf(home)).toHaveLength(1);
});

test('a tab that follows nothing uses its sign-in once a minute, and goes on after a restart', async () => {
  const home = homeWith(SETTINGS);
  const daemon = await startDaemon(home);
  const { page, origin } = await openPage(home);
  await isIn(page);
  await letsTabsIn(page);
  await page.context().addInitScript(HIDDEN);
  await page.context().clock.install();
  const tabs: Page[] = [];
  const used: string[] = [];
  for (let i = 0; i < 3; i++) {
    const tab = await page.context().newPage();
    tab.on('response', (response) => {
      if (response.url().endsWith('/page/key')) used.push(`tab ${i} ${response.status()}`);
    });
    await tab.goto(`${origin}/sessions`);
    await tab.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    tabs.push(tab);
  }
  const minute = async (count: number): Promise<void> => {
    await page.context().clock.fastForward(60_000);
    await until(() => used.filter((use) => use.endsWith('200')).length === count, 'the tab to use its sign-in');
  };
  await minute(1);
  await minute(2);
  await daemon.stop();
  await startDaemon(home);
  await minute(3);
  expect(new Set(used.map((use) => use.slice(0, 5))).size).toBe(1); // the one without a turn
});

test('a tab that is busy for longer than another one waits lets it in once it answers', async () => {
  const { page, origin } = await start();
  const held: Route[] = [];
  await page.route('**/held', (route) => void held.push(route));
  await page.evaluate(
    `setTimeout(() => { const request = new XMLHttpRequest(); request.open('GET', '/held', false); request.send(); })`,
  );
  const [request] = await until(() => held.length > 0 && held, 'the tab to wait for what nobody answers');
  const tab = await anotherTab(page, `${origin}/sessions`);
  await isOut(tab);
  await request?.fulfill({ body: '' });
  await tab.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
});

test('a browser follows with the tabs that are shown and two others, however many there are', async () => {
  const { home, page, origin } = await start();
  const context = page.context();
  await context.addInitScript(HIDDEN);
  const tabs: Page[] = [];
  for (let i = 0; i < 8; i++) tabs.push(await anotherTab(page, `${origin}/sessions`));
  for (const tab of tabs) await tab.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
  const asked = await startWaiting(home, permission('q1', 'npm publish'));
  await page.locator(`[data-question="${asked.question.id}"]`).waitFor();
  const titles = (): Promise<string[]> => Promise.all(tabs.map((tab) => tab.title()));
  const following = async (): Promise<number> => (await titles()).filter((title) => title.startsWith('(1)')).length;
  await until(async () => (await following()) === 2, 'two of them to follow');
  const still = (await titles()).findIndex((title) => !title.startsWith('('));
  const show = `window.isShown = true, document.dispatchEvent(new Event('visibilitychange'))`;
  await tabs[still]?.evaluate(show);
  await until(async () => (await tabs[still]?.title())?.startsWith('(1)') === true, 'the tab that is shown to follow');
  expect(await following()).toBe(3);
  // Who goes leaves its turn to another one.
  const leaving = (await titles()).findIndex((title, i) => i !== still && title.startsWith('(1)'));
  await tabs[leaving]?.close();
  tabs.splice(leaving, 1);
  await until(async () => (await following()) === 3, 'another one to follow in its place');
});
