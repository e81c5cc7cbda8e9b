// Connections through a proxy: to the proxy itself, which forwards plain HTTP, or by CONNECT to the target, for TLS and WebSockets.
import type { Agent, AgentOptions } from 'node:http';
import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import { sleep } from '../clock.ts';
import { connectionFault } from './connection-fault.ts';
import { errorMessage } from '../text/error-message.ts';
import { allowedAddresses, bareHost, REFUSED, type Resolve } from './outbound-url.ts';
import { type HttpProxy, ProxyError, portOf } from './proxy.ts';

/** Ms until the proxy has answered: a request that was cancelled before leaves its connection until then. */
const PATIENCE = 15_000;
/** Ms until a proxy that is only looked at has answered. */
const PROBE = 5_000;
/** Ms for the look-up of a name that the proxy will look up itself: where names of the internet are not known, that may take long. */
const LOOK_UP = 2_000;

/** How targets are connected to through a proxy. */
export interface TunnelOptions {
  readonly proxy: HttpProxy;
  /** By CONNECT; otherwise the proxy is connected to, and forwards. */
  readonly tunnel: boolean;
  /** TLS with the target. */
  readonly secure: boolean;
  readonly allowPrivate: boolean;
  readonly resolve?: Resolve | undefined;
}

/** Node's agent, with this way to connect. */
export function tunnelAgent(options: TunnelOptions, bounds: AgentOptions): Agent {
  const { Agent } = process.getBuiltinModule(options.secure ? 'node:https' : 'node:http');
  const agent = new Agent(bounds);
  const createConnection = (
    target: {
      readonly host: string;
      readonly port: number | string;
      readonly servername?: string;
    },
    done: (error: Error | null, socket?: Socket) => void,
  ): void => {
    connectThrough(options, target).then(
      (socket) => done(null, options.secure ? encrypted(socket, target) : socket),
      (error: Error) => done(error),
    );
  };
  return Object.assign(agent, { createConnection });
}

function encrypted(
  socket: Socket,
  { servername, host }: { readonly host: string; readonly servername?: string },
): Socket {
  const { connect } = process.getBuiltinModule('node:tls');
  return connect({
    socket,
    host,
    servername: servername ?? '',
    ALPNProtocols: ['http/1.1'],
  });
}

async function connectThrough(
  { proxy, tunnel, allowPrivate, resolve }: TunnelOptions,
  target: { readonly host: string; readonly port: number | string },
): Promise<Socket> {
  if (!allowPrivate) await refusePrivate(target.host, resolve);
  return tunnel ? openTunnel(proxy, `${bracketed(target.host)}:${target.port}`) : connectTo(proxy);
}

/** A name that leads here to private addresses only is refused; one that is not known here is the proxy's to find. */
async function refusePrivate(host: string, resolve?: Resolve): Promise<void> {
  if (isIP(host) !== 0) return; // judged as it is written
  const known = allowedAddresses(host, false, resolve).catch((error: NodeJS.ErrnoException) => {
    if (error.code === REFUSED) throw error;
  });
  await Promise.race([known, sleep(LOOK_UP)]);
}

function openTunnel(proxy: HttpProxy, target: string): Promise<Socket> {
  const { request } = process.getBuiltinModule(proxy.url.protocol === 'https:' ? 'node:https' : 'node:http');
  return new Promise((resolve, reject) => {
    const asked = request({
      method: 'CONNECT',
      host: bareHost(proxy.url),
      port: portOf(proxy.url),
      path: target,
      agent: false,
      headers: { ...proxy.headers, host: target },
    });
    const late = setTimeout(() => {
      reject(new ProxyError(`the proxy ${proxy.name} did not connect to ${target} in time`, 'timeout'));
      asked.destroy();
    }, PATIENCE);
    asked.on('error', (error) => {
      clearTimeout(late);
      reject(proxyFailed(proxy, error));
    });
    asked.on('connect', ({ statusCode: status = 0 }, socket, head) => {
      clearTimeout(late);
      if (status >= 200 && status <= 299) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket as Socket);
      }
      socket.destroy();
      reject(
        status === 407
          ? signInDemanded(proxy)
          : new ProxyError(`the proxy ${proxy.name} answered ${status} to CONNECT ${target}`),
      );
    });
    asked.end();
  });
}

/** Whether the proxy can be connected to: null, or what is wrong. */
export async function reachProxy(proxy: HttpProxy): Promise<string | null> {
  try {
    (await connectTo(proxy, PROBE)).destroy();
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}

function connectTo(proxy: HttpProxy, patience = PATIENCE): Promise<Socket> {
  const options = {
    host: bareHost(proxy.url),
    port: portOf(proxy.url),
    autoSelectFamily: true,
  };
  const secure = proxy.url.protocol === 'https:';
  const servername = isIP(options.host) === 0 ? options.host : '';
  return new Promise((resolve, reject) => {
    const socket = secure
      ? process.getBuiltinModule('node:tls').connect({ ...options, servername })
      : process.getBuiltinModule('node:net').connect(options);
    const late = setTimeout(() => {
      reject(new ProxyError(`the proxy ${proxy.name} did not answer in time`, 'timeout'));
      socket.destroy();
    }, patience);
    const fail = (error: Error): void => {
      clearTimeout(late);
      reject(proxyFailed(proxy, error));
    };
    socket.once('error', fail);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(late);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

/** What a 407 means. */
export function signInDemanded(proxy: HttpProxy): ProxyError {
  const what =
    'proxy-authorization' in proxy.headers ? 'does not accept the user name and password' : 'demands a sign-in';
  return new ProxyError(`the proxy ${proxy.name} ${what} (407); correct USER:PASSWORD@ in ${proxy.from}`);
}

function proxyFailed(proxy: HttpProxy, error: NodeJS.ErrnoException): ProxyError {
  const { kind, error: words } = connectionFault(error, proxy.name);
  return new ProxyError(`the proxy ${words} (${proxy.from})`, kind === 'timeout' ? 'timeout' : 'network');
}

const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);
