// Hostile stdin: any bytes, any size, any end or none.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { expect } from 'vitest';
import { INPUT_LIMIT } from '../../../src/ipc/envelope.ts';
import { type Case, JSON_INPUT } from './case.ts';

const bytes = (name: string, input: string | Uint8Array): Case => ({ name, input, kept: input });
const big = (size: number): Buffer => Buffer.alloc(size, 'abcdefghijklmnopqrstuvwxyz');
const open =
  (...chunks: string[]) =>
  (stdin: Writable): void => {
    for (const chunk of chunks) stdin.write(chunk);
  };

/** Writes a byte every few ms until nobody reads. */
function trickle(stdin: Writable): void {
  const timer = setInterval(() => stdin.write('x'), 20);
  stdin.on('close', () => clearInterval(timer));
  stdin.on('error', () => clearInterval(timer));
}

/** One byte a turn of the loop. */
function dribble(stdin: Writable): void {
  let at = 0;
  const more = (): void => {
    if (at < JSON_INPUT.length) stdin.write(JSON_INPUT[at++], () => setImmediate(more));
    else stdin.end();
  };
  more();
}

/** A handful of kinds of bytes, each as it is. */
const CONTENT: readonly Case[] = [
  bytes('nothing', ''),
  bytes('one byte', '{'),
  bytes('JSON without a line feed', '{"a":1}'),
  bytes('JSON with one', '{"a":1}\n'),
  bytes('carriage returns', '{"a":\r\n1}\r\n\r\n'),
  bytes('white space only', ' \n\t\n  '),
  bytes('NUL bytes', 'a\0b\0\0{"c":1}\0'),
  bytes(
    'all 256 bytes',
    Uint8Array.from({ length: 256 }, (_, i) => i),
  ),
  bytes('bad UTF-8', Uint8Array.of(0x7b, 0xff, 0xfe, 0xc3, 0x28, 0x80, 0x7d)),
  bytes('a byte order mark', '\ufeff{"a":1}'),
  bytes('a lone surrogate', '{"a":"\\ud800"}'),
  bytes('100,000 levels', '['.repeat(100_000) + ']'.repeat(100_000)),
  bytes('__proto__', '{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}'),
  bytes('printf formats', '%s%n%d%%\\n\\0%5$s{"a":"%x"}'),
  bytes('terminal escapes', '\u001b]0;owned\u0007\u001b[2J{"a":1}'),
  bytes('our own header', '{"v":1,"id":"abcdefgh","length":3}\n{"v":1}\nabc'),
  bytes('an end mark inside', '{"a":1}\n#end 1\nmore\n'),
  bytes('an end mark at the end', '{"a":1}\n#end 1\n'),
  bytes('a pipe buffer full', big(65_536)),
  bytes('a pipe buffer and one', big(65_537)),
  bytes('10 MB', big(10 * 1024 * 1024)),
  bytes('exactly the limit', big(INPUT_LIMIT)),
  {
    name: 'shell text',
    input: '{"a":"$(touch pwned)`touch pwned`;touch pwned\'"}',
    kept: '{"a":"$(touch pwned)`touch pwned`;touch pwned\'"}',
    after: ({ home }) => expect(existsSync(join(home, 'pwned'))).toBe(false),
  },
];

/** Ways of coming to an end, and of not doing so. */
const ENDS: readonly Case[] = [
  { name: 'more than the limit', input: big(INPUT_LIMIT + 100_000), kept: big(INPUT_LIMIT), cut: 'size' },
  { name: 'one byte at a time', input: dribble, kept: JSON_INPUT },
  { name: 'whole and never closed', input: open('{"a":', '1}'), kept: '{"a":1}' },
  { name: 'half and never closed', input: open('{"a":'), kept: '{"a":', cut: 'time' },
  { name: 'never a byte and never closed', input: open(), kept: '', cut: 'time' },
  { name: 'a trickle without end', input: trickle, kept: 'whatever' },
  { name: 'endless zeroes', around: '"$@" </dev/zero', kept: Buffer.alloc(INPUT_LIMIT), cut: 'size' },
  { name: 'closed', around: '"$@" <&-', kept: 'whatever' },
  { name: '/dev/null', around: '"$@" </dev/null', kept: '' },
  { name: 'a folder', around: '"$@" </', kept: 'whatever' },
  { name: 'open for writing only', around: '"$@" 0>out', kept: 'whatever' },
  { name: 'a FIFO that nobody closes', around: 'mkfifo f; "$@" <>f', kept: '', cut: 'time' },
  {
    name: 'a file',
    prepare: ({ home }) => writeFileSync(join(home, 'input'), JSON_INPUT),
    around: '"$@" <input',
    kept: JSON_INPUT,
  },
  {
    name: 'a file read in part already',
    prepare: ({ home }) => writeFileSync(join(home, 'input'), `first line\n${JSON_INPUT}`),
    around: '{ read -r _; "$@"; } <input',
    kept: JSON_INPUT,
  },
];

export const STDIN: readonly Case[] = [...CONTENT, ...ENDS].map((c) => ({ ...c, name: `stdin: ${c.name}` }));
