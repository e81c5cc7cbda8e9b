// The services that channels send to, as far as a benchmark needs them: each accepts every message, and counts it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Aedes } from 'aedes';
import { SMTPServer } from 'smtp-server';
import { WebSocketServer } from 'ws';

/** Running services. */
export interface Services {
  /** Of the HTTP ones. */
  readonly url: string;
  readonly mailPort: number;
  readonly brokerPort: number;
  /** Messages by the channel's type. */
  readonly accepted: ReadonlyMap<string, number>;
  readonly close: () => void;
}

/** Ms that a request for what people answer is held open. */
const HELD = 20_000;

/** Starts them on free ports. */
export async function startServices(): Promise<Services> {
  const accepted = new Map<string, number>();
  const count = (service: string): void => void accepted.set(service, (accepted.get(service) ?? 0) + 1);
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk;
    });
    request.on('end', () => answer(request, response, body, count));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.send('{"type":"hello","num_connections":1}'));
  const mail = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    disableReverseLookup: true,
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on('end', () => {
        count('email');
        done();
      });
    },
  });
  const broker = await Aedes.createBroker();
  broker.on('publish', ({ topic }) => topic.endsWith('/events') && count('mqtt'));
  const brokerServer = createTcpServer(broker.handle);
  await Promise.all([
    new Promise<void>((resolve) => brokerServer.listen(0, '127.0.0.1', resolve)),
    new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)),
    new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', resolve)),
  ]);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // TCP servers have this form of address
    mailPort: (mail.server.address() as AddressInfo).port,
    brokerPort: (brokerServer.address() as AddressInfo).port,
    accepted,
    close: () => {
      broker.close();
      brokerServer.close();
      sockets.close();
      for (const client of sockets.clients) client.terminate();
      server.close();
      server.closeAllConnections();
      mail.close();
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse, body: string, count: (service: string) => void) {
  const path = request.url ?? '/';
  const json = (value: object): unknown =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const counted = (service: string, value: object): unknown => {
    count(service);
    return json(value);
  };
  if (path.endsWith('/getUpdates')) return void setTimeout(() => json({ ok: true, result: [] }), HELD).unref();
  if (path.startsWith('/bot')) return counted('telegram', { ok: true, result: { message_id: 1, chat: { id: 7 } } });
  const link = `ws://${request.headers.host}/link`;
  if (path === '/api/apps.connections.open') return json({ ok: true, url: link });
  if (path === '/api/auth.test') return json({ ok: true, team_id: 'T1' });
  const posted = { ok: true, channel: 'C0123456789', ts: '1780000000.000001' };
  if (path === '/api/chat.postMessage') return counted('slack-app', posted);
  if (path.startsWith('/api/webhooks/')) return counted('discord', { id: '1', channel_id: '2' });
  if (path.startsWith('/pushover/')) return counted('pushover', { status: 1, request: '1' });
  if (path !== '/') return counted(path.slice(1), {});
  const { sequence_id } = JSON.parse(body) as { sequence_id: string };
  return counted('ntfy', { id: 'm1', event: 'message', sequence_id });
}
