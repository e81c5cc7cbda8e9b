// The page's own files: dist/web, one document for all of its addresses, and assets whose names change with what is in them.
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { problemReply } from '../../../http/problem.ts';
import type { HttpReply, HttpRequest, HttpRoute } from '../../../http/route.ts';

/** Addresses of the page that a browser may be reloaded at. */
const PLACES = [
  '/',
  '/sessions',
  '/sessions/:key',
  '/events',
  '/events/:id',
  '/deliveries',
  '/channels',
  '/rules',
  '/usage',
];

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Nothing is loaded, sent or framed from elsewhere; no inline script or style runs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Routes for the files in this folder. There is no secret in them: whoever reaches the loopback address may have them. */
export function pageRoutes(folder: string): readonly HttpRoute[] {
  const open = { method: 'GET', name: 'files' } as const;
  return [
    { ...open, path: '/service-worker.js', handle: ({ headers }) => worker(folder, headers) },
    ...PLACES.map((path) => ({
      ...open,
      path,
      navigable: true as const,
      handle: ({ headers }: HttpRequest) => document(folder, headers),
    })),
    { ...open, path: '/assets/:name', handle: ({ params }) => asset(join(folder, 'assets'), params['name'] ?? '') },
  ];
}

/** What the document says of where it was opened from, as `src/web/index.html` has it. */
const ELSEWHERE = '<meta name="belfry-opened" content="elsewhere" />';

/**
 * A tab that the person or this page opened may be let in by one that is open; one that another site opened asks the person first, or that
 * site could have it under a key or a click that was meant for something else.
 */
function isOpenedHere(headers: IncomingHttpHeaders): boolean {
  const [mode, into, from] = ['mode', 'dest', 'site'].map((name) => headers[`sec-fetch-${name}`]);
  return mode === 'navigate' && into === 'document' && (from === 'none' || from === 'same-origin');
}

/** Who opened it in a window keeps no hold of it; where the browser knows how, not even what another program left at this address. */
function openerPolicy(headers: IncomingHttpHeaders): string {
  const [, chromium = '0'] = /"Chromium";v="(\d{1,5})/.exec(String(headers['sec-ch-ua'])) ?? [];
  return Number(chromium) >= 131 ? 'noopener-allow-popups' : 'same-origin';
}

async function document(folder: string, headersOf: IncomingHttpHeaders): Promise<HttpReply> {
  const text = await readFile(join(folder, 'index.html'), 'utf8').catch(() => null);
  if (text === null) return problemReply(404, 'this build of Belfry has no page');
  const body = isOpenedHere(headersOf) ? text.replace(ELSEWHERE, ELSEWHERE.replace('elsewhere', 'here')) : text;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'cross-origin-opener-policy': openerPolicy(headersOf),
  };
  return { status: 200, headers, body };
}

/** It asks nobody but Belfry, and a browser has to look for a newer one. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** Who fetches it otherwise than as a worker has the browser forget the documents that somebody else served here before Belfry had this address. */
async function worker(folder: string, headersOf: IncomingHttpHeaders): Promise<HttpReply> {
  const body = await readFile(join(folder, 'service-worker.js')).catch(() => null);
  if (body === null) return problemReply(404, 'this build of Belfry has no page');
  const headers = {
    'content-type': TYPES['js'] ?? '',
    'cache-control': 'no-cache',
    ...(headersOf['service-worker'] === 'script' ? {} : { 'clear-site-data': '"cache"' }),
    'content-security-policy': WORKER_POLICY,
  };
  return { status: 200, headers, body };
}

/** Only what the folder lists: no name leads out of it. */
async function asset(folder: string, name: string): Promise<HttpReply> {
  const names = await readdir(folder).catch((): string[] => []);
  const type = TYPES[name.split('.').at(-1) ?? ''];
  if (type === undefined || !names.includes(name)) return problemReply(404, 'there is nothing at this path');
  const headers = { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' };
  return { status: 200, headers, body: await readFile(join(folder, name)) };
}
