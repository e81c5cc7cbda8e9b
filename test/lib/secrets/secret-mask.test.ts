// Secrets are taken out of whatever a receiver says, in whatever form it says them; the rest stays as it is.
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { createSecretMask } from '../../../src/delivery/channel/channel-instance.ts';

const KEY = 'sk-live/51+Hx8 "quoted" & <b>';
const SIGNING = `whsec_${Buffer.from('a key of twenty-four byt').toString('base64')}`;
const ADDRESS = 'https://hooks.example.com/services/T0SECRET/B0SECRET/x7f3kq9zp2?token=letmein%2Fplease99&a=1';

test.each<[string, string, string, readonly string[]]>([
  ['as it is', KEY, `bad key ${KEY}!`, [KEY]],
  ['in other letters', 'Abcdef-123', 'no ABCDEF-123', ['ABCDEF-123']],
  ['in a URL', KEY, `?k=${encodeURIComponent(KEY)}`, ['51%2BHx8']],
  ['in JSON', KEY, JSON.stringify({ key: KEY }), ['Hx8']],
  ['in JSON with escaped slashes', KEY, JSON.stringify(KEY).replaceAll('/', '\\/').slice(0, 20), ['51+H']],
  [
    'in markup',
    KEY,
    KEY.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ['Hx8'],
  ],
  ['in base64', KEY, Buffer.from(KEY).toString('base64'), [Buffer.from(KEY).toString('base64')]],
  ['in hexadecimal', KEY, Buffer.from(KEY).toString('hex'), [Buffer.from(KEY).toString('hex')]],
  ['without its prefix', SIGNING, `key ${SIGNING.slice(6)}`, [SIGNING.slice(6)]],
  ['cut off at the end', KEY, `no such key: ${KEY.slice(0, 14)}`, ['51+Hx8']],
  ['an address', ADDRESS, `nothing at ${ADDRESS}`, ['x7f3kq9zp2', 'letmein']],
  ['the path of an address', ADDRESS, 'no /services/T0SECRET/B0SECRET/x7f3kq9zp2 here', ['x7f3kq9zp2', 'T0SECRET']],
  ['one part of an address', ADDRESS, 'token letmein/please99 of x7f3kq9zp2 is unknown', ['x7f3kq9zp2', 'letmein']],
])('%s', (_how, secret, said, never) => {
  const masked = createSecretMask([secret])(said);
  expect(masked).toContain('[redacted]');
  for (const part of never) expect(masked.toLowerCase()).not.toContain(part.toLowerCase());
});

test.each([
  ['the host of an address', ADDRESS, 'hooks.example.com did not answer within 10 s'],
  ['short words', 'abc', 'abc is as easy as one two three'],
  ['what only resembles it', KEY, 'sk-live is the prefix of a live key'],
])('leaves %s alone', (_what, secret, said) => {
  expect(createSecretMask([secret])(said)).toBe(said);
});

test.each([
  ['no secret', []],
  ['an empty one', ['', '   ']],
  ['a lone surrogate and a percent sign', ['\ud800abcd%', '%%%%%']],
])('takes %s', (_what, secrets) => {
  expect(createSecretMask(secrets)('plain text')).toBe('plain text');
});

test('is quick on the largest answer, whatever it repeats', () => {
  const mask = createSecretMask([KEY, ADDRESS, SIGNING, 'a'.repeat(2_000)]);
  for (const said of ['a'.repeat(65_536), KEY.slice(0, -1).repeat(2_000), '%2F'.repeat(20_000)]) {
    const began = performance.now();
    mask(said);
    expect(performance.now() - began).toBeLessThan(2_000);
  }
});
