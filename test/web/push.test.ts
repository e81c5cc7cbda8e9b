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
import { type Pushed, type PushService, startPushService } from '../support/push-service.ts';
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

/** Hands a push to the worker; resolves once the browser says that a notification is shown. */
async function bring(pushed: Pushed, to: Delivering): Promise<void> {
  const before = to.shown();
  await hand(pushed.message, to);
  await until(() => to.shown() > before, 'it to be shown');
}

async function hand(message: object, { session, registrationId, origin }: Delivering): Promise<void> {
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(message) });
}

/** The first push of which this holds, once it was made. */
const pushOf = (service: PushService, holds: (message: Pushed['message']) => boolean): Promise<Pushed> =>
  until(() => service.pushed.find(({ message }) => holds(message)), 'it to be pushed');

interface Delivering {
  readonly session: CDPSession;
  readonly registrationId: string;
  readonly origin: string;
  /** How often the browser has shown a notification. To ask it meanwhile what it shows would have it forget what it is about to show. */
  readonly shown: () => number;
}

async function delivering(page: Page, origin: string): Promise<Delivering> {
  const session = await page.context().newCDPSession(page);
  let registrationId = '';
  let shown = 0;
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`)?.registrationId ?? registrationId;
  });
  session.on('BackgroundService.backgroundServiceEventReceived', ({ backgroundServiceEvent: { eventName } }) => {
    if (eventName === 'Notification displayed') shown += 1;
  });
  await session.send('ServiceWorker.enable');
  await session.send('BackgroundService.startObserving', { service: 'notifications' });
  await session.send('BackgroundService.setRecording', { shouldRecord: true, service: 'notifications' });
  await until(() => registrationId !== '', 'the worker to be registered');
  return { session, registrationId, origin, shown: () => shown };
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
  const sent = await pushOf(service, ({ title }) => title === 'Build <b>failed</b>');
  await bring(sent, to);
  const shown = { title: 'Build <b>failed</b>', body: 'See job 1234', actions: ['Got it'] };
  expect(await shownIn(page)).toEqual([shown]);
  await bring(sent, to); // a repeat
  expect(await shownIn(page)).toEqual([shown]);

  // Pressed itself, it is opened in the tab that is there; without a real press a browser lets no worker take the focus.
  await press(page, '')?.catch(() => undefined);
  await page.waitForURL(/\/\?item=/);
  expect(new URL(page.url()).searchParams.get('item')).toBe(sent.message['tag']);
  await page.goBack();
  await bring(sent, to);
  expect(await shownIn(page)).toEqual([shown]);

  const actions = sent.message['actions'] as readonly { readonly action: string }[] | undefined;
  const before = to.shown();
  await press(page, actions?.[0]?.action ?? '');
  const change = await pushOf(service, ({ over }) => over === true);
  expect(change.message['body']).toMatch(/^✓ acknowledged by \S+ through browser\n/);
  await until(() => to.shown() > before, 'what came of the press to be shown');
  await bring(change, to);
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
  const ask = async (session: string, line: string): Promise<Question> => {
    await hook(home, JSON.stringify(permission(session, line)), ['--agent', 'claude']);
    return (await startWaiting(home, permission(session, line))).question;
  };
  await ask('q1', 'npm test');
  const question = await ask('q2', 'npm publish');
  const sent = await pushOf(service, ({ body }) => String(body).includes('npm publish'));
  await bring(sent, to);
  expect(await shownIn(page)).toHaveLength(1);

  await press(page, '')?.catch(() => undefined);
  await page.locator(`[data-question="${question.id}"]`).waitFor();

  // No tab of the page is found, and what the worker opens is opened as it would be: only a real press may.
  await page.goto(`${origin}/channels`);
  await worker?.evaluate(
    `clients.matchAll = async () => [], clients.openWindow = async (address) => { delete clients.matchAll; self.opened = address; }`,
  );
  await bring(sent, to);
  expect(await shownIn(page)).toHaveLength(1);
  await press(page, '');
  const address = await until(() => worker?.evaluate<string | undefined>('self.opened'), 'it to be opened');
  const tab = await page.context().newPage();
  await tab.goto(`${origin}${address}`);
  await tab.locator(`[data-question="${question.id}"]`).waitFor();
  expect(complaints).toEqual([]);
});

test('what comes while another is being shown waits for it, and neither is forgotten', async () => {
  const service = await startPushService();
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page, origin } = await openPage(home, { permissions: ['notifications'] }, '/channels');
  const to = await subscribed(page, service, origin);
  const worker = page.context().serviceWorkers()[0];
  const inWorker = (what: string): Promise<unknown> | undefined => worker?.evaluate(what);
  await inWorker(`{
    const { getNotifications, showNotification } = ServiceWorkerRegistration.prototype;
    self.came = self.looked = self.began = 0;
    const held = new Promise((resolve) => { self.release = resolve; });
    ServiceWorkerRegistration.prototype.getNotifications = function (filter) {
      self.looked += 1;
      return getNotifications.call(this, filter);
    };
    ServiceWorkerRegistration.prototype.showNotification = function (...given) {
      self.began += 1;
      return held.then(() => showNotification.apply(this, given));
    };
    addEventListener('push', () => { self.came += 1; });
  }`);
  await hand({ id: 'a', tag: 'a', title: 'First' }, to);
  await until(async () => (await inWorker('self.began')) === 1, 'the first one to be on its way');
  await hand({ id: 'b', tag: 'b', title: 'Second' }, to);
  await until(async () => (await inWorker('self.came')) === 2, 'the second one to come');
  expect(await inWorker('self.looked')).toBe(1);
  await inWorker('self.release()');
  await until(() => to.shown() === 2, 'both to be shown');
  expect((await shownIn(page)).map(({ title }) => title).sort()).toEqual(['First', 'Second']);
});
