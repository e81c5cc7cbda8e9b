// The Linux desktop: the notification server over D-Bus, `notify-send` where the bus cannot be reached directly.
import { existsSync } from 'node:fs';
import type { ChannelTools, CheckResult, SendContext } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { ASK, type Bus, busAddress, type CallEnd, createBus, type Signal, within } from './bus.ts';
import { faultOf, NO_DESKTOP } from './fault-outcomes.ts';
import {
  CLICKED,
  type DesktopButton,
  INLINE_REPLY,
  notifyArguments,
  PRESSED,
  REPLIED,
  type ToShow,
  type WithButtons,
} from './freedesktop.ts';
import { createMeanings, type Meanings } from './click-meanings.ts';
import {
  type AskCapabilities,
  callServer,
  createAskCapabilities,
  currentServer,
  type Server,
} from './notification-server.ts';
import { createShown, type DesktopReceipt, readReceipt } from './shown-ids.ts';

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
  /** Hears the buttons of what was shown before, where there is a server. */
  listen(): Promise<void>;
  /** Shows a line to whoever wrote something, where there is a server; a failure is ignored, as the log has the line. */
  tell(line: string): Promise<void>;
  close(): void;
}

const CANCELLED: Outcome = { ok: false, reason: 'timeout', error: 'cancelled before it was shown' };
const GONE: Outcome = { ok: true };

/** Who hears of what people do with the notifications. */
export interface DesktopListeners {
  /** Somebody pressed a button with this key, or clicked where a click has it. */
  readonly pressed: (key: string) => void;
  /** Somebody wrote this where a text has this key; null: where nobody takes one any more. Never empty. */
  readonly replied: (key: string | null, text: string) => void;
}

/** Connected to nothing yet. */
export function createLinuxDesktop(tools: ChannelTools, on: DesktopListeners): LinuxDesktop {
  const meanings = createMeanings();
  const take = ({ member, sender, body: [id, said] }: Signal): void => {
    if (typeof said !== 'string') return;
    const meaning = meanings.of(sender, id);
    if (member === REPLIED.member && meaning !== null && said.trim() !== '') on.replied(meaning.reply, said);
    if (member !== PRESSED.member || said === INLINE_REPLY) return;
    const meant = said === CLICKED ? (meaning?.click ?? null) : said; // a button proves by itself what it means
    if (meant !== null) on.pressed(meant);
  };
  // The id of what it is about may stand in a message just before it.
  const bus = createBus((signal) => void setImmediate(take, signal));
  return new BusDesktop(tools, bus, meanings);
}

class BusDesktop implements LinuxDesktop {
  readonly #tools: ChannelTools;
  readonly #bus: Bus;
  readonly #capabilitiesOf: AskCapabilities;
  readonly #shown = createShown();
  /** What a server was given and has not answered for, by the delivery. */
  readonly #given = new Map<string, { readonly server: Server; readonly end: Promise<CallEnd> }>();

  readonly #meanings: Meanings;

  constructor(tools: ChannelTools, bus: Bus, meanings: Meanings) {
    this.#tools = tools;
    this.#meanings = meanings;
    this.#bus = bus;
    this.#capabilitiesOf = createAskCapabilities(bus);
  }

  async #answerTo(what: ToShow, server: Server, answer: Promise<CallEnd>): Promise<Outcome> {
    const end = await within(answer, SHOW);
    if (end.kind === 'timeout') return faultOf(end);
    this.#given.delete(what.deliveryId);
    if (end.kind === 'unreachable')
      return { ok: false, reason: 'network', unknown: true, error: 'the session bus went away before it was shown' };
    if (end.kind === 'error') return faultOf(end);
    const receipt: DesktopReceipt = { id: Number(end.value), server: server.id };
    const { onClick, reply } = what.withReply;
    this.#meanings.remember(server, receipt.id, { click: onClick, reply: reply?.key ?? null });
    this.#shown.remember(what.threadKey, { ...receipt, notificationId: what.notificationId });
    return { ok: true, receipt };
  }

  async show(what: ToShow, { signal }: SendContext): Promise<Outcome> {
    if (signal.aborted) return CANCELLED;
    const address = busAddress(this.#tools.env, existsSync);
    if (address === null) return NO_DESKTOP;
    const earlier = this.#given.get(what.deliveryId);
    if (earlier) {
      const outcome = await this.#answerTo(what, earlier.server, earlier.end);
      if (outcome.ok || this.#given.has(what.deliveryId)) return outcome; // what it refused, or lost when it exited, is sent again
    }
    const server = await currentServer(this.#bus, address);
    if ('kind' in server) {
      if (server.kind !== 'unreachable') return faultOf(server);
      const { showByProgram } = await import('./notify-send.ts');
      return showByProgram(what, { address, tools: this.#tools, shown: this.#shown, limit: SHOW });
    }
    const capabilities = await this.#capabilitiesOf(address, server);
    const { body: text, buttons: shown, reply, onClick } = fitting(what, capabilities);
    const replaces = await this.#idFor(what, { address, server, reply: reply?.key ?? null });
    const buttons: readonly DesktopButton[] = onClick === null ? shown : [[CLICKED, 'Show'], ...shown];
    if (buttons.length > 0) await this.#bus.follow(address, PRESSED);
    if (reply !== null) await this.#bus.follow(address, REPLIED);
    const body = notifyArguments({ ...what.note, body: text }, { capabilities, replaces, buttons, reply });
    const end = callServer(this.#bus, address, server, 'Notify', { signature: 'susssasa{sv}i', body });
    this.#given.set(what.deliveryId, { server, end });
    const [oldest] = this.#given.keys();
    if (this.#given.size > MOST_GIVEN && oldest !== undefined) this.#given.delete(oldest);
    return this.#answerTo(what, server, end);
  }

  /**
   * The id of what it takes the place of; 0: of nothing. A text that somebody is writing must not go to another question than the one it
   * was begun for: that notification is closed, and this one stands beside where it was.
   */
  async #idFor(
    { changes, threadKey }: ToShow,
    { address, server, reply }: { readonly address: string; readonly server: Server; readonly reply: string | null },
  ): Promise<number> {
    const id = changes?.server === server.id ? changes.id : this.#shown.idToReplace(server.id, threadKey);
    if (!this.#meanings.isTaken(server, id, reply)) return id;
    await within(callServer(this.#bus, address, server, 'CloseNotification', { signature: 'u', body: [id] }), SHOW);
    return 0;
  }

  async update(what: ToShow, resolved: boolean, context: SendContext): Promise<Outcome> {
    if (what.changes === null || this.#shown.isReplaced(what.threadKey, what.changes, what.notificationId)) return GONE;
    if (!resolved) return this.show(what, context);
    const address = busAddress(this.#tools.env, existsSync);
    const server = address === null ? null : await currentServer(this.#bus, address, false);
    const isElsewhere = server !== null && !('kind' in server) && server.id !== what.changes.server;
    return server === null || isElsewhere ? GONE : this.show(what, context);
  }

  async remove(what: ToClose, { signal }: SendContext): Promise<Outcome> {
    if (signal.aborted) return CANCELLED;
    const receipt = readReceipt(what.receipt);
    if (receipt === null || this.#shown.isReplaced(what.threadKey, receipt, what.notificationId)) return GONE;
    const address = busAddress(this.#tools.env, existsSync);
    if (address === null) return GONE; // with its session
    const server = await currentServer(this.#bus, address, false);
    if ('kind' in server) {
      if (server.kind === 'no-server') return GONE;
      if (server.kind !== 'unreachable') return faultOf(server);
      const { closeByProgram } = await import('./notify-send.ts');
      return closeByProgram(receipt, { address, tools: this.#tools, limit: SHOW });
    }
    if (server.id !== receipt.server) return GONE; // the id may be another program's there
    const call = callServer(this.#bus, address, server, 'CloseNotification', { signature: 'u', body: [receipt.id] });
    const end = await within(call, SHOW);
    if (end.kind === 'value' || end.kind === 'error') {
      this.#shown.forget(what.threadKey);
      return GONE; // an error is how some servers say that the user was first
    }
    return faultOf(end);
  }

  async listen(): Promise<void> {
    const address = busAddress(this.#tools.env, existsSync);
    const server = address === null ? null : await currentServer(this.#bus, address, false);
    if (address !== null && server !== null && !('kind' in server)) await this.#bus.follow(address, PRESSED);
  }

  async tell(line: string): Promise<void> {
    const address = busAddress(this.#tools.env, existsSync);
    const server = address === null ? null : await currentServer(this.#bus, address, false);
    if (address === null || server === null || 'kind' in server) return;
    const note = { summary: 'Belfry', body: line, urgency: 0, icon: 'dialog-information', sound: false } as const;
    const capabilities = await this.#capabilitiesOf(address, server);
    const body = notifyArguments(note, { capabilities, replaces: 0, buttons: [], reply: null });
    await within(callServer(this.#bus, address, server, 'Notify', { signature: 'susssasa{sv}i', body }), SHOW);
  }

  close(): void {
    this.#bus.disconnect();
  }
}

/** No button and no field, and nothing to listen to, where the server shows none. */
function fitting(what: ToShow, capabilities: readonly string[] | null): WithButtons {
  if (!capabilities?.includes('actions')) return { body: what.note.body, buttons: [], reply: null, onClick: null };
  return capabilities.includes(INLINE_REPLY) ? what.withReply : what.withButtons;
}

/** What `doctor` says: which server there is, and whether it answers. */
export async function inspect({ env }: ChannelTools): Promise<CheckResult> {
  const address = busAddress(env, existsSync);
  const fix = 'log in to a desktop; `belfry setup` adds other ways to reach you';
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
