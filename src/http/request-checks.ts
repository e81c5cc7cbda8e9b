// Whether a request is meant for us and comes from no foreign page: its headers, its target, Host, Origin. Pure.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { formatAddress, type ListenAddress } from '../lib/net/listen-address.ts';
import { problemReply } from './problem.ts';
import type { HttpReply } from './route.ts';

/** Headers that decide something: said twice they could mean one thing to us and another to a proxy. */
const ONCE: ReadonlySet<string> = new Set([
  'host',
  'origin',
  'authorization',
  'content-type',
  'content-length',
  'transfer-encoding',
  'sec-fetch-site',
  'x-belfry',
]);

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Null: every header that counts comes once. */
export function checkRepeatedHeaders(rawHeaders: readonly string[]): HttpReply | null {
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    if (!ONCE.has(name)) continue;
    if (seen.has(name)) return problemReply(400, `send the header ${name} once`);
    seen.add(name);
  }
  return null;
}

/**
 * Null: the Host header is one of ours. A name of somebody else that resolves to a loopback address (DNS rebinding) is not. A
 * loopback name may come without a port: no page can make a browser send that.
 */
export function checkHost(host: string | undefined, at: ListenAddress, hosts: readonly string[]): HttpReply | null {
  const given = (host ?? '').toLowerCase();
  const names = [...LOOPBACK_NAMES, bracketed(at)].flatMap((name) => [name, `${name}:${at.port}`]);
  if (names.includes(given) || isNamed(given, at, hosts)) return null;
  return problemReply(403, 'this host name is not served: add it to `hosts` of [http] in config.toml if it should be');
}

function isNamed(host: string, at: ListenAddress, hosts: readonly string[]): boolean {
  return hosts.map((name) => name.toLowerCase()).some((name) => host === name || host === `${name}:${at.port}`);
}

function bracketed(at: ListenAddress): string {
  return formatAddress(at).slice(0, -`:${at.port}`.length);
}

/** Null: it comes from no page, or from one of our own. */
export function checkOrigin(
  headers: IncomingHttpHeaders,
  at: ListenAddress,
  hosts: readonly string[],
): HttpReply | null {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return FOREIGN;
  if (origin === undefined) return null;
  const host = (headers.host ?? '').toLowerCase();
  if (isNamed(host, at, hosts)) return origin === `http://${host}` || origin === `https://${host}` ? null : FOREIGN;
  // Another port of this machine is another program's page, so a Host without a port is not enough here.
  const own = host.endsWith(`:${at.port}`) || at.port === 80;
  return own && origin === `http://${host}` ? null : FOREIGN;
}

/** Somebody followed a link or opened a file that leads here: the browser shows what comes in a window of its own, and the page it came from sees nothing of it. */
export function isNavigation({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  const { origin } = headers;
  const [mode, into] = [headers['sec-fetch-mode'], headers['sec-fetch-dest']];
  return method === 'GET' && origin === undefined && mode === 'navigate' && into === 'document';
}

const FOREIGN = problemReply(403, 'pages of other origins get nothing here');

/** Null: nothing else is wanted than an answer. */
export function checkUpgrade(headers: IncomingHttpHeaders): HttpReply | null {
  return /websocket/i.test(headers.upgrade ?? '') ? problemReply(400, 'there are no websockets here') : null;
}

/** What a write needs that a form or a simple cross-site request cannot have. Null: it is there. */
export function checkWriteHeaders(headers: IncomingHttpHeaders): HttpReply | null {
  if (headers['x-belfry'] !== '1') return problemReply(403, 'send the header x-belfry: 1');
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  return type === 'application/json' ? null : problemReply(415, 'send content-type: application/json');
}

/** Path segments, decoded, and the query; null for a target that is not plainly one path of ours. */
export function parseTarget(
  url: string,
): { readonly segments: readonly string[]; readonly query: URLSearchParams } | null {
  const [path = '', ...rest] = url.split('?');
  if (!path.startsWith('/') || /[\\#]|[^\x21-\x7e]/.test(url)) return null;
  const segments: string[] = [];
  for (const part of path.slice(1).split('/')) {
    const segment = decoded(part);
    if (segment === null || segment === '.' || segment === '..' || /[/\\\p{Cc}]/u.test(segment)) return null;
    segments.push(segment);
  }
  if (segments.length > 1 && segments.includes('')) return null;
  return { segments, query: new URLSearchParams(rest.join('?')) };
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null; // a stray % or bad UTF-8
  }
}
