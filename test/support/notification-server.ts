// A session bus of its own, and notification servers on it that behave as badly as a test wants them to.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import dbus from '@homebridge/dbus-native';
import { until } from './wait.ts';

/** A call of Notify as the server got it. */
export interface Notified {
  readonly replaces: number;
  readonly summary: string;
  readonly body: string;
  /** Keys and labels of its buttons, in turn. */
  readonly actions: readonly string[];
  /** What stands in the empty field to write in; null: it has none. */
  readonly placeholder: string | null;
}

/** What a server does; what is left away works at once. */
export interface Behaviour {
  readonly capabilities?: () => Promise<readonly string[]> | readonly string[];
  /** The notification's id. */
  readonly notify?: (call: Notified, server: NotificationServer) => Promise<number> | number;
}

export interface NotificationServer {
  readonly calls: readonly Notified[];
  /** Ids that it was to take away. */
  readonly closed: readonly number[];
  /** Somebody presses a button of the notification with this id. */
  press(id: number, key: string): void;
  /** Somebody writes this in the notification with this id. */
  reply(id: number, text: string): void;
  /** Leaves the bus without a word, as a crash does. */
  crash(): Promise<void>;
}

interface Bus {
  readonly connection: { on(event: string, listener: () => void): void };
  sendSignal(path: string, iface: string, name: string, signature: string, args: readonly unknown[]): void;
  requestName(name: string, flags: number, done: (error: unknown) => void): void;
  exportInterface(methods: object, path: string, description: object): void;
}

const NAME = 'org.freedesktop.Notifications';

/** An error with a name of the bus. */
export function busError(dbusName: string): Error {
  return Object.assign(new Error('as the test wants it'), { dbusName });
}

/** Starts a bus; needs dbus-daemon. */
export async function startBus(): Promise<{
  readonly address: string;
  serve(behaviour?: Behaviour): Promise<NotificationServer>;
  /** A program on the bus that is no server, and says what one says. */
  join(): Promise<Pick<NotificationServer, 'press' | 'reply'>>;
  close(): Promise<void>;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-bus-'));
  const path = join(folder, 'bus');
  const child = spawn('dbus-daemon', ['--session', '--nofork', `--address=unix:path=${path}`, '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await until(() => said.includes('\n'), 'the bus');
  const servers: NotificationServer[] = [];
  return {
    address: said.trim(),
    serve: async (behaviour = {}) => {
      const server = await serveOn(path, behaviour);
      servers.push(server);
      return server;
    },
    join: async () => {
      const other = await serveOn(path, {}, `${NAME}.Other`);
      servers.push(other);
      return other;
    },
    close: async () => {
      for (const server of servers) await server.crash();
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function serveOn(path: string, { capabilities, notify }: Behaviour, name = NAME): Promise<NotificationServer> {
  const socket = connect(path);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const { createClient } = dbus as unknown as { createClient(options: object): Bus }; // left out by the package's types
  const bus = createClient({ stream: socket });
  bus.connection.on('error', () => undefined);
  const calls: Notified[] = [];
  const taken: number[] = [];
  const server: NotificationServer = {
    calls,
    closed: taken,
    press: (id, key) => bus.sendSignal('/org/freedesktop/Notifications', NAME, 'ActionInvoked', 'us', [id, key]),
    reply: (id, text) =>
      bus.sendSignal('/org/freedesktop/Notifications', NAME, 'NotificationReplied', 'us', [id, text]),
    crash: () => {
      socket.destroy();
      return closed;
    },
  };
  const methods = {
    GetCapabilities: () => (capabilities ? capabilities() : ['body']),
    GetServerInformation: () => ['tried', 'test', '1', '1.2'],
    Notify: (...given: unknown[]) => {
      const [, replaces, , summary, body, actions, hints] = given as [
        ...[string, number, string, string, string],
        ...[string[], [string, unknown][]],
      ];
      const placeholder = textHint(hints, 'x-kde-reply-placeholder-text');
      const notified = { replaces, summary, body, actions, placeholder };
      calls.push(notified);
      return notify ? notify(notified, server) : replaces || calls.length;
    },
    CloseNotification: (id: number) => {
      taken.push(id);
    },
  };
  bus.exportInterface(methods, '/org/freedesktop/Notifications', {
    name: NAME,
    methods: {
      GetCapabilities: ['', 'as', [], ['capabilities']],
      GetServerInformation: ['', 'ssss', [], ['name', 'vendor', 'version', 'spec']],
      Notify: ['susssasa{sv}i', 'u', [], ['id']],
      CloseNotification: ['u', '', [], []],
    },
    signals: {},
  });
  await new Promise<void>((resolve, reject) =>
    bus.requestName(name, 4, (error) => (error ? reject(new Error('the name is taken')) : resolve())),
  );
  return server;
}

/** A text among the hints, each of which is its name and a variant: a signature, and the values. */
function textHint(hints: readonly (readonly [string, unknown])[], name: string): string | null {
  const [, variant] = hints.find(([key]) => key === name) ?? [];
  const [, values] = (variant ?? []) as [unknown, unknown[]?];
  return typeof values?.[0] === 'string' ? values[0] : null;
}
