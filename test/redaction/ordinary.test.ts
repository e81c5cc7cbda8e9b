// Ordinary text stays as it is: fewer than one line in a thousand is touched. The lines of ordinary.json may none be; captured inputs, the project's
// own sources and ids made at run time are the mass.
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/redaction/index.ts';
import { samples } from '../support/samples.ts';
import ordinary from './ordinary.json' with { type: 'json' };

const redactor = createRedactor({ patterns: [] });
const root = new URL('../../', import.meta.url).pathname;

test('the list has 500 lines and more', () => expect(new Set(ordinary).size).toBeGreaterThanOrEqual(500));

test.each(ordinary)('%s', (line) => {
  expect(redactor.text(line)).toBe(line);
  expect(redactor.text(`before\n${line}\nafter`)).toBe(`before\n${line}\nafter`);
});

/** Strings anywhere in a value. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/** Bytes without a pattern, the same at every run: one certificate in a thousand has a line in the form of a key. */
function noise(seed: number, length: number): Buffer {
  const block = (n: number): Buffer => createHash('sha512').update(`${seed}/${n}`).digest();
  return Buffer.concat(Array.from({ length: Math.ceil(length / 64) }, (_x, n) => block(n))).subarray(0, length);
}

const MASS: Readonly<Record<string, () => string[]>> = {
  'captured inputs': () => samples().flatMap(({ input }) => stringsOf(input)),
  'the lock file': () => readFileSync(join(root, 'package-lock.json'), 'utf8').split('\n'),
  'sources and docs': () =>
    ['src', 'docs', 'test/support']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((f) => join(root, folder, f)),
      )
      .filter((file) => /\.(?:ts|md)$/.test(file) && !file.includes('redaction'))
      .flatMap((file) => readFileSync(file, 'utf8').split('\n')),
  'ids and hashes': () =>
    Array.from({ length: 300 }, (_x, i) => {
      const hash = createHash('sha256').update(String(i));
      const hex = hash.copy().digest('hex');
      return [
        `session ${randomUUID()} ended`,
        `commit ${hex.slice(0, 40)}`,
        `image@sha256:${hex}`,
        `etag "${hex.slice(0, 32)}"`,
        `"integrity": "sha512-${createHash('sha512').update(String(i)).digest('base64')}"`,
        `/assets/index-${hash.digest('base64url').slice(0, 8)}.js`,
      ];
    }).flat(),
  'pictures and certificates': () =>
    Array.from({ length: 30 }, (_x, i) => {
      const bytes = noise(i, 3_000).toString('base64');
      return [
        `data:image/png;base64,${bytes}`,
        `{"type":"image","data":"iVBORw0KGgo${bytes}"}`,
        `-----BEGIN CERTIFICATE-----\n${bytes.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----`,
      ];
    }).flat(),
};

describe('the mass', () => {
  test.each(Object.entries(MASS))('%s: fewer than one in a thousand', (_name, lines) => {
    const all = lines().filter((line) => line.trim() !== '');
    const touched = all.filter((line) => redactor.text(line) !== line);
    expect(touched.length / all.length, touched.slice(0, 5).join('\n')).toBeLessThan(0.001);
  });
});
