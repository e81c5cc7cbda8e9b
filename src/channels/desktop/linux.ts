// The Linux desktop: the notification server over D-Bus, `notify-send` where the bus cannot be reached directly.
import { existsSync } from 'node:fs';
import type { ChannelTools, CheckResult, SendContext } from '../../model/channel.ts';
import type { Outcome } from '../../model/delivery.ts';
import { busAddress, type CallEnd, createBus, within } from './bus.ts';
import { faultOf, NO_DESKTOP } from './faults.ts';
import { notifyArguments, type ToShow } from './freedesktop.ts';
import { ASK, callServer, createAskCapabilities, currentServer, type Server } from './server.ts';
import { createShown, type DesktopReceipt, readReceipt } from './shown.ts';

/** Ms that a server may take once it was given a notification: a busy one shows it late, and giving it again would show it twice. */
const SHOW = 8_000;
/** Notifications remembered that a server was given and has not answered for. */
const MOST_GIVEN = 500;

/** What is to be taken away. */
export interface ToClose {
  readonly receipt: unknown;
  readonly notificationId: string;
  readonly threadKey: string;
}

/** A desktop with its connection and what it shows. */
export interface LinuxDesktop {
  /** One that the server was given before, and that it may still show, is waited for and not given again. */
  show(what: ToShow, context: SendContext): Promise<Outcome>;
  /** Shows the changed one in its place. One that is resolved is not shown where it is not on the screen any more. */
  update(what: ToShow, resolved: boolean, context: SendContext): Promise<Outcome>;
  /** Takes it away, unless it is gone anyway. */
  remove(what: ToClose, context: SendContext): Promise<Outcome>;
  close(): void;
}

const CANCELLED: Outcome = { ok: false, reason: 'timeout', error: 'cancelled before it was shown' };
const GONE: Outcome = { ok: true };

/** Connected to nothing yet. */
export function createLinuxDesktop(tools: ChannelTools): LinuxDesktop {
  const bus = createBus();
  const capabilitiesOf = createAskCapabilities(bus);
  const shown = createShown();
  const given = new Map<string, { readonly server: Server; readonly end: Promise<CallEnd> }>();

  async function answerTo(what: ToShow, server: Server, answer: Promise<CallEnd>): Promise<Outcome> {
    const end = await within(answer, SHOW);
    if (end.kind === 'timeout') return faultOf(end);
    given.delete(what.deliveryId);
    if (end.kind === 'unreachable')
      return { ok: false, reason: 'network', unknown: true, error: 'the session bus went away before it was shown' };
    if (end.kind === 'error') return faultOf(end);
    const receipt: DesktopReceipt = { id: Number(end.value), server: server.id };
    shown.remember(what.threadKey, { ...receipt, notificationId: what.notificationId });
    return { ok: true, receipt };
  }

  async function show(what: ToShow, { signal }: SendContext): Promise<Outcome> {
    if (signal.aborted) return CANCELLED;
    const address = busAddress(tools.env, existsSync);
    if (address === null) return NO_DESKTOP;
    const earlier = given.get(what.deliveryId);
    if (earlier) {
      const outcome = await answerTo(what, earlier.server, earlier.end);
      if (outcome.ok || given.has(what.deliveryId)) return outcome; // what it refused, or lost when it exited, is sent again
    }
    const server = await currentServer(bus, address);
    if ('kind' in server) {
      if (server.kind !== 'unreachable') return faultOf(server);
      const { showByProgram } = await import('./notify-send.ts');
      return showByProgram(what, { address, tools, shown, limit: SHOW });
    }
    const capabilities = await capabilitiesOf(address, server);
    const replaces =
      what.changes?.server === server.id ? what.changes.id : shown.idToReplace(server.id, what.threadKey);
    const body = notifyArguments(what.note, capabilities, replaces);
    const end = callServer(bus, address, server, 'Notify', { signature: 'susssasa{sv}i', body });
    given.set(what.deliveryId, { server, end });
    const [oldest] = given.keys();
    if (given.size > MOST_GIVEN && oldest !== undefined) given.delete(oldest);
    return answerTo(what, server, end);
  }

  async function update(what: ToShow, resolved: boolean, context: SendContext): Promise<Outcome> {
    if (what.changes === null || shown.isReplaced(what.threadKey, what.changes, what.notificationId)) return GONE;
    if (!resolved) return show(what, context);
    const address = busAddress(tools.env, existsSync);
    const server = address === null ? null : await currentServer(bus, address, false);
    const isElsewhere = server !== null && !('kind' in server) && server.id !== what.changes.server;
    return server === null || isElsewhere ? GONE : show(what, context);
  }

  async function remove(what: ToClose, { signal }: SendContext): Promise<Outcome> {
    if (signal.aborted) return CANCELLED;
    const receipt = readReceipt(what.receipt);
    if (receipt === null || shown.isReplaced(what.threadKey, receipt, what.notificationId)) return GONE;
    const address = busAddress(tools.env, existsSync);
    if (address === null) return GONE; // with its session
    const server = await currentServer(bus, address, false);
    if ('kind' in server) {
      if (server.kind === 'no-server') return GONE;
      if (server.kind !== 'unreachable') return faultOf(server);
      const { closeByProgram } = await import('./notify-send.ts');
      return closeByProgram(receipt, { address, tools, limit: SHOW });
    }
    if (server.id !== receipt.server) return GONE; // the id may be another program's there
    const call = callServer(bus, address, server, 'CloseNotification', { signature: 'u', body: [receipt.id] });
    const end = await within(call, SHOW);
    if (end.kind === 'value' || end.kind === 'error') {
      shown.forget(what.threadKey);
      return GONE; // an error is how some servers say that the user was first
    }
    return faultOf(end);
  }

  return { show, update, remove, close: () => bus.disconnect() };
}

/** What `doctor` says: which server there is, and whether it answers. */
export async function inspect({ env }: ChannelTools): Promise<CheckResult> {
  const address = busAddress(env, existsSync);
  const fix = 'log in to a desktop, or route to another channel';
  if (address === null) return { level: 'fail', text: 'no desktop: the daemon has no session bus', fix };
  const bus = createBus();
  try {
    const server = await currentServer(bus, address);
    const end = 'kind' in server ? server : await within(callServer(bus, address, server, 'GetServerInformation'), ASK);
    if ('kind' in server || end.kind !== 'value') {
      const outcome = faultOf(end as Exclude<typeof end, { kind: 'value' }>); // not a value, by the line above
      return { level: 'fail', text: outcome.error, fix };
    }
    const text = `the notification server is ${String(end.value)}`;
    if ((await createAskCapabilities(bus)(address, server)) !== null) return { level: 'ok', text };
    return { level: 'warn', text: `${text}; it does not say what it can show`, fix: 'update or restart it' };
  } finally {
    bus.disconnect();
  }
}
