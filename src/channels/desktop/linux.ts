// The Linux desktop: the notification server over D-Bus, `notify-send` where the bus cannot be reached directly.
import { existsSync } from 'node:fs';
import type { CheckResult, SendContext } from '../../model/channel.ts';
import type { Outcome } from '../../model/delivery.ts';
import { busAddress, type CallEnd, disconnect, within } from './bus.ts';
import { faultOf, NO_DESKTOP } from './faults.ts';
import { notifyArguments, type ToShow } from './freedesktop.ts';
import { idToReplace, forgetShown, remember } from './shown.ts';
import { ASK, callServer, capabilitiesOf, currentServer, forgetServer, type Server } from './server.ts';

/** Ms that a server may take once it was given a notification: a busy one shows it late, and giving it again would show it twice. */
const SHOW = 8_000;

/** Notifications that a server was given and has not answered for, by delivery. */
const given = new Map<string, { readonly server: Server; readonly end: Promise<CallEnd> }>();
const MOST_GIVEN = 500;

/** Shows a notification. One that the server was given before, and that it may still show, is waited for and not given again. */
export async function showOverDbus(what: ToShow, context: SendContext): Promise<Outcome> {
  if (context.signal.aborted) return { ok: false, reason: 'timeout', error: 'cancelled before it was shown' };
  const address = busAddress(context.env, existsSync);
  if (address === null) return NO_DESKTOP;
  const earlier = given.get(what.deliveryId);
  if (earlier) {
    const outcome = await answerTo(what, earlier.server, earlier.end);
    if (outcome.ok || given.has(what.deliveryId)) return outcome; // what it refused, or lost when it exited, is sent again
  }
  const server = await currentServer(address);
  if ('kind' in server) {
    if (server.kind !== 'unreachable') return faultOf(server);
    const { showByProgram } = await import('./notify-send.ts');
    return showByProgram(what, address, context, SHOW);
  }
  const capabilities = await capabilitiesOf(address, server);
  const body = notifyArguments(what.note, capabilities, idToReplace(server.id, what.sessionKey));
  const end = callServer(address, server, 'Notify', { signature: 'susssasa{sv}i', body });
  given.set(what.deliveryId, { server, end });
  const [oldest] = given.keys();
  if (given.size > MOST_GIVEN && oldest !== undefined) given.delete(oldest);
  return answerTo(what, server, end);
}

async function answerTo(what: ToShow, server: Server, answer: Promise<CallEnd>): Promise<Outcome> {
  const end = await within(answer, SHOW);
  if (end.kind === 'timeout') return faultOf(end);
  given.delete(what.deliveryId);
  if (end.kind === 'unreachable')
    return { ok: false, reason: 'network', unknown: true, error: 'the session bus went away before it was shown' };
  if (end.kind === 'error') return faultOf(end);
  remember(server.id, what.sessionKey, Number(end.value));
  return { ok: true, receipt: String(end.value) };
}

/** What `doctor` says: which server there is, and whether it answers. */
export async function inspect(context: SendContext): Promise<CheckResult> {
  const address = busAddress(context.env, existsSync);
  const fix = 'log in to a desktop, or route to another channel';
  if (address === null) return { level: 'fail', text: 'no desktop: the daemon has no session bus', fix };
  const server = await currentServer(address);
  const end = 'kind' in server ? server : await within(callServer(address, server, 'GetServerInformation'), ASK);
  if ('kind' in server || end.kind !== 'value') {
    const outcome = faultOf(end as Exclude<typeof end, { kind: 'value' }>); // not a value, by the line above
    return { level: 'fail', text: outcome.error, fix };
  }
  const text = `the notification server is ${String(end.value)}`;
  if ((await capabilitiesOf(address, server)) !== null) return { level: 'ok', text };
  return { level: 'warn', text: `${text}; it does not say what it can show`, fix: 'update or restart it' };
}

/** Forgets connections, ids and running calls. */
export function close(): void {
  disconnect();
  forgetServer();
  forgetShown();
  given.clear();
}
