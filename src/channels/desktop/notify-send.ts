// `notify-send`, for a bus that cannot be reached directly. Loaded when it is first needed.
import { execa } from 'execa';
import type { SendContext } from '../../model/channel.ts';
import type { Outcome } from '../../model/delivery.ts';
import { faultOf } from './faults.ts';
import { notifySendArguments, type ToShow } from './freedesktop.ts';
import { ASK } from './server.ts';
import { idToReplace, remember } from './shown.ts';

const OWNER = [
  '--session',
  '--print-reply=literal',
  '--dest=org.freedesktop.DBus',
  '/org/freedesktop/DBus',
  'org.freedesktop.DBus.GetNameOwner',
  'string:org.freedesktop.Notifications',
];

/** Shows a notification; `limit` in ms. */
export async function showByProgram(
  { note, sessionKey }: ToShow,
  address: string,
  tools: SendContext,
  limit: number,
): Promise<Outcome> {
  const options = (timeout: number) =>
    ({
      env: { ...tools.env, DBUS_SESSION_BUS_ADDRESS: address },
      extendEnv: false,
      stdin: 'ignore',
      timeout,
      killSignal: 'SIGKILL',
      maxBuffer: 4096,
      reject: false,
      // No cancelSignal: killing a child whose start has just failed signals a process group that is not its own.
    }) as const;
  const owner = await execa('dbus-send', OWNER, options(ASK));
  const name = owner.failed ? null : owner.stdout.trim();
  const server = `${address} ${name}`;
  const replaces = name === null ? 0 : idToReplace(server, sessionKey);
  const result = await execa('notify-send', notifySendArguments(note, replaces), options(limit));
  if (result.timedOut) return { ...faultOf({ kind: 'timeout' }), unknown: true }; // the server may show it yet
  if (result.code === 'ENOENT' || result.failed) return faultOf({ kind: 'unreachable' });
  if (name !== null) remember(server, sessionKey, Number.parseInt(result.stdout, 10) || 0);
  return { ok: true };
}
