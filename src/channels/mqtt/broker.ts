// The broker of one channel: one connection for everything, made when it is needed.
import { randomBytes } from 'node:crypto';
import { isPublicAddress } from '../../lib/net/outbound-url.ts';
import { sha256 } from '../../lib/hash.ts';
import { connectionFault } from '../../lib/net/connection-fault.ts';
import type { ChannelTools } from '../../model/channel/channel.ts';
import type { Outcome, Reason } from '../../model/delivery/delivery.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import { brokerAddress } from './address.ts';
import { Connection } from './connection.ts';
import type { MqttSettings } from './settings.ts';
import { openSocket } from './socket.ts';
import { topicsOf } from './topics.ts';

type Failure = Extract<Outcome, { ok: false }>;

/** A connection that was welcomed, or why there is none. */
export type Found = { readonly ok: true; readonly connection: Connection } | Failure;

const UNENCRYPTED = 'the password would be sent unencrypted: use an address with mqtts://';
/** Longest that connecting takes, ms. */
const TIMEOUT = 10_000;
/** Longest that a farewell takes, ms. */
const FAREWELL = 2_000;

/** Return codes of a broker that does not welcome (MQTT 3.1.1, section 3.2.2.3). */
const REFUSALS: Readonly<Record<number, readonly [Reason, string]>> = {
  1: ['invalid-config', 'does not speak MQTT 3.1.1'],
  2: ['invalid-config', 'does not accept the client id'],
  3: ['server', 'is not available just now'],
  4: ['auth', 'does not accept the user and password'],
  5: ['auth', 'does not let this user in'],
};

/** Connects to nothing yet. */
export class Broker {
  readonly #settings: MqttSettings;
  readonly #tools: Pick<ChannelTools, 'env'>;
  readonly #ending = new AbortController();
  readonly #arrivals = new Set<() => void>();
  #connecting: Promise<Found> | null = null;
  #connection: Connection | null = null;
  /** Hears what the broker keeps. */
  onRetained: (topic: string, payload: string) => void = () => undefined;
  /** Sessions are shown by it: then it has the id that is always the same, and a will. */
  isMirrored = false;

  constructor(settings: MqttSettings, tools: Pick<ChannelTools, 'env'>) {
    this.#settings = settings;
    this.#tools = tools;
  }

  /** The open one, or a new one. Never rejects. */
  async connection(): Promise<Found> {
    if (this.#connection?.isOpen) return { ok: true, connection: this.#connection };
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  /** Resolves after so many ms, when a connection was made meanwhile, or when the signal fires. */
  pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#arrivals.delete(end);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#arrivals.add(end);
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    });
  }

  /** Says goodbye; whoever watches sees that nothing is shown any more. */
  async farewell(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    if (!connection?.isOpen) return;
    if (this.isMirrored) {
      const { status } = topicsOf(this.#settings.prefix);
      const offline = { topic: status, payload: 'offline', retain: true };
      await connection.publish(offline, AbortSignal.timeout(FAREWELL));
    }
    await connection.end();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#connecting;
    await this.farewell();
  }

  async #connect(): Promise<Found> {
    const { url, user, password, ca, allow_private: allowPrivate, prefix } = this.#settings;
    const address = brokerAddress(url, allowPrivate);
    if (typeof address === 'string') return fault('invalid-config', address);
    const { host, tls } = address;
    if (!tls && password !== undefined && !allowPrivate) return fault('invalid-config', UNENCRYPTED);
    const limit = AbortSignal.timeout(TIMEOUT);
    const signal = AbortSignal.any([limit, this.#ending.signal]);
    const late = () =>
      fault('timeout', limit.aborted ? `${host} did not answer within ${TIMEOUT / 1_000} s` : 'cancelled');
    let connection: Connection;
    try {
      const socket = await openSocket(address, { allowPrivate, ca, signal });
      // A name may lead anywhere, also where private addresses are allowed.
      if (!tls && password !== undefined && isPublicAddress(socket.remoteAddress ?? '')) {
        socket.destroy();
        return fault('invalid-config', UNENCRYPTED);
      }
      connection = new Connection(socket, (topic, payload) => this.onRetained(topic, payload));
    } catch (error) {
      return signal.aborted ? late() : connectFailure(error as NodeJS.ErrnoException, host);
    }
    const stop = (): void => connection.destroy();
    signal.addEventListener('abort', stop, { once: true });
    const will = { topic: topicsOf(prefix).status, payload: 'offline', retain: true };
    const isMirrored = this.isMirrored;
    const clientId = isMirrored ? this.#stableId() : `belfry-${randomBytes(8).toString('hex')}`;
    const code = await connection.greet({ clientId, user, password, will: isMirrored ? will : null });
    signal.removeEventListener('abort', stop);
    if (code === 0) return this.#arrived(connection);
    connection.destroy();
    if (code === null) return signal.aborted ? late() : fault('network', `${host} closed the connection`);
    const [reason, what] = REFUSALS[code] ?? ['server', `answered ${code}`];
    return fault(reason, `${host} ${what}`);
  }

  #arrived(connection: Connection): Found {
    this.#connection = connection;
    for (const end of this.#arrivals) end();
    return { ok: true, connection };
  }

  /** 23 characters, as every broker has to accept them: the same for this daemon and these settings. */
  #stableId(): string {
    const { url, user = '', prefix } = this.#settings;
    const daemon = [HERE.host, HERE.user, this.#tools.env['BELFRY_HOME'] ?? ''];
    return `belfry-${sha256(JSON.stringify([...daemon, url, user, prefix]), 16)}`;
  }
}

const fault = (reason: Reason, error: string): Failure => ({ ok: false, reason, error });

function connectFailure(error: NodeJS.ErrnoException, host: string): Failure {
  if (error.syscall === 'open' || error.syscall === 'read')
    return fault('invalid-config', 'the file of `ca` cannot be read');
  const { kind, error: words } = connectionFault(error, host);
  return fault(kind === 'refused' ? 'invalid-config' : kind, words);
}
