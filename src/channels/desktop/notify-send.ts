// `notify-send`, for a bus that cannot be reached directly. Loaded when it is first needed.
import { execa } from 'execa';
import type { ChannelTools } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { faultOf } from './fault-outcomes.ts';
import { notifySendArguments, type ToShow } from './freedesktop.ts';
import { ASK } from './bus.ts';
import type { DesktopReceipt, ShownNotifications } from './shown-ids.ts';

const OWNER = [
  '--session',
  '--print-reply=literal',
  '--dest=org.freedesktop.DBus',
  '/org/freedesktop/DBus',
  'org.freedesktop.DBus.GetNameOwner',
  'string:org.freedesktop.Notifications',
];

const CLOSE = [
  '--session',
  '--print-reply=literal',
  '--dest=org.freedesktop.Notifications',
  '/org/freedesktop/Notifications',
  'org.freedesktop.Notifications.CloseNotification',
];

/** Where it is shown; `limit` in ms. */
interface Place {
  readonly address: string;
  readonly tools: ChannelTools;
  readonly limit: number;
}

/** Shows a notification. */
export async function showByProgram(
  { note, notificationId, threadKey, changes }: ToShow,
  { shown, ...place }: Place & { readonly shown: ShownNotifications },
): Promise<Outcome> {
  const server = await serverOf(place);
  const replaces = server === null ? 0 : changes?.server === server ? changes.id : shown.idToReplace(server, threadKey);
  const result = await execa('notify-send', notifySendArguments(note, replaces), options(place, place.limit));
  if (result.timedOut) return { ...faultOf({ kind: 'timeout' }), unknown: true }; // the server may show it yet
  if (result.code === 'ENOENT' || result.failed) return faultOf({ kind: 'unreachable' });
  const id = Number.parseInt(result.stdout, 10) || 0;
  if (server === null || id === 0) return { ok: true };
  shown.remember(threadKey, { server, id, notificationId });
  return { ok: true, receipt: { server, id } satisfies DesktopReceipt };
}

/** Takes it away, unless another run of the server has taken the place of the one that showed it. */
export async function closeByProgram(receipt: DesktopReceipt, place: Place): Promise<Outcome> {
  if ((await serverOf(place)) !== receipt.server) return { ok: true };
  const result = await execa('dbus-send', [...CLOSE, `uint32:${receipt.id}`], options(place, place.limit));
  if (result.timedOut) return faultOf({ kind: 'timeout' });
  return result.code === 'ENOENT' ? faultOf({ kind: 'unreachable' }) : { ok: true };
}

/** The run of the server; null: not known. */
async function serverOf(place: Place): Promise<string | null> {
  const owner = await execa('dbus-send', OWNER, options(place, ASK));
  return owner.failed ? null : `${place.address} ${owner.stdout.trim()}`;
}

function options({ address, tools }: Place, timeout: number) {
  return {
    env: { ...tools.env, DBUS_SESSION_BUS_ADDRESS: address },
    extendEnv: false,
    stdin: 'ignore',
    timeout,
    killSignal: 'SIGKILL',
    maxBuffer: 4096,
    reject: false,
    // No cancelSignal: killing a child whose start has just failed signals a process group that is not its own.
  } as const;
}
