// How browsers are let in, by the clock: a code works once and for a minute, a token ends after twelve idle hours, the file holds hashes only.
import { createHash, createHmac } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openPageTokens } from '../../../src/daemon/http/page-tokens.ts';
import { tokenFileIn } from '../../../src/http/token-file.ts';
import { createTokens, PAGE, removeToken } from '../../../src/http/tokens.ts';
import { temporaryFolder } from '../../support/home.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.UTC(2026, 2, 4, 12);

async function tokensAt(folder = temporaryFolder(), begin = NOON) {
  let now = begin;
  const file = tokenFileIn(folder);
  const tokens = createTokens({ file, now: () => now, log: () => undefined });
  const pages = await openPageTokens(file, tokens, () => now);
  const used: string[] = [];
  const code = (): string => pages.issueCode(() => used.push('used'));
  const letIn = async (): Promise<string> => (await pages.exchange(code())) ?? '';
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
  expect((await pages.exchange(given)) !== null).toBe(good);
  expect(await pages.exchange(given)).toBeNull(); // replayed
  expect(used).toEqual(['used']);
});

test('of many codes the oldest are forgotten, and what is no code is none', async () => {
  const { pages, code } = await tokensAt();
  const codes = Array.from({ length: 30 }, code);
  expect(await pages.exchange(codes[0] ?? '')).toBeNull();
  expect(await pages.exchange(codes[29] ?? '')).not.toBeNull();
  for (const guess of ['', 'x', '__proto__', codes[28]?.slice(1) ?? '']) expect(await pages.exchange(guess)).toBeNull();
});

test('a token goes on while it is used, over a restart too, and ends after twelve idle hours', async () => {
  const { tokens, pages, letIn, pass, folder, file } = await tokensAt();
  const token = await letIn();
  for (let i = 0; i < 3; i++) {
    pass(11 * HOUR);
    expect(await tokens.verify(token)).toEqual({ id: expect.any(String), name: PAGE, scopes: ['page'] });
  }
  await tokens.flush();
  await pages.keepPort(4_711);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain(token.slice(21));
  const { hash } = (JSON.parse(readFileSync(file, 'utf8')) as { pages: { hash: string }[] }).pages[0] ?? { hash: '' };
  expect(await tokens.verify(hash)).toBeNull();
  const again = await tokensAt(folder, NOON + 33 * HOUR + 9 * MINUTE);
  expect([await again.pages.port(), await again.pages.inUse()]).toEqual([4_711, true]);
  expect(await again.tokens.verify(token)).not.toBeNull();
  again.pass(12 * HOUR + 1);
  expect(await again.tokens.verify(token)).toBeNull();
});

test('what was not in use just before a start has ended, and so has all where somebody else has the port', async () => {
  const { letIn, folder, pages, tokens } = await tokensAt();
  const token = await letIn();
  const late = await tokensAt(folder, NOON + 11 * MINUTE);
  expect([await late.pages.inUse(), await late.tokens.verify(token)]).toEqual([false, null]);
  await pages.keepPort(4_711);
  const second = await letIn();
  await pages.keepPort(4_711);
  expect(await tokens.verify(second)).not.toBeNull();
  await pages.keepPort(4_712);
  expect(await tokens.verify(second)).toBeNull();
});

test('a page is shown who it is let in by: nobody else can, for no other address', async () => {
  const { pages, letIn } = await tokensAt();
  const token = await letIn();
  const name = `page-${token.slice(12, 20)}`;
  const key = createHash('sha256').update(token).digest();
  const expected = createHmac('sha256', key).update('belfry page\naa\n127.0.0.1:1').digest('hex');
  expect(await pages.prove(name, 'aa', '127.0.0.1:1')).toBe(expected);
  expect(await pages.prove(name, 'aa', '127.0.0.1:2')).not.toBe(expected);
  expect(await pages.prove(name, 'ab', '127.0.0.1:1')).not.toBe(expected);
  expect(await pages.prove('page-00000000', 'aa', '127.0.0.1:1')).toBeNull();
});

test('what owns something is kept for it when it ends, and is let in no more', async () => {
  const { pages, tokens, letIn, file } = await tokensAt();
  const token = await letIn();
  const id = (await tokens.verify(token))?.id ?? '';
  await pages.setOwns(id, true);
  await pages.keepPort(1);
  await pages.keepPort(2);
  expect(await tokens.verify(token)).toBeNull();
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
  expect([await pages.port(), await tokens.verify(token)]).toEqual([null, null]);
});
