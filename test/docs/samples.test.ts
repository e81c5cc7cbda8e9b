// What the pages show is true of the program: every command can be typed so, every sample of settings is valid, every other one can be parsed.
import { execFileSync } from 'node:child_process';
import type { Command } from 'commander';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { commandTree } from '../../src/cli/commands/completion/tree.ts';
import { JsonCommand } from '../../src/cli/json-command.ts';
import { processIo } from '../../src/cli/io.ts';
import { loadConfig } from '../../src/config/load.ts';
import { checkMachineConfig } from '../../src/config/machine/machine-config.ts';
import { registries } from '../../src/config/registries.ts';
import { commandsIn, commandsNamedIn, fencesOf, pages, prose, type Shown, shellWords } from './fences.ts';

const fences = pages.flatMap(fencesOf);
const of = (...languages: readonly string[]) => fences.filter(({ language }) => languages.includes(language));

/** Nothing is done: what is typed is only understood, as the program would. */
function withoutActions(command: Command): void {
  command.action(() => undefined);
  for (const below of command.commands) withoutActions(below);
}

/** What the parser of the command says against it; null: nothing. */
async function refusalOf([name = '', ...given]: Shown['words']): Promise<string | null> {
  if (name === '--help' || name === '--version') return null;
  const entry = COMMANDS.find((one) => one.name === name);
  if (!entry) return `there is no command ${name}`;
  const command = new JsonCommand(name)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  (await entry.load()).define(command, processIo(false), COMMANDS);
  const isGroup = command.commands.length > 0;
  if (isGroup) for (const below of command.commands) withoutActions(below);
  else withoutActions(command);
  try {
    await command.parseAsync(
      given.filter((word) => word !== '--json'),
      { from: 'user' },
    );
    return null;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'commander.helpDisplayed') return null;
    return error instanceof Error ? error.message : String(error);
  }
}

test('every command that is shown can be typed so', async () => {
  const shown = fences.flatMap(commandsIn);
  expect(shown.length).toBeGreaterThan(80);
  const refused = await Promise.all(
    shown.map(async ({ at, words }) => ({ at, line: words.join(' '), refusal: await refusalOf(words) })),
  );
  expect(refused.filter(({ refusal }) => refusal !== null)).toEqual([]);
});

test('a command that cannot be typed so would be found', async () => {
  for (const line of ['evnts', 'events --sinse 2h', 'why', 'completion tcsh', 'config chekc', 'status now'])
    expect(await refusalOf(shellWords(line)), line).not.toBeNull();
  expect(await refusalOf(shellWords('events --since 2h'))).toBeNull();
});

test('every command that the text names exists, with its options', async () => {
  const spots = await commandTree(COMMANDS);
  const named = pages.flatMap(commandsNamedIn);
  expect(named.length).toBeGreaterThan(250);
  const wrong = named.filter(({ words }) => {
    const isPath = (length: number): boolean =>
      spots.some(({ path }) => path.length === length && path.every((word, i) => word === words[i]));
    const depth = words.findLastIndex((_, i) => isPath(i + 1)) + 1;
    const spot = spots.find(({ path }) => path.length === depth && path.every((word, i) => word === words[i]));
    const next = words[depth];
    const isGroup = spots.some(
      ({ path }) => path.length > depth && depth > 0 && path.slice(0, depth).join() === words.slice(0, depth).join(),
    );
    const isUnknownWord = next !== undefined && /^[a-z]/.test(next) && (depth === 0 || isGroup);
    const known = ['-f', '--json', '--help', ...(spot?.options.map(({ name }) => name) ?? [])];
    return isUnknownWord || words.some((word) => /^--?[a-z]/.test(word) && !known.includes(word.split('=')[0] ?? ''));
  });
  expect(wrong.map(({ at, words }) => `${at}: belfry ${words.join(' ')}`)).toEqual([]);
});

test('every sample of settings is valid', async () => {
  const samples = of('toml');
  expect(samples.length).toBeGreaterThan(25);
  const load = (text: string) =>
    text.startsWith('# /etc/belfry/') ? checkMachineConfig(text, '', registries) : loadConfig(text);
  const loaded = await Promise.all(samples.map(async ({ at, text }) => ({ at, loaded: await load(text) })));
  const wrong = loaded.flatMap(({ at, loaded: one }) => (one.ok ? [] : [{ at, diagnostics: one.diagnostics }]));
  expect(wrong).toEqual([]);
});

test('the sample of all settings has no warning', async () => {
  const [sample] = fencesOf('docs/reference/settings.md').filter(({ language }) => language === 'toml');
  const loaded = await loadConfig(sample?.text ?? '[');
  expect(loaded.ok && loaded.warnings).toEqual([]);
});

test('every other block can be parsed', () => {
  for (const { at, text } of of('json')) expect(() => JSON.parse(text) as unknown, at).not.toThrow();
  for (const { at, text } of of('js', 'ts')) {
    const { diagnostics } = ts.transpileModule(text, {
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
    });
    expect(diagnostics, at).toEqual([]);
  }
  for (const { at, text } of of('sh'))
    expect(() => execFileSync('sh', ['-n'], { input: text, stdio: ['pipe', 'ignore', 'pipe'] }), at).not.toThrow();
});

test('every block says what it is', () => {
  const known = ['sh', 'console', 'text', 'toml', 'json', 'js', 'ts', 'yaml', 'tmux', 'indented'];
  expect(fences.filter(({ language }) => !known.includes(language)).map(({ at }) => at)).toEqual([]);
});

test('lines of text have one width', () => {
  const isText = (line: string): boolean => !/^\||^!\[|^<!--/.test(line) && line.trim().includes(' ');
  const long = pages.flatMap(prose).filter(({ line }) => line.length > 120 && isText(line));
  expect(long.map(({ at }) => at)).toEqual([]);
});
