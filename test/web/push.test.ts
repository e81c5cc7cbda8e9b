// Notifications in a real browser: the button subscribes it, the page's worker shows what is pushed, and a press of a button acknowledges. The browser's own
// push service cannot be reached here: in its place is that of the tests, and what that decrypts is handed to the worker by the browser's debugger.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Browser } from '../../src/model/channel/browsers.ts';
import type { Question } from '../../src/model/question/question.ts';
import { permission, startWaiting } from '../support/answering.ts';
import { openPage } from '../support/browser.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { type PushService, startPushService } from '../support/push-service.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const SETTINGS = '[channels.browser]\ntype = "webpush"\nallow_private = true\n[[routes]]\nto = ["browser"]\n';

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly actions: readonly string[];
}

/** What the worker shows now. */
const shownIn = (page: Page): Promise<readonly Shown[]> =>
  page.evaluate(`navigator.serviceWorker.ready
    .then((registration) => registration.getNotifications())
    .then((all) => all.map(({ title, body, actions = [] }) => ({ title, body, actions: actions.map((one) => one.title) })))`);

/** In place of what the browser's own push service gives. */
const subscribesAs = (page: Page, browser: Browser): Promise<void> =>
  page.evaluate(`{
    const given = ${JSON.stringify(browser)};
    let isOn = false;
    const unsubscribe = async () => !(isOn = false);
    const subscription = { ...given, options: { applicationServerKey: null }, toJSON: () => given, unsubscribe };
    PushManager.prototype.getSubscription = async () => (isOn ? subscription : null);
    PushManager.prototype.subscribe = async () => ((isOn = true), subscription);
  }`);

/** Somebody presses a button of the notification that is shown. */
const press = (page: Page, action: string): Promise<unknown> | undefined =>
  page
    .context()
    .serviceWorkers()[0]
    ?.evaluate(
      `registration.getNotifications().then(([notification]) =>
        self.dispatchEvent(new NotificationEvent('notificationclick', { notification, action: ${JSON.stringify(action)} })))`,
    );

/** Hands what was pushed last to the worker. */
async function bring(service: PushService, { session, registrationId, origin }: Delivering): Promise<void> {
  const data = JSON.stringify(service.pushed.at(-1)?.message);
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
}

interface Delivering {
  readonly session: CDPSession;
  readonly registrationId: string;
  readonly origin: string;
}

async function delivering(page: Page, origin: string): Promise<Delivering> {
  const session = await page.context().newCDPSession(page);
  let registrationId = '';
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId =
      registrations.find(({ scopeURL }) => scopeURL.startsWith(origin))?.registrationId ?? registrationId;
  });
  await session.send('ServiceWorker.enable');
  await until(() => registrationId !== '', 'the worker to be registered');
  return { session, registrationId, origin };
}

/** On its page of channels, as a person does it. */
async function subscribed(page: Page, service: PushService, origin: string): Promise<Delivering> {
  await page.getByRole('button', { name: 'Notify in this browser' }).waitFor();
  await subscribesAs(page, service.subscribe('chromium'));
  await page.getByRole('button', { name: 'Notify in this browser' }).click();
  await page.getByRole('button', { name: 'Stop notifying in this browser' }).waitFor();
  return delivering(page, origin);
}

test('a browser is subscribed, shows what is pushed, and its button acknowledges', async () => {
  const service = await startPushService();
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page, complaints, origin } = await openPage(home, { permissions: ['notifications'] }, '/channels');
  const known = (): number =>
    (JSON.parse(readFileSync(join(home, 'state', 'browsers.json'), 'utf8')) as { browsers: unknown[] }).browsers.length;
  const to = await subscribed(page, service, origin);
  expect(known()).toBe(1);

  await belfry(home, ['send', 'Build <b>failed</b>', 'See job 1234', '--urgency', 'urgent']);
  await until(() => service.pushed.length > 0, 'it to be pushed');
  await bring(service, to);
  const [shown] = await until(async () => (await shownIn(page)).length > 0 && shownIn(page), 'it to be shown');
  expect(shown).toEqual({ title: 'Build <b>failed</b>', body: 'See job 1234', actions: ['Got it'] });
  await bring(service, to); // a repeat
  expect(await shownIn(page)).toHaveLength(1);

  // Pressed itself, it is opened in the tab that is there; without a real press a browser lets no worker take the focus.
  await press(page, '')?.catch(() => undefined);
  await page.waitForURL(/\/\?item=/);
  expect(new URL(page.url()).searchParams.get('item')).toBe(service.pushed[0]?.message['tag']);
  await page.goBack();
  await bring(service, to);
  await until(async () => (await shownIn(page)).length > 0, 'it to be shown again');

  const actions = service.pushed[0]?.message['actions'] as readonly { readonly action: string }[] | undefined;
  await press(page, actions?.[0]?.action ?? '');
  await until(() => service.pushed.at(-1)?.message['over'] === true, 'the change to be pushed');
  expect(service.pushed.at(-1)?.message['body']).toMatch(/^✓ acknowledged by \S+ through browser\n/);
  await bring(service, to);
  await until(async () => (await shownIn(page)).length === 0, 'it to go');

  await page.getByRole('button', { name: 'Stop notifying in this browser' }).click();
  await page.getByRole('button', { name: 'Notify in this browser' }).waitFor();
  expect(known()).toBe(0);
  expect(complaints).toEqual([]);
});

test('a push opens its question: in a tab that is open, or in a new one that another tab lets in', async () => {
  const service = await startPushService();
  const home = homeWith(`${SETTINGS}[answer]\nkinds = ["permission"]\n`);
  await startDaemon(home);
  const { page, complaints, origin } = await openPage(home, { permissions: ['notifications'] }, '/channels');
  const to = await subscribed(page, service, origin);
  const worker = page.context().serviceWorkers()[0];
  const asked: { readonly question: Question }[] = [];
  for (const [session, line] of [
    ['q1', 'npm test'],
    ['q2', 'npm publish'],
  ] as const) {
    await hook(home, JSON.stringify(permission(session, line)), ['--agent', 'claude']);
    asked.push(await startWaiting(home, permission(session, line)));
    await until(() => service.pushed.length >= asked.length, 'it to be pushed');
  }
  const second = asked[1]?.question.id;
  await bring(service, to);
  await until(async () => (await shownIn(page)).length === 1, 'it to be shown');

  await press(page, '')?.catch(() => undefined);
  await page.locator(`[data-question="${second}"]`).waitFor();

  // No tab of the page is found, and what the worker opens is opened as it would be: only a real press may.
  await page.goto(`${origin}/channels`);
  await worker?.evaluate(
    `clients.matchAll = async () => [], clients.openWindow = async (address) => { self.opened = address; }`,
  );
  await bring(service, to);
  await until(async () => (await shownIn(page)).length === 1, 'it to be shown again');
  await press(page, '');
  const address = await until(() => worker?.evaluate<string | undefined>('self.opened'), 'it to be opened');
  const tab = await page.context().newPage();
  await tab.goto(`${origin}${address}`);
  await tab.locator(`[data-question="${second}"]`).waitFor();
  expect(complaints).toEqual([]);
});
