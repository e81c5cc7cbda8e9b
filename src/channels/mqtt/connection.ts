// One connection to a broker (MQTT 3.1.1): messages are acknowledged one by one, a ping now and then shows that it is alive.
import type { Socket } from 'node:net';
import { generate, type Packet, parser, writeToStream } from 'mqtt-packet';

// Buffers of all 65,536 numbers would be made with the first packet, for speed: 15 MB.
writeToStream.cacheNumbers = false;

/** A message for a topic. */
export interface TopicMessage {
  readonly topic: string;
  readonly payload: string;
  /** The broker keeps it for those who come later. */
  readonly retain: boolean;
}

/** How the connection is introduced. */
export interface Introduction {
  readonly clientId: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** What the broker says when the connection breaks. */
  readonly will: TopicMessage | null;
}

/** acknowledged; unsent: nothing was written; or the connection ended, or the signal fired, after it was. */
export type Acknowledged = 'acknowledged' | 'unsent' | 'closed' | 'cancelled';

/** Seconds of silence after which a broker takes a connection for dead: it waits half as long again. */
const KEEPALIVE = 60;
/** Ms between two looks at whether anything was heard. */
const PULSE = 30_000;
/** Longest packet that is read, bytes. */
const LARGEST = 256 * 1024;
/** Requests of one connection that wait for their acknowledgement. */
const MAX_WAITING = 1_000;

/** Over an open socket. */
export class Connection {
  readonly #socket: Socket;
  readonly #parser = parser({ protocolVersion: 4 });
  readonly #waiting = new Map<number, (end: Acknowledged) => void>();
  readonly #pulse: NodeJS.Timeout;
  readonly #retained: (topic: string, payload: string) => void;
  #greeted: (code: number | null) => void = () => undefined;
  #lastId = 0;
  #heard = true;
  #open = true;
  /** Resolves when it has ended, for whatever reason. */
  readonly closed: Promise<void>;

  /** `retained`: hears what the broker keeps for topics that were asked for. */
  constructor(socket: Socket, retained: (topic: string, payload: string) => void = () => undefined) {
    this.#socket = socket;
    this.#retained = retained;
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#ended();
        resolve();
      });
    });
    socket.on('error', () => undefined); // a close follows
    socket.on('end', () => socket.destroy());
    socket.on('data', (data) => this.#read(data));
    this.#parser.on('packet', (packet) => this.#take(packet));
    this.#parser.on('error', () => socket.destroy());
    this.#pulse = setInterval(() => this.#beat(), PULSE);
    if (socket.destroyed) this.#ended();
  }

  get isOpen(): boolean {
    return this.#open && !this.#socket.destroyed;
  }

  /** Resolves with the broker's return code, 0: welcome; null: it ended the connection. */
  greet({ clientId, user, password, will }: Introduction): Promise<number | null> {
    if (!this.isOpen) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#greeted = resolve;
      this.#write({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        keepalive: KEEPALIVE,
        clientId,
        ...(user === undefined ? {} : { username: user }),
        ...(password === undefined ? {} : { password: Buffer.from(password) }),
        ...(will === null ? {} : { will: { ...will, qos: 1 } }),
      });
    });
  }

  /** QoS 1: resolves once the broker has it. */
  publish({ topic, payload, retain }: TopicMessage, signal: AbortSignal): Promise<Acknowledged> {
    return this.#ask({ cmd: 'publish', qos: 1, dup: false, topic, payload, retain }, signal);
  }

  /** Asks for what it keeps for these topics; what comes is heard until `forget`. */
  ask(filter: string, signal: AbortSignal): Promise<Acknowledged> {
    return this.#ask({ cmd: 'subscribe', subscriptions: [{ topic: filter, qos: 0 }] }, signal);
  }

  forget(filter: string, signal: AbortSignal): Promise<Acknowledged> {
    return this.#ask({ cmd: 'unsubscribe', unsubscriptions: [filter] }, signal);
  }

  /** Says goodbye, so that its will is not spoken. */
  async end(): Promise<void> {
    this.#write({ cmd: 'disconnect' });
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), 500).unref();
    await this.closed;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #ask(packet: Packet, signal: AbortSignal): Promise<Acknowledged> {
    if (!this.isOpen || signal.aborted || this.#waiting.size >= MAX_WAITING) return Promise.resolve('unsent');
    const id = this.#freeId();
    return new Promise((resolve) => {
      const end = (how: Acknowledged): void => {
        this.#waiting.delete(id);
        signal.removeEventListener('abort', cancel);
        resolve(how);
      };
      const cancel = (): void => end('cancelled');
      this.#waiting.set(id, end);
      signal.addEventListener('abort', cancel, { once: true });
      this.#write({ ...packet, messageId: id });
    });
  }

  #freeId(): number {
    do this.#lastId = (this.#lastId % 65_535) + 1;
    while (this.#waiting.has(this.#lastId));
    return this.#lastId;
  }

  #write(packet: Packet): void {
    if (this.isOpen) this.#socket.write(generate(packet));
  }

  #read(data: Buffer): void {
    this.#heard = true;
    const unread = this.#parser.parse(data);
    if (unread > LARGEST) this.#socket.destroy();
  }

  #take(packet: Packet): void {
    if (packet.cmd === 'connack') this.#greeted(packet.returnCode ?? 0);
    if (packet.cmd === 'publish' && packet.retain) this.#retained(packet.topic, String(packet.payload));
    if (packet.cmd === 'puback' || packet.cmd === 'suback' || packet.cmd === 'unsuback')
      this.#waiting.get(packet.messageId ?? 0)?.('acknowledged');
  }

  #beat(): void {
    if (!this.#heard) return void this.#socket.destroy();
    this.#heard = false;
    this.#write({ cmd: 'pingreq' });
  }

  #ended(): void {
    this.#open = false;
    clearInterval(this.#pulse);
    this.#greeted(null);
    for (const end of this.#waiting.values()) end('closed');
  }
}
