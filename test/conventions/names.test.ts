// What is special about an agent or a channel stands in its own file: shared code never names one.
import { expect, test } from 'vitest';
import { files, read, sources } from './files.ts';

const entries = (folder: string): string[] =>
  files
    .flatMap((file) => new RegExp(`^src/${folder}/([a-z]+)\\.ts$`).exec(file)?.[1] ?? [])
    .filter((name) => name !== 'index' && name !== 'generic' && name !== 'docs');
const agents = entries('agents');
// Words that mean more than the channel of this name.
const WORDS = ['desktop', 'webhook', 'command', 'email', 'terminal'];
const channels = entries('channels').filter((name) => !WORDS.includes(name));

/** Code without comments, regular text for people left in: a name in a sentence is a name all the same. */
function code(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}

test('the registries have entries', () => {
  expect(agents.length).toBeGreaterThan(0);
  expect(channels.length).toBeGreaterThan(0);
});

test.each([
  ['agents', agents, /^src\/agents\/|^installers\/plugins\//],
  // A kind of secret is called after the service that issues it, whether there is a channel for that or not.
  ['channels', channels, /^src\/channels\/|^src\/redaction\/(?:token-formats|contextual-patterns)\.ts$/],
] as const)('no name of one of the %s outside its folder', (_folder, names, home) => {
  const pattern = new RegExp(`\\b(${names.join('|')})\\b`, 'i');
  const found = sources
    .filter((file) => !home.test(file))
    .flatMap((file) =>
      code(read(file))
        .split('\n')
        .filter((line) => pattern.test(line) && !/cursor|standardwebhooks/i.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

test.each(['agents', 'channels'])('an entry of %s names no sibling', (folder) => {
  const names = folder === 'agents' ? agents : channels;
  const found = names.flatMap((name) =>
    names
      .filter((other) => other !== name && new RegExp(`from '\\./${other}`).test(read(`src/${folder}/${name}.ts`)))
      .map((other) => `src/${folder}/${name}.ts imports ${other}`),
  );
  expect(found).toEqual([]);
});
