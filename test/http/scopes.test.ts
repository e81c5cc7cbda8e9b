// One table says who may use what: the server, docs/reference/http.md and `token add --help` go by it.
import { expect, test } from 'vitest';
import { ACCESS, mayUse, type RouteName, type Scope } from '../../src/http/access.ts';
import { hmacSha256, sha256 } from '../../src/web/lib/hmac.ts';
import { createHash, createHmac, randomBytes } from 'node:crypto';

test('an answer includes reads, the page both; publishing is no part of any', () => {
  const usable = (scope: Scope): number =>
    (Object.keys(ACCESS) as RouteName[]).filter((route) => mayUse([scope], route)).length;
  expect(usable('read')).toBeLessThan(usable('answer'));
  expect(usable('answer')).toBeLessThan(usable('page'));
  for (const scope of ['read', 'answer', 'page'] as const) expect(mayUse([scope], 'hooks')).toBe(false);
  for (const route of ['mutes.add', 'push.subscribe', 'service.setLimits', 'deliveries.replay', 'page.code'] as const)
    expect(mayUse(['publish', 'read', 'answer'], route)).toBe(false);
});

test('the page makes the digests that the server makes', () => {
  for (let length = 0; length < 200; length++) {
    const bytes = randomBytes(length);
    expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
    const text = bytes.toString('latin1');
    expect(hmacSha256(bytes, text)).toBe(createHmac('sha256', bytes).update(text).digest('hex'));
  }
});
