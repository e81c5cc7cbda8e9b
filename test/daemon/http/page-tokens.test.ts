// The page's codes and tokens by the clock: a code works once and for a minute, a token ends after twelve idle hours, the file holds hashes only.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadPageTokens, PAGE } from '../../../src/daemon/http/page-tokens.ts';
import { temporaryFolder } from '../../support/home.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function tokensAt(folder = temporaryFolder()) {
  let now = Date.UTC(2026, 2, 4, 12);
  const tokens = await loadPageTokens(
    folder,
    () => now,
    () => undefined,
  );
  const pass = (ms: number): void => {
    now += ms;
  };
  return { tokens, pass, folder };
}

test.each([
  ['at once', 0, true],
  ['within a minute', MINUTE, true],
  ['after it', MINUTE + 1, false],
])('a code %s', async (_when, ms, good) => {
  const { tokens, pass } = await tokensAt();
  const code = tokens.issueCode();
  pass(ms);
  expect((await tokens.exchange(code)) !== null).toBe(good);
  expect(await tokens.exchange(code)).toBeNull(); // replayed
});

test('of many codes the oldest are forgotten, and what is no code is none', async () => {
  const { tokens } = await tokensAt();
  const codes = Array.from({ length: 30 }, () => tokens.issueCode());
  expect(await tokens.exchange(codes[0] ?? '')).toBeNull();
  expect(await tokens.exchange(codes[29] ?? '')).not.toBeNull();
  for (const guess of ['', 'x', '__proto__', codes[28]?.slice(1) ?? ''])
    expect(await tokens.exchange(guess)).toBeNull();
});

test('a token goes on while it is used, over a restart too, and ends after twelve idle hours', async () => {
  const { tokens, pass, folder } = await tokensAt();
  const token = (await tokens.exchange(tokens.issueCode())) ?? '';
  for (let i = 0; i < 3; i++) {
    pass(11 * HOUR);
    expect(await tokens.verify(token)).toEqual({ name: PAGE, scopes: ['read', 'answer'] });
  }
  await tokens.keepPort(4_711); // written behind every use before it
  const file = join(folder, 'page.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain(token.slice(12));
  const { hash } = (JSON.parse(readFileSync(file, 'utf8')) as { tokens: { hash: string }[] }).tokens[0] ?? { hash: '' };
  expect(await tokens.verify(hash)).toBeNull();
  const again = await loadPageTokens(
    folder,
    () => Date.UTC(2026, 2, 4, 12) + 40 * HOUR,
    () => undefined,
  );
  expect([again.port(), again.inUse()]).toEqual([4_711, true]);
  expect(await again.verify(token)).not.toBeNull();
  pass(12 * HOUR + 1);
  expect([tokens.inUse(), await tokens.verify(token)]).toEqual([false, null]);
});

test('a damaged file lets nobody in', async () => {
  const { tokens, folder } = await tokensAt();
  const token = (await tokens.exchange(tokens.issueCode())) ?? '';
  writeFileSync(join(folder, 'page.json'), '{"v":1,"port":"x","tokens":[{}]}');
  const { tokens: after } = await tokensAt(folder);
  expect([after.port(), await after.verify(token)]).toEqual([null, null]);
});
