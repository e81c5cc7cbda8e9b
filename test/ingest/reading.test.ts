// What ingest makes of bytes: an object that is safe to walk, or a reason and a file in quarantine.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quarantineIn } from '../../src/ingest/quarantine.ts';
import { readInput } from '../../src/ingest/parse.ts';
import { temporaryFolder } from '../support/home.ts';

const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;

test.each<[string, string | Uint8Array, 'size' | 'time' | undefined, string]>([
  ['nothing', '', undefined, 'it is empty'],
  ['white space', ' \n', undefined, 'it is empty'],
  ['text', 'hello', undefined, 'it is not JSON'],
  ['a list', '[1]', undefined, 'it is JSON but not an object'],
  ['null', 'null', undefined, 'it is JSON but not an object'],
  ['two documents', '{}{}', undefined, 'it is not JSON'],
  ['bytes', new Uint8Array([0xff, 0x00]), undefined, 'it is not JSON'],
  ['a cut one', '{"a":', 'size', 'it was cut off by the bound of size'],
  ['an endless one', '{"a":"', 'time', 'it was cut off by the bound of time'],
])('%s cannot be read', (_name, bytes, cut, why) => {
  expect(readInput(Buffer.from(bytes), cut)).toEqual({ ok: false, why });
});

test.each([
  ['a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
  ['line ends around it', '\r\n{"a":1}\r\n', { a: 1 }],
  ['whole, though stdin was never closed', '{"a":1}', { a: 1 }],
])('%s does no harm', (_name, text, input) => {
  expect(readInput(Buffer.from(text), 'time')).toEqual({ ok: true, input });
});

test('bad UTF-8 becomes replacement characters, __proto__ goes, depth ends', () => {
  const bad = readInput(Buffer.concat([Buffer.from('{"a":"x'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]));
  expect(bad).toEqual({ ok: true, input: { a: 'x\ufffd(' } });
  const proto = readInput(Buffer.from('{"__proto__":{"p":1},"a":[{"__proto__":2,"b":3}]}'));
  expect(proto.ok && [Object.keys(proto.input), JSON.stringify(proto.input)]).toEqual([['a'], '{"a":[{"b":3}]}']);
  expect(({} as Record<string, unknown>)['p']).toBeUndefined();
  const deep = readInput(Buffer.from(nested(100_000)));
  expect(deep.ok && JSON.stringify(deep.input)).toContain('(nested too deeply)');
  const usual = readInput(Buffer.from(nested(20)));
  expect(usual.ok && JSON.stringify(usual.input)).toBe(nested(20));
});

test('quarantine keeps the bytes and the reason, 0600, a bounded number of files, no name out of its folder', async () => {
  const folder = join(temporaryFolder(), 'quarantine');
  const keep = quarantineIn(folder);
  await keep('../../evil name', Buffer.from('\0raw'), 'it is not JSON');
  const [name = ''] = readdirSync(folder);
  expect([name, statSync(folder).mode & 0o777, statSync(join(folder, name)).mode & 0o777]).toEqual([
    '______evil_name.input',
    0o700,
    0o600,
  ]);
  const [head = '', raw] = readFileSync(join(folder, name), 'utf8').split('\n');
  expect([JSON.parse(head), raw]).toEqual([expect.objectContaining({ why: 'it is not JSON', bytes: 4 }), '\0raw']);
  for (let i = 0; i < 505; i++) await keep(`id-${String(i).padStart(4, '0')}`, Buffer.from('x'), 'it is not JSON');
  const names = readdirSync(folder).sort();
  expect(names).toHaveLength(500);
  expect(names).toContain('id-0504.input');
});
