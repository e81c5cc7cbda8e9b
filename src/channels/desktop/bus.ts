// The session bus: finds its address and makes calls on it. One connection is kept, since some desktops remove a program's notifications
// when it leaves the bus.
import { type AddressInfo, connect as connectSocket, type Socket } from 'node:net';
import dbus from '@homebridge/dbus-native';

/** How a call ended. `unreachable`: there is no bus to talk to over this connection. */
export type CallEnd =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'error'; readonly name: string };

/** One method call, as the bus is given it. */
export interface Call {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly body?: readonly unknown[];
}

/** A signal of a program on the bus. */
export interface Signal {
  readonly member: string;
  /** The unique name of its connection: the bus itself says so. */
  readonly sender: string;
  readonly body: readonly unknown[];
}

interface BusMessage {
  readonly type?: number;
  readonly interface?: string;
  readonly member?: string;
  readonly sender?: string;
  readonly body?: readonly unknown[];
}

interface Client {
  readonly connection: {
    readonly guid?: string;
    on(event: 'error' | 'end', listener: () => void): void;
    on(event: 'message', listener: (message: BusMessage) => void): void;
  };
  invoke(call: Call, answer: (error: { name?: string } | null, value: unknown) => void): void;
}

// The package's own types leave createClient out.
const createClient = (dbus as unknown as { createClient(options: { stream: Socket }): Client }).createClient;

/** Address of the user's session bus; null where there is no desktop. `exists` looks for the socket systemd makes. */
export function busAddress(
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
): string | null {
  const given = env['DBUS_SESSION_BUS_ADDRESS'];
  if (given) return given;
  const folder = env['XDG_RUNTIME_DIR'];
  return folder?.startsWith('/') && exists(`${folder}/bus`) ? `unix:path=${folder}/bus` : null;
}

/** Where an address leads: its first part that is a socket file or a TCP port; null: none that can be reached from here. */
function endpointOf(address: string): { path: string } | (Pick<AddressInfo, 'port'> & { host: string }) | null {
  for (const part of address.split(';')) {
    const [family, rest = ''] = part.split(/:(.*)/s);
    const pairs = rest.split(',').map((pair) => pair.split(/=(.*)/s));
    const values = Object.fromEntries(pairs.map(([key, value = '']) => [key, unescaped(value)]));
    if (family === 'unix' && values['path']) return { path: values['path'] };
    if (family === 'tcp' && values['port'])
      return { host: values['host'] || 'localhost', port: Number(values['port']) };
  }
  return null;
}

/** Values of an address have some bytes written as %XX. */
function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The number of a signal among the types of messages (D-Bus Specification, "Message Format"). */
const SIGNAL = 4;
/** The bus itself, as the receiver of a call. */
export const BUS = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
} as const;

interface Connection {
  readonly address: string;
  /** Signals that it gets, as INTERFACE.MEMBER. */
  readonly followed: Set<string>;
  readonly socket: Socket;
  readonly client: Client;
  readonly lost: Set<() => void>;
}

/** Calls on a bus, over one connection that is made when it is first needed. */
export interface Bus {
  /** One method call. Ends with its answer or with the connection, however long that takes: see `within`. */
  call(address: string, message: Call): Promise<CallEnd>;
  /** From now on, and as long as the connection lasts, signals of this name are handed to `onSignal`. */
  follow(address: string, signal: { readonly interface: string; readonly member: string }): Promise<void>;
  /** Which bus this is: the id that it gave the connection; null while there is none. Another bus gives out the same names again. */
  readonly id: string | null;
  /** Closes the connection; the next call makes a new one. */
  disconnect(): void;
}

/** Ms that the bus itself, or a question about the server, may take. */
export const ASK = 2_000;

/** Connected to nothing yet. */
export function createBus(onSignal: (signal: Signal) => void = () => undefined): Bus {
  let open: Connection | null = null;

  function disconnect(): void {
    open?.socket.destroy();
    open = null;
  }

  /** Throws where the address is of an unsupported kind. */
  function connect(address: string): Connection {
    if (open?.address === address) return open;
    disconnect();
    const endpoint = endpointOf(address);
    if (endpoint === null) throw new Error('an address of another kind');
    const socket = contained(connectSocket(endpoint));
    const lost = new Set<() => void>();
    const followed = new Set<string>();
    const made = { address, followed, socket, client: createClient({ stream: socket }), lost };
    const drop = (): void => {
      if (open === made) open = null;
      socket.destroy();
      for (const notify of [...lost]) notify();
    };
    made.client.connection.on('message', ({ type, interface: from = '', member = '', sender = '', body = [] }) => {
      if (type === SIGNAL && followed.has(`${from}.${member}`)) onSignal({ member, sender, body });
    });
    made.client.connection.on('error', drop);
    made.client.connection.on('end', drop);
    socket.on('close', drop);
    socket.unref(); // a running call keeps the process alive by its timer
    open = made;
    return made;
  }

  const call = async (address: string, message: Call): Promise<CallEnd> => {
    try {
      return await invoke(connect(address), message);
    } catch {
      return { kind: 'unreachable' };
    }
  };

  return {
    call,
    follow: async (address, { interface: from, member }) => {
      const name = `${from}.${member}`;
      if (open?.address === address && open.followed.has(name)) return;
      const rule = `type='signal',interface='${from}',member='${member}'`;
      const end = call(address, { ...BUS, member: 'AddMatch', signature: 's', body: [rule] });
      open?.followed.add(name); // asked for already, on the connection that it was asked on
      await within(end, ASK);
    },
    get id() {
      return open?.client.connection.guid ?? null;
    },
    disconnect,
  };
}

/** One call over this connection; rejects where the library cannot write it. */
function invoke({ client, lost }: Connection, message: Call): Promise<CallEnd> {
  return new Promise((resolve) => {
    const settle = (end: CallEnd): void => {
      lost.delete(onLost);
      resolve(end);
    };
    const onLost = (): void => settle({ kind: 'unreachable' });
    lost.add(onLost);
    client.invoke(message, (error, value) =>
      settle(error ? { kind: 'error', name: error.name ?? 'unknown' } : { kind: 'value', value }),
    );
  });
}

/** What a listener of the library throws (a message it cannot read) ends the connection, and not the process. */
function contained(socket: Socket): Socket {
  const emit = socket.emit.bind(socket) as (event: string, ...args: unknown[]) => boolean;
  socket.emit = (event: string, ...args: unknown[]): boolean => {
    try {
      return emit(event, ...args);
    } catch {
      socket.destroy();
      return true;
    }
  };
  return socket;
}

/** The end of a call, or `timeout` after so many ms; the call itself continues. */
export function within(end: Promise<CallEnd>, ms: number): Promise<CallEnd | { readonly kind: 'timeout' }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ kind: 'timeout' }>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'timeout' }), ms);
  });
  return Promise.race([end, late]).finally(() => clearTimeout(timer));
}
