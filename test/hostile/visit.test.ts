// What the page sends in place of its token, and how it finds out whom it may send it to: of no use at another address, nor to whoever hears it after a stop.
import { createHmac, randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { BASE } from '../../src/http/api/paths.ts';
import { sha256 } from '../../src/lib/hash.ts';
import { type Visitor, visit } from '../support/interface.ts';
import { startDaemon } from '../support/programs.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { homeWith } from '../support/thread.ts';
import { hostilePage } from './hostile-home.ts';

let page: Visitor;
let port = 0;
let here = '';

beforeAll(async () => {
  ({ page, port } = await hostilePage());
  here = `127.0.0.1:${port}`;
});

/** What a page makes of its token; each line is signed. */
const made = ({ token }: Visitor, ...lines: readonly string[]): string =>
  createHmac('sha256', Buffer.from(sha256(token), 'hex'))
    .update(lines.join('\n'))
    .digest('hex');
const digitsOf = ({ token }: Visitor): string => token.slice(12, 20);
const visitOf = (who: Visitor, host: string, serving: string): string =>
  `belfry_visit_${digitsOf(who)}_${made(who, 'belfry visit', host, serving)}`;

/** Asks for the proof as a page at `host` does. */
async function prove(who: Visitor, host: string, nonce = randomBytes(32).toString('hex')) {
  const body = JSON.stringify({ page: digitsOf(who), nonce });
  const headers = { host, 'content-type': 'application/json', 'x-belfry': '1', 'content-length': String(body.length) };
  const request = rawRequest(`POST ${BASE}/page/proof HTTP/1.1`, headers, body);
  const answer = await sendRaw(Number(new URL(who.origin).port), request);
  const { proof = '', serving = '' } = JSON.parse(answer.body) as { proof?: string; serving?: string };
  return { status: answer.status, proof, serving };
}

const read = async (who: Visitor, bearer: string, host: string): Promise<number> => {
  const headers = { host, authorization: `Bearer ${bearer}` };
  const request = rawRequest(`GET ${BASE}/sessions HTTP/1.1`, headers);
  return (await sendRaw(Number(new URL(who.origin).port), request)).status;
};

test('a server at another port that passes the page’s question on gets a proof that is good for no page of its own', async () => {
  const nonce = randomBytes(32).toString('hex');
  const own = await prove(page, here, nonce);
  expect(own.proof).toBe(made(page, 'belfry page', nonce, here, own.serving));
  const other = await prove(page, 'localhost', nonce);
  expect(other.proof).not.toBe(made(page, 'belfry page', nonce, `127.0.0.1:${port + 1}`, other.serving));
  expect((await prove(page, `127.0.0.1:${port + 1}`)).status).toBe(403);
});

test('what the page sends is good under the name that it was made for, and gives a tab its key again', async () => {
  const { serving } = await prove(page, here);
  const bearer = visitOf(page, here, serving);
  expect(await read(page, bearer, here)).toBe(200);
  const response = await fetch(`${page.origin}${BASE}/page/key`, { headers: { authorization: `Bearer ${bearer}` } });
  expect(await response.json()).toEqual({ key: sha256(page.token) });
  expect(await read(page, visitOf(page, 'localhost', serving), here)).toBe(401);
  expect(await read(page, bearer, 'localhost')).toBe(401);
  expect(await read(page, `${bearer.slice(0, -1)}x`, here)).toBe(401);
});

test('what the page sends publishes nothing', async () => {
  const authorization = `Bearer ${visitOf(page, here, (await prove(page, here)).serving)}`;
  const headers = { host: here, authorization, 'content-type': 'application/json', 'content-length': '2' };
  expect((await sendRaw(port, rawRequest('POST /hooks HTTP/1.1', headers, '{}'))).status).toBe(403);
});

test('what the page sent to a Belfry that has ended is of no use to who heard it, and the page goes on', async () => {
  const home = homeWith('');
  const first = await startDaemon(home);
  const who = await visit(home);
  const { host } = new URL(who.origin);
  const heard = visitOf(who, host, (await prove(who, host)).serving);
  expect(await read(who, heard, host)).toBe(200);
  await first.stop('SIGKILL');
  await startDaemon(home);
  const { serving } = await prove(who, host);
  expect(await read(who, heard, host)).toBe(401);
  expect(await read(who, visitOf(who, host, serving), host)).toBe(200);
});
