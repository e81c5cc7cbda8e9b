// The session bus: finds its address and makes calls on it, each with a limit of its own. One connection is kept, since some desktops
// take a program's notifications away when it leaves the bus.
import dbus from '@homebridge/dbus-native';

/** How a call ended. `unreachable`: there is no bus to talk to over this connection. */
export type CallEnd =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'timeout' | 'unreachable' }
  | { readonly kind: 'error'; readonly name: string };

interface Call {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly body?: readonly unknown[];
}

interface Connection {
  readonly stream: { unref(): void; destroy(): void };
  on(event: 'error' | 'end', listener: (error?: unknown) => void): void;
}

interface Bus {
  readonly connection: Connection;
  invoke(call: Call, answer: (error: { name?: string } | null, value: unknown) => void): void;
}

// The package's own types leave createClient out.
const createClient = (dbus as unknown as { createClient(options: { busAddress: string }): Bus }).createClient;

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

let open: { address: string; bus: Bus; lost: Set<() => void> } | null = null;

function connect(address: string): NonNullable<typeof open> {
  if (open?.address === address) return open;
  open?.bus.connection.stream.destroy();
  const lost = new Set<() => void>();
  const made = { address, bus: createClient({ busAddress: address }), lost };
  const drop = (): void => {
    if (open === made) open = null;
    for (const tell of [...lost]) tell();
  };
  made.bus.connection.on('error', drop);
  made.bus.connection.on('end', drop);
  made.bus.connection.stream.unref(); // a call under way keeps the process alive by its timer
  open = made;
  return made;
}

/** Closes the connection; the next call makes a new one. */
export function disconnect(): void {
  open?.bus.connection.stream.destroy();
  open = null;
}

/** One method call; `limit` in ms. */
export function call(address: string, message: Call, limit: number): Promise<CallEnd> {
  return new Promise((resolve) => {
    let connection: NonNullable<typeof open> | undefined;
    const settle = (end: CallEnd): void => {
      clearTimeout(timer);
      connection?.lost.delete(onLost);
      // A connection that swallowed a call is not trusted with the next one.
      if (end.kind === 'timeout' && open === connection) disconnect();
      resolve(end);
    };
    const onLost = (): void => settle({ kind: 'unreachable' });
    const timer = setTimeout(() => settle({ kind: 'timeout' }), limit);
    try {
      connection = connect(address);
      connection.lost.add(onLost);
      connection.bus.invoke(message, (error, value) => {
        if (error) settle({ kind: 'error', name: error.name ?? 'unknown' });
        else settle({ kind: 'value', value });
      });
    } catch {
      settle({ kind: 'unreachable' }); // an address of a kind the library does not know
    }
  });
}
