// Problem documents (RFC 9457), and the headers that every answer has.
import { STATUS_CODES } from 'node:http';
import type { HttpReply } from './route.ts';

/** A browser keeps, frames, sniffs and shares nothing of what is answered. No CORS header, ever. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** `detail` says what to do; nothing of the request is repeated in it. `more`: further members of the document. */
export function problemReply(
  status: number,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, unknown>> = {},
): HttpReply {
  const document = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail, ...more };
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    body: JSON.stringify(document),
  };
}

/** A document of our own. */
export function jsonReply(status: number, value: unknown): HttpReply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** The whole answer as bytes on a connection whose request could not be parsed. */
export function rawProblem(status: number, detail: string): string {
  const { headers = {}, body } = problemReply(status, detail);
  const text = String(body);
  const all = { ...COMMON_HEADERS, ...headers, 'content-length': String(Buffer.byteLength(text)), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${lines.join('')}\r\n${text}`;
}
