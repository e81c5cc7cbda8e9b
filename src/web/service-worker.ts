// The page's worker: shows the notifications that are pushed to this browser, also while the page is closed, hands over the buttons that are
// pressed, and says to the tabs that are open which document asks to be let in.
import { requestOf } from '../http/api/client.ts';
import { BASE } from '../http/api/paths.ts';
import type { PushMessage } from '../model/channel/push-message.ts';
import type { FromWorker, ToWorker } from './api/tab-witness.ts';
import { readPush } from './lib/push/push-message.ts';
import { sleep } from './lib/sleep.ts';

/** What of the worker's scope is used: the types of windows know nothing of it. */
interface WorkerScope {
  readonly registration: {
    readonly showNotification: (title: string, options: object) => Promise<void>;
    readonly getNotifications: (filter: { readonly tag: string }) => Promise<readonly Shown[]>;
  };
  readonly clients: {
    readonly matchAll: (filter: object) => Promise<readonly OpenTab[]>;
    readonly openWindow: (path: string) => Promise<unknown>;
    readonly claim: () => Promise<void>;
  };
  readonly location: { readonly origin: string };
  readonly skipWaiting: () => Promise<void>;
  readonly addEventListener: (type: string, listener: (event: WorkerEvent) => void) => void;
}

interface OpenTab {
  /** Names this document, and no other one ever. */
  readonly id: string;
  readonly url: string;
  /** `auxiliary`: a script opened it, and may reach into it. */
  readonly frameType: 'top-level' | 'auxiliary' | 'nested' | 'none';
  readonly focus: () => Promise<unknown>;
  readonly postMessage: (message: FromWorker | { readonly open: string }) => void;
}

interface Shown {
  readonly tag: string;
  readonly title: string;
  readonly data: unknown;
  readonly close: () => void;
}

interface WorkerEvent {
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly data?: unknown;
  readonly source?: OpenTab | null;
  readonly ports?: readonly MessagePort[];
  readonly notification?: Shown;
  readonly action?: string;
}

const scope = self as unknown as WorkerScope; // the file is loaded as a worker only

/** Ms that what needs nobody any more is shown: a browser has to show each push. */
const SHORTLY = 5_000;

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('push', (event) => event.waitUntil(showPush(readPush(textOf(event.data)))));
scope.addEventListener('message', (event) => event.waitUntil(hear(event)));
scope.addEventListener('notificationclick', (event) => {
  const { notification, action = '' } = event;
  if (notification === undefined) return;
  notification.close();
  event.waitUntil(action === '' ? openPage(notification.tag) : press(notification, action));
});

const textOf = (data: unknown): string => (data as { readonly text: () => string } | null)?.text() ?? '';

async function hear({ data, source, ports }: WorkerEvent): Promise<void> {
  const { asks } = (data ?? {}) as ToWorker;
  // A browser forgets the documents that it kept for its Back button, and would not list.
  if (asks === undefined) await scope.clients.claim();
  const tabs = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (typeof asks === 'string') {
    const isTab = source?.frameType === 'top-level' && source.url.startsWith(`${scope.location.origin}/`);
    for (const tab of tabs) tab.postMessage({ asks, by: isTab ? source.id : null });
  }
  ports?.[0]?.postMessage(tabs.map(({ id }) => id));
}

/** Settles with the last one that was begun. */
let last: Promise<unknown> = Promise.resolve();

/** One after the other: what is still being shown while a worker looks for what is shown counts as gone to Chromium, which then takes no press of it. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
}

async function showPush(message: PushMessage): Promise<void> {
  await inTurn(() => show(message));
  if (message.over) await closeSoon(message.tag, message.id);
}

async function show({ id, title, body, tag, at, quiet, stays, over, actions }: PushMessage): Promise<void> {
  const before = (await scope.registration.getNotifications({ tag }))[0];
  const isRepeat = before !== undefined && before.data === id;
  const silent = quiet || over || isRepeat;
  const data = id;
  // Only what makes a sound may be announced again.
  const options = { body, tag, data, silent, renotify: !silent, timestamp: at, requireInteraction: stays, actions };
  await scope.registration.showNotification(title, options);
}

async function closeSoon(tag: string, data: string): Promise<void> {
  await sleep(SHORTLY);
  const shown = await inTurn(() => scope.registration.getNotifications({ tag }));
  for (const one of shown) if (one.data === data) one.close();
}

/** Shows what was pushed in a tab that is open, else in a new one. `item`: the notification. */
async function openPage(item: string): Promise<void> {
  const [tab] = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const address = `/?item=${encodeURIComponent(item)}`;
  if (tab === undefined) {
    await scope.clients.openWindow(address);
    return;
  }
  tab.postMessage({ open: address });
  await tab.focus();
}

async function press({ tag, title }: Shown, action: string): Promise<void> {
  const [reference = '', proof = ''] = action.split(' ');
  const { text, isDone } = await handOver(reference, proof);
  const data = `pressed ${reference}`;
  await inTurn(() => scope.registration.showNotification(title, { body: text, tag, data, silent: isDone }));
  if (isDone) await closeSoon(tag, data);
}

async function handOver(
  reference: string,
  proof: string,
): Promise<{ readonly text: string; readonly isDone: boolean }> {
  const { method, path, body } = requestOf('push.press', { reference, proof });
  try {
    const headers = { 'content-type': 'application/json', 'x-belfry': '1' };
    const response = await fetch(`${BASE}${path}`, { method, headers, body });
    const answer = (await response.json()) as { readonly text?: unknown; readonly detail?: unknown };
    if (response.ok) return { text: String(answer.text), isDone: true };
    return { text: `Belfry did not take it: ${String(answer.detail ?? response.status)}`, isDone: false };
  } catch {
    return { text: 'Belfry does not answer. Run `belfry dashboard`, or answer in the terminal.', isDone: false };
  }
}
