// Notifications in this browser: asks for leave, subscribes at the browser's push service, and hands the subscription to Belfry.
import { call } from '../../api/access.ts';
import { WORKER } from '../../api/tab-witness.ts';
import { goTo } from '../place.ts';

/** unsupported: this browser, or this address, has none; blocked: the person said no. */
export type PushState = 'unsupported' | 'blocked' | 'off' | 'on';

/** Goes to what the page's worker says that somebody pressed; the worker is of this origin, and leads nowhere else. */
export function followPushes(): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const { open } = (data ?? {}) as { readonly open?: unknown };
    if (typeof open === 'string' && /^\/\?item=[\w%.-]+$/.test(open)) goTo(open);
  });
  navigator.serviceWorker.startMessages();
}

const isSupported = (): boolean =>
  window.isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** What it is now. */
export async function pushState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) ? 'on' : 'off';
}

/** Called by a press, or browsers do not ask. Resolves with what to say; throws with why not. */
export async function notifyHere(): Promise<string> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('This browser does not let Belfry notify you: allow it in the settings of this page');
  const { public_key: key, channels, command } = await call('push.get', {});
  await navigator.serviceWorker.register(WORKER, { scope: '/' });
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // One of another key would be refused by the push service.
  if (before !== null && !isOf(before, key)) await before.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  await call('push.subscribe', { endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } });
  return channels.length > 0
    ? 'Notifications arrive in this browser, also while the page is closed'
    : `This browser is subscribed. Run "${command}" to send to it`;
}

/** Resolves with what to say. */
export async function stopHere(): Promise<string> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  const subscription = await registration?.pushManager.getSubscription();
  if (subscription) {
    await call('push.unsubscribe', { endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  }
  return 'No more notifications in this browser';
}

function isOf({ options }: PushSubscription, key: string): boolean {
  const own = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const wanted = bytesOf(key);
  return own.length === wanted.length && own.every((byte, i) => byte === wanted[i]);
}

/** Of base64url. */
function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
