// How browsers are let in, by the clock: a code works once and for a minute, a token ends after twelve idle hours, the file holds hashes only.
import { createHash, createHmac } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openPageTokens } from '../../../../src/daemon/http/page/page-tokens.ts';
import { tokenFileIn } from '../../../../src/http/token-file.ts';
import { createTokens, PAGE, removeToken } from '../../../../src/http/tokens.ts';
import { temporaryFolder } from '../../../support/home.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.UTC(2026, 2, 4, 12);
const HERE = { host: '127.0.0.1:1', serving: 'ab' };

async function tokensAt(folder = temporaryFolder(), begin = NOON) {
  let now = begin;
  const file = tokenFileIn(folder);
  const tokens = createTokens({ file, now: () => now, log: () => undefined });
  const pages = await openPageTokens(file, tokens, () => now);
  const used: string[] = [];
  const code = (): string => pages.issueCode(() => used.push('used'));
  const letIn = async (): Promise<string> => (await pages.exchange(code(), HERE)) ?? '';
  const pass = (ms: number): void => {
    now += ms;
  };
  return { tokens, pages, used, code, letIn, pass, folder, file };
}

test.each([
  ['at once', 0, true],
  ['within a minute', MINUTE, true],
  ['after it', MINUTE + 1, false],
])('a code %s', async (_when, ms, good) => {
  const { pages, code, pass, used } = await tokensAt();
  const given = code();
  pass(ms);
  expect((await pages.exchange(given, HERE)) !== null).toBe(good);
  expect(await pages.exchange(given, HERE)).toBeNull(); // replayed
  expect(used).toEqual(['used']);
});

test('of many codes the oldest are forgotten, and what is no code is none', async () => {
  const { pages, code } = await tokensAt();
  const codes = Array.from({ length: 30 }, code);
  expect(await pages.exchange(codes[0] ?? '', HERE)).toBeNull();
  expect(await pages.exchange(codes[29] ?? '', HERE)).not.toBeNull();
  for (const guess of ['', 'x', '__proto__', codes[28]?.slice(1) ?? ''])
    expect(await pages.exchange(guess, HERE)).toBeNull();
});

/** As a tab makes it that asks another one. */
const SECRETS = Array.from({ length: 30 }, (_, i) => String(i).padStart(64, 'a'));
const [SECRET = '', OTHER = ''] = SECRETS;
/** The id of the page that lets it in. */
const BY = 'b'.repeat(64);
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

test.each([
  ['with its secret', 0, SECRET, true],
  ['within ten seconds', 10_000, SECRET, true],
  ['after them', 10_001, SECRET, false],
  ['with another secret', 0, OTHER, false],
  ['with the hash that everybody has seen', 0, hashOf(SECRET), false],
  ['as that of `belfry dashboard`', 0, undefined, false],
])('the code of a tab %s', async (_how, ms, secret, good) => {
  const { pages, pass, tokens } = await tokensAt();
  const code = pages.issueTabCode(hashOf(SECRET), BY) ?? '';
  pages.issueTabCode(hashOf(OTHER), BY);
  pass(ms);
  const token = await pages.exchange(code, HERE, secret);
  expect(token !== null).toBe(good);
  expect(await tokens.verify(token ?? '', HERE)).toEqual(good ? expect.objectContaining({ scopes: ['page'] }) : null);
  if (good) expect(await pages.exchange(code, HERE, secret)).toBeNull(); // replayed
});

test('a tab is given one code however many answer it, and a wrong one is its last', async () => {
  const { pages, pass, code } = await tokensAt();
  const given = pages.issueTabCode(hashOf(SECRET), BY) ?? '';
  expect(pages.issueTabCode(hashOf(SECRET), BY)).toBeNull();
  expect(await pages.exchange('guessed', HERE, SECRET)).toBeNull();
  expect(await pages.exchange(given, HERE, SECRET)).toBeNull();
  expect(pages.issueTabCode(hashOf(SECRET), BY)).toBeNull();
  expect(await pages.exchange(code(), HERE, OTHER)).toBeNull(); // that of `belfry dashboard` has no secret
  pass(10_001);
  expect(await pages.exchange(pages.issueTabCode(hashOf(SECRET), BY) ?? '', HERE, SECRET)).not.toBeNull();
});

test('a page lets in by itself while what let it in is served; one of before does not, nor whom that let in', async () => {
  const { pages, tokens, code, folder } = await tokensAt();
  const idOf = async (token: string | null): Promise<string> => (await tokens.verify(token ?? '', HERE))?.id ?? '';
  const first = await idOf(await pages.exchange(code(), HERE));
  const byTab = async (from: typeof pages, secret: string, by: string): Promise<string> =>
    idOf(await from.exchange(from.issueTabCode(hashOf(secret), by) ?? '', HERE, secret));
  const second = await byTab(pages, SECRET, first);
  const third = await byTab(pages, OTHER, second);
  for (const id of [first, second, third]) expect([id, pages.isOfThisStart(id, HERE)]).toEqual([id, true]);
  expect(pages.isOfThisStart(first, { ...HERE, serving: 'cd' })).toBe(false); // its address was given up meanwhile
  expect(pages.isOfThisStart('', HERE)).toBe(false);
  const again = await tokensAt(folder);
  expect(again.pages.isOfThisStart(first, HERE)).toBe(false);
  const pressed = await byTab(again.pages, SECRETS[2] ?? '', first);
  expect(pressed).not.toBe('');
  expect(again.pages.isOfThisStart(pressed, HERE)).toBe(false);
  const anew = await idOf(await again.pages.exchange(again.code(), HERE));
  expect(again.pages.isOfThisStart(anew, HERE)).toBe(true);
});

test('tabs that ask by the dozen use up no code of others', async () => {
  const { pages, code, pass } = await tokensAt();
  const first = code();
  const given = SECRETS.map((secret) => pages.issueTabCode(hashOf(secret), BY));
  expect(given.filter((one) => one !== null)).toHaveLength(20);
  expect(await pages.exchange(first, HERE)).not.toBeNull();
  pass(10_001);
  expect(pages.issueTabCode(hashOf(SECRETS[29] ?? ''), BY)).not.toBeNull();
});

test('a tab that opens ends none that is open; one that `belfry dashboard` opens may', async () => {
  const { pages, letIn, pass, tokens } = await tokensAt();
  const open: string[] = [];
  for (let i = 0; i < 20; i++) open.push(await letIn());
  const byTab = (secret: string): Promise<string | null> =>
    pages.exchange(pages.issueTabCode(hashOf(secret), BY) ?? '', HERE, secret);
  expect(await byTab(SECRET)).toBeNull();
  for (const token of open) expect(await tokens.verify(token, HERE)).not.toBeNull();
  // The first nineteen are closed; the last one has been in use since, which is not in the file yet.
  pass(151_000);
  expect(await tokens.verify(open[19] ?? '', HERE)).not.toBeNull();
  for (let i = 1; i < 20; i++) expect(await byTab(SECRETS[i] ?? '')).not.toBeNull();
  expect(await tokens.verify(open[19] ?? '', HERE)).not.toBeNull();
  expect(await tokens.verify(open[18] ?? '', HERE)).toBeNull();
});

test('one that nobody looks at, and that uses its token each minute, is ended by none that opens', async () => {
  const { pages, letIn, pass, tokens } = await tokensAt();
  const hidden = await letIn();
  for (let i = 0; i < 30; i++) {
    pass(MINUTE);
    if (i % 2 === 1) expect(await tokens.verify(hidden, HERE)).not.toBeNull(); // a browser may let it wait for another minute
    await pages.exchange(pages.issueTabCode(hashOf(SECRETS[i] ?? ''), BY) ?? '', HERE, SECRETS[i]);
  }
  for (let i = 0; i < 18; i++) await letIn(); // and the last one by a tab: twenty
  pass(119_000);
  expect(await pages.exchange(pages.issueTabCode(hashOf(SECRET), BY) ?? '', HERE, SECRET)).toBeNull();
  expect(await tokens.verify(hidden, HERE)).not.toBeNull();
});

test('a token goes on while it is used, over a restart too, and ends after twelve idle hours', async () => {
  const { tokens, pages, letIn, pass, folder, file } = await tokensAt();
  const token = await letIn();
  for (let i = 0; i < 3; i++) {
    pass(11 * HOUR);
    expect(await tokens.verify(token, HERE)).toEqual({ id: expect.any(String), name: PAGE, scopes: ['page'] });
  }
  await tokens.flush();
  await pages.keepPort(4_711);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain(token.slice(21));
  const { hash } = (JSON.parse(readFileSync(file, 'utf8')) as { pages: { hash: string }[] }).pages[0] ?? { hash: '' };
  expect(await tokens.verify(hash, HERE)).toBeNull();
  const again = await tokensAt(folder, NOON + 33 * HOUR + 9 * MINUTE);
  expect([await again.pages.port(), await again.pages.inUse()]).toEqual([4_711, true]);
  expect(await again.tokens.verify(token, HERE)).not.toBeNull();
  again.pass(12 * HOUR + 1);
  expect(await again.tokens.verify(token, HERE)).toBeNull();
});

test('what was not in use just before a start has ended, and so has all where somebody else has the port', async () => {
  const { letIn, folder, pages, tokens } = await tokensAt();
  const token = await letIn();
  const late = await tokensAt(folder, NOON + 11 * MINUTE);
  expect([await late.pages.inUse(), await late.tokens.verify(token, HERE)]).toEqual([false, null]);
  await pages.keepPort(4_711);
  const second = await letIn();
  await pages.keepPort(4_711);
  expect(await tokens.verify(second, HERE)).not.toBeNull();
  await pages.keepPort(4_712);
  expect(await tokens.verify(second, HERE)).toBeNull();
});

/** Other places than {@link HERE}. */
const ELSEWHERE = [
  ['another address', { ...HERE, host: '127.0.0.1:2' }],
  ['a later start', { ...HERE, serving: 'ac' }],
] as const;

/** What a page makes of its token. */
function made(token: string, ...lines: readonly string[]): string {
  const key = createHash('sha256').update(token).digest();
  return createHmac('sha256', key).update(lines.join('\n')).digest('hex');
}
const visitOf = (token: string, { host, serving } = HERE): string =>
  `belfry_visit_${token.slice(12, 20)}_${made(token, 'belfry visit', host, serving)}`;

test('a page is shown who it is let in by: nobody else can', async () => {
  const { pages, letIn } = await tokensAt();
  const token = await letIn();
  const name = `page-${token.slice(12, 20)}`;
  const expected = made(token, 'belfry page', 'aa', HERE.host, HERE.serving);
  expect(await pages.prove(name, 'aa', HERE)).toBe(expected);
  expect(await pages.prove(name, 'ab', HERE)).not.toBe(expected);
  expect(await pages.prove('page-00000000', 'aa', HERE)).toBeNull();
  for (const [, place] of ELSEWHERE) expect(await pages.prove(name, 'aa', place)).not.toBe(expected);
});

test.each(ELSEWHERE)('what a page sends in place of its token is good here, and not at %s', async (_where, place) => {
  const { tokens, letIn } = await tokensAt();
  const [token, other] = [await letIn(), await letIn()];
  expect(await tokens.verify(visitOf(token), HERE)).toEqual(await tokens.verify(token, HERE));
  expect(await tokens.verify(visitOf(other), HERE)).not.toEqual(await tokens.verify(token, HERE));
  expect(await tokens.verify(visitOf(token), place)).toBeNull();
  expect(await tokens.verify(visitOf(token, place), HERE)).toBeNull();
});

test('a page that has ended, or was idle for too long, sends nothing that is good', async () => {
  const { tokens, pages, letIn, pass } = await tokensAt();
  const [token, idle] = [await letIn(), await letIn()];
  await pages.end((await tokens.verify(token, HERE))?.id ?? '');
  expect(await tokens.verify(visitOf(token), HERE)).toBeNull();
  pass(12 * HOUR + 1);
  expect(await tokens.verify(visitOf(idle), HERE)).toBeNull();
});

test('what owns something is kept for it when it ends, and is let in no more', async () => {
  const { pages, tokens, letIn, file } = await tokensAt();
  const token = await letIn();
  const id = (await tokens.verify(token, HERE))?.id ?? '';
  await pages.setOwns(id, true);
  await pages.keepPort(1);
  await pages.keepPort(2);
  expect(await tokens.verify(token, HERE)).toBeNull();
  expect((await tokens.current()).pages.map(({ hash }) => hash)).toEqual([id]);
  for (let i = 0; i < 40; i++) await letIn();
  expect((await tokens.current()).pages.map(({ hash }) => hash)).toContain(id);
  expect((await tokens.current()).pages.length).toBeLessThanOrEqual(40);
  await removeToken(file, `page-${token.slice(12, 20)}`);
  expect((await tokens.current()).pages.map(({ hash }) => hash)).not.toContain(id);
});

test('a damaged file lets nobody in', async () => {
  const { letIn, folder, file } = await tokensAt();
  const token = await letIn();
  writeFileSync(file, '{"v":1,"tokens":[],"page_port":"x","pages":[{}]}');
  const { tokens, pages } = await tokensAt(folder);
  expect([await pages.port(), await tokens.verify(token, HERE)]).toEqual([null, null]);
});
