// What a relay may say, however it is cut into pieces, and what is no relay's: that ends the connection, and nothing of it counts.
import { expect, test } from 'vitest';
import { type FromRelay, ProtocolError, readRelay } from '../../../src/sources/remote/protocol.ts';

const NONCE = 'c0ffee';
const HELLO = `belfry-relay 1 ${NONCE} box-1 vm ada bash linux\n`;
const SEQ = '00000001000001';

async function read(
  text: string | Buffer,
  size = 1_000_000,
): Promise<{ said: FromRelay[]; noise: string[]; error: unknown }> {
  const bytes = Buffer.from(text);
  const said: FromRelay[] = [];
  const noise: string[] = [];
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  try {
    for await (const one of readRelay(pieces(), NONCE, (line) => noise.push(line))) said.push(one);
    return { said, noise, error: null };
  } catch (error) {
    return { said, noise, error };
  }
}

const FILE = `file 77.open 5 1700000000.250 77/900/34817/sh/ 76/800/0/node/usr/lib/node_modules/qwen/dist/cli.js`;
const BATCH = `batch ${SEQ} 1 1700000001\n${FILE}\na\nb\n!`;

test.each([1, 7, 1_000])(
  'a hello, a batch, an answer and what the login prints, in pieces of %i bytes',
  async (size) => {
    const { said, noise, error } = await read(`Welcome\n> ${HELLO}${BATCH}pong 3 1 0\noverflow\n`, size);
    expect(error).toBeNull();
    expect(noise).toEqual(['Welcome', '> ']);
    expect(said).toEqual([
      { type: 'hello', box: 'box-1', host: 'vm', user: 'ada', shell: 'bash', os: 'linux' },
      {
        type: 'file',
        file: {
          id: `${SEQ}/77.open`,
          writer: 77,
          modified: 1_700_000_000_250,
          handedOver: 1_700_000_001_000,
          ancestors: [
            { pid: 77, start: '900', name: 'sh' },
            { pid: 76, start: '800', name: 'qwen' },
          ],
          tty: '/dev/pts/1',
          bytes: Buffer.from('a\nb\n!'),
        },
      },
      { type: 'end', seq: SEQ },
      { type: 'pong', number: 3, runs: [true, false] },
      { type: 'overflow' },
    ]);
  },
);

test('one that looks after it already, and a folder that cannot be written', async () => {
  expect((await read(`belfry-relay 1 ${NONCE} refused ADA 1700000000\n`)).said).toEqual([
    { type: 'refused', by: 'ADA', since: 1_700_000_000_000 },
  ]);
  expect((await read(`belfry-relay 1 ${NONCE} trouble space\n`)).said).toEqual([{ type: 'trouble', what: 'space' }]);
});

test.each<[string, string]>([
  ['another nonce', `belfry-relay 1 other box vm ada bash linux\n${BATCH}`],
  ['another version', `belfry-relay 2 ${NONCE} box vm ada bash linux\n${BATCH}`],
  ['no hello', BATCH],
  ['a login that prints without end', 'x'.repeat(70_000)],
  ['a login that prints many lines', 'line\n'.repeat(20_000)],
])('%s: nothing of it counts', async (_name, text) => {
  expect((await read(text)).said).toEqual([]);
});

const batch = (file: string, bytes = '', seq = SEQ, count = '1'): string =>
  `batch ${seq} ${count} 1700000001\n${file}\n${bytes}`;

test.each<[string, string]>([
  ['a command of the local socket', 'stop\n'],
  ['an answer to nobody', 'answer 77.open 3 yes\n'],
  ['JSON', '{"op":"stop"}\n'],
  ['an empty line', '\n'],
  ['controls', '\u001b]2;title\u0007\n'],
  ['a line without end', 'x'.repeat(5_000)],
  ['a long line', `pong 1 ${'1 '.repeat(3_000)}\n`],
  ['a pong without a number', 'pong x 1\n'],
  ['a batch without a number', batch(FILE, '12345', 'x')],
  ['a batch with a path as its number', batch(FILE, '12345', '../../../etc')],
  ['too many files', batch(FILE, '12345', SEQ, '65')],
  ['a negative number of files', batch(FILE, '12345', SEQ, '-1')],
  ['a file with a path', batch('file ../../x.open 5 1700000000', '12345')],
  ['a file of another kind', batch('file 77.event 5 1700000000', '12345')],
  ['a file with the pid 0', batch('file 0.open 5 1700000000', '12345')],
  ['a file that is too large', batch('file 77.open 99999999999 1700000000', '12345')],
  ['a file of a negative size', batch('file 77.open -5 1700000000', '12345')],
  ['a size in hexadecimal', batch('file 77.open 0x5 1700000000', '12345')],
  ['a file without a time', batch('file 77.open 5 later', '12345')],
  ['no file line', batch('pong 1', '12345')],
  ['a look that is too large', 'seen 1 99999999\n'],
  ['a look of a negative size', 'seen 1 -5\n'],
  ['a look at nothing with a number that is none', 'seen x 0\n'],
])('%s ends it, with nothing of it taken', async (_name, text) => {
  const { said, error } = await read(HELLO + text);
  expect(error).toBeInstanceOf(ProtocolError);
  expect(said.map(({ type }) => type)).toEqual(['hello']);
});

test.each<[string, string]>([
  ['in a line', `batch ${SEQ} 1 17000`],
  ['before a file', `batch ${SEQ} 1 1700000001\n`],
  ['in a file', batch(FILE, '123')],
  ['in a look', 'seen 1 20\n5 1700000000 17'],
])('a stream that is cut %s: the batch is not confirmed', async (_name, text) => {
  const { said, error } = await read(HELLO + text);
  expect([error, said.map(({ type }) => type)]).toEqual([null, ['hello']]);
});

test.each<[string, string]>([
  ['no numbers', 'x/y/z/sh/'],
  ['markup in a name', '77/900/0/<b>/'],
  ['a pid that is negative', '-1/900/0/sh/'],
])('an ancestor with %s is left out', async (_name, word) => {
  const { said } = await read(`${HELLO}${batch(`file 77.open 2 1700000000 ${word}`, 'ab')}`);
  expect(said[1]).toMatchObject({ type: 'file', file: { ancestors: [], tty: null } });
});
