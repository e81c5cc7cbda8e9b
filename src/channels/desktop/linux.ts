// The Linux desktop: the notification server over D-Bus, `notify-send` where the bus cannot be spoken to directly.
import { existsSync } from 'node:fs';
import type { SendTools } from '../../model/channel.ts';
import type { Outcome } from '../../model/delivery.ts';
import { busAddress, type CallEnd, call, disconnect } from './bus.ts';
import { type Note, notifyArguments, notifySendArguments } from './freedesktop.ts';

/** Ms that any call may take: a hung server must not hold anything up. */
const LIMIT = 2_000;
const SERVER = {
  destination: 'org.freedesktop.Notifications',
  path: '/org/freedesktop/Notifications',
  interface: 'org.freedesktop.Notifications',
};

const NO_DESKTOP: Outcome = {
  ok: false,
  reason: 'invalid-config',
  error:
    'no desktop here: the daemon has no session bus; start belfry from the desktop session or set DBUS_SESSION_BUS_ADDRESS',
};

/** Notification ids the server gave, by bus and session, so that a session's next one replaces its last. */
const shown = new Map<string, number>();
const MOST_REMEMBERED = 500;

/** Shows a notification. */
export async function show(note: Note, sessionKey: string, tools: SendTools): Promise<Outcome> {
  if (tools.signal.aborted) return { ok: false, reason: 'timeout', error: 'cancelled before it was shown' };
  const address = busAddress(tools.env, existsSync);
  if (address === null) return NO_DESKTOP;
  const key = `${address} ${sessionKey}`;
  const capabilities = await call(address, { ...SERVER, member: 'GetCapabilities' }, LIMIT);
  if (capabilities.kind === 'unreachable') return showByProgram(note, key, address, tools);
  if (capabilities.kind !== 'value') return faultOf(capabilities);
  const known = Array.isArray(capabilities.value) ? capabilities.value.map(String) : [];
  const body = notifyArguments(note, known, shown.get(key) ?? 0);
  const end = await call(address, { ...SERVER, member: 'Notify', signature: 'susssasa{sv}i', body }, LIMIT);
  if (end.kind !== 'value') return faultOf(end);
  remember(key, Number(end.value));
  return { ok: true, receipt: String(end.value) };
}

/** The server's name and version, or why there is none. */
export async function serverName(tools: SendTools): Promise<{ name: string } | { fault: string }> {
  const address = busAddress(tools.env, existsSync);
  if (address === null) return { fault: 'no desktop here: the daemon has no session bus' };
  const end = await call(address, { ...SERVER, member: 'GetServerInformation' }, LIMIT);
  if (end.kind === 'value') return { name: String(end.value) };
  const outcome = faultOf(end);
  return { fault: outcome.ok ? '' : outcome.error };
}

/** Forgets connections and ids. */
export function close(): void {
  disconnect();
  shown.clear();
}

function remember(key: string, id: number): void {
  shown.delete(key);
  if (id > 0) shown.set(key, id);
  const [oldest] = shown.keys();
  if (shown.size > MOST_REMEMBERED && oldest !== undefined) shown.delete(oldest);
}

function faultOf(end: Exclude<CallEnd, { kind: 'value' }>): Outcome {
  if (end.kind === 'timeout')
    return {
      ok: false,
      reason: 'timeout',
      error: `the notification server did not answer within ${LIMIT / 1000} s; restart it`,
    };
  if (end.kind === 'error' && /ServiceUnknown|NameHasNoOwner|Spawn/.test(end.name))
    return {
      ok: false,
      reason: 'invalid-config',
      error: 'no notification server runs in this session; start one (GNOME, KDE, dunst, mako)',
    };
  if (end.kind === 'error')
    return { ok: false, reason: 'client', error: `the notification server refused it (${end.name})` };
  return {
    ok: false,
    reason: 'network',
    error: 'the session bus cannot be reached; is the desktop session still there?',
  };
}

async function showByProgram(note: Note, key: string, address: string, tools: SendTools): Promise<Outcome> {
  const { execa } = await import('execa');
  const result = await execa('notify-send', notifySendArguments(note, shown.get(key) ?? 0), {
    env: { ...tools.env, DBUS_SESSION_BUS_ADDRESS: address },
    extendEnv: false,
    stdin: 'ignore',
    timeout: LIMIT,
    killSignal: 'SIGKILL',
    maxBuffer: 4096,
    reject: false,
    // No cancelSignal: killing a child whose start has just failed signals a process group that is not its own.
  });
  if (result.timedOut) return faultOf({ kind: 'timeout' });
  if (result.code === 'ENOENT' || result.failed) return faultOf({ kind: 'unreachable' });
  remember(key, Number.parseInt(result.stdout, 10) || 0);
  return { ok: true };
}
