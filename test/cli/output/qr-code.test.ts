// A link as a code on a terminal: its modules are the link's, and what has no room for it shows none.
import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { ntfy } from '../../../src/channels/ntfy.ts';
import { showLink } from '../../../src/cli/output/qr-code.ts';

const LINK = 'https://ntfy.sh/belfry-abcdefghjkmnpqrs';
const TERMINAL = { tty: true, json: false, color: false, columns: 80 };

async function shown(io: Partial<typeof TERMINAL>, link = LINK): Promise<string[]> {
  const texts: string[] = [];
  await showLink({ ...TERMINAL, ...io }, link, (text) => texts.push(text));
  return texts.flatMap((text) => text.split('\n'));
}

/** Dark modules, row by row: each line has two rows of them, and a block is what is light. */
function modules(lines: readonly string[]): boolean[][] {
  const upper = lines.map((line) => [...line].map((block) => block === ' ' || block === '▄'));
  const lower = lines.map((line) => [...line].map((block) => block === ' ' || block === '▀'));
  return upper.flatMap((row, i) => [row, lower[i] ?? []]);
}

test('what is drawn is the code of the link, with light around it', async () => {
  const [words, ...lines] = await shown({});
  expect(words).toBe("Or point the phone's camera at this:");
  const { data, size } = encode(LINK, { border: 2 });
  expect(modules(lines).slice(0, size)).toEqual(data);
  expect(new Set(lines.map((line) => line.length))).toEqual(new Set([size]));
});

test('with colour it is dark on light whatever the colours of the terminal are', async () => {
  const [, ...plain] = await shown({});
  const [, ...coloured] = await shown({ color: true });
  expect(coloured).toEqual(plain.map((line) => `\u001b[97;40m${line}\u001b[0m`));
});

test.each([
  ['a pipe', { tty: false }],
  ['a program', { json: true }],
  ['a terminal without room', { columns: 30 }],
])('%s gets none', async (_who, io) => {
  expect(await shown(io)).toEqual([]);
});

test("ntfy's link is the topic at its server", () => {
  const link = ntfy.setup.phoneLink;
  expect(link?.({ topic: 'belfry-x' })).toBe('https://ntfy.sh/belfry-x');
  expect(link?.({ topic: 'belfry-x', server: 'https://push.example/' })).toBe('https://push.example/belfry-x');
});
