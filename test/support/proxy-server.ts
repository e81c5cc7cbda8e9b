// A real HTTP proxy on a free loopback port: CONNECT tunnels and forwarded requests, names as it is told, and a record of what it was asked for.
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ProxyServer {
  readonly port: number;
  readonly url: string;
  /** `CONNECT host:port` and `POST http://host/path`, in order. */
  readonly asked: string[];
  /** Ports on loopback by `host:port` or host; what is not there gets 502. */
  readonly names: Record<string, number>;
  /** `USER:PASSWORD` that is demanded; null: none. */
  signIn: string | null;
  /** Takes connections and never answers. */
  silent: boolean;
  close(): Promise<void>;
}

export async function startProxy(): Promise<ProxyServer> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    proxy.asked.push(`${request.method} ${request.url}`);
    if (proxy.silent) return;
    if (!admits(request)) return void response.writeHead(407, { 'proxy-authenticate': 'Basic realm="x"' }).end();
    const url = new URL(request.url ?? '');
    const port = portOf(url.host);
    if (port === undefined) return void response.writeHead(502).end();
    const { 'proxy-authorization': _own, ...headers } = request.headers;
    const path = `${url.pathname}${url.search}`;
    const onward = forward({ host: '127.0.0.1', port, method: request.method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  const admits = ({ headers }: IncomingMessage): boolean =>
    proxy.signIn === null || headers['proxy-authorization'] === `Basic ${Buffer.from(proxy.signIn).toString('base64')}`;
  const portOf = (host: string): number | undefined => proxy.names[host] ?? proxy.names[host.replace(/:\d+$/, '')];
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (request, socket: Socket) => {
    proxy.asked.push(`CONNECT ${request.url}`);
    socket.on('error', () => undefined); // either side may break off
    if (proxy.silent) return;
    if (!admits(request)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const port = portOf(request.url ?? '');
    if (port === undefined) return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: ProxyServer = {
    port,
    url: `http://127.0.0.1:${port}`,
    asked: [],
    names: {},
    signIn: null,
    silent: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  onTestFinished(() => proxy.close());
  return proxy;
}
