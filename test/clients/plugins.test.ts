// Belfry as a plugin or extension of the real clients, by the lines of their pages: one notification a finish, also beside `belfry install`, and what is left after its removal.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { expect, it } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';
import { fencesOf } from '../docs/fences.ts';
import { temporaryFolder } from '../support/home.ts';
import { obtain } from './obtain.ts';
import type { ScenarioClient } from './real/client.ts';
import { SCENARIO_CLIENTS } from './real/index.ts';
import { ANSWER, stage } from './scenarios/stage.ts';

const PACKAGE = new URL('../../', import.meta.url).pathname;
/** Longer than anything that is held back, ms. */
const SILENCE = 3_000;

/** What a client keeps of its own once the plugin is removed; its page says so. */
interface Left {
  /** Its settings file. */
  readonly settings: string;
  /** What stands in it that did not before. */
  readonly added: Readonly<Record<string, unknown>>;
  /** Files and folders that name Belfry, but for records of sessions; `*` stands for what differs each time. */
  readonly named: readonly string[];
  /** It asks in its terminal whether it may run the plugin's hooks, so the first run is there. */
  readonly asks?: true;
}

const EMPTY = { enabledPlugins: {}, extraKnownMarketplaces: {} };
const CACHE = '.claude/plugins/cache/belfry/';
const LEFT: Readonly<Record<string, Left>> = {
  claude: {
    settings: '.claude/settings.json',
    added: EMPTY,
    // Marked for its own removal two weeks later.
    named: [
      '',
      'belfry/',
      ...['.claude-plugin/marketplace.json', '.claude-plugin/plugin.json', '.orphaned_at', 'hooks/hooks.json'].map(
        (file) => `belfry/*/${file}`,
      ),
    ].map((path) => `${CACHE}${path}`),
  },
  droid: {
    settings: '.factory/settings.json',
    // It completes what its user has written about a model when it likes.
    added: { ...EMPTY, customModels: expect.any(Array) },
    named: ['.factory/plugins/cache/droid-*/belfry-*/'],
  },
  codex: {
    settings: '.codex/config.toml',
    // What its user trusts, beside what Codex notes of a first start in a terminal.
    added: { hooks: { state: expect.any(Object) } },
    named: ['.codex/config.toml', '.codex/plugins/cache/belfry/'],
    asks: true,
  },
  gemini: { settings: '.gemini/settings.json', added: {}, named: ['.gemini/extension_integrity.json'] },
  qwen: { settings: '.qwen/settings.json', added: {}, named: [] },
  copilot: {
    settings: '.copilot/settings.json',
    added: { enabledPlugins: { 'belfry@belfry': false }, extraKnownMarketplaces: {} },
    named: ['.copilot/plugin-data/belfry/', '.copilot/plugin-data/belfry/belfry/', '.copilot/settings.json'],
  },
  opencode: { settings: '.config/opencode/opencode.json', added: {}, named: [] },
};
/** What a client writes down of its sessions, their environment too, and its logs. */
const RECORDS = /^\.[^/]+\/(?:sessions|shell_snapshots|debug|logs)\//;

const starred = (path: string): string => path.replaceAll(/(?<=\/)\d+\.\d+\.\d+(?=\/)|(?<=-)[0-9a-f]{12}(?=\/)/g, '*');

/** Files below the home that name Belfry, in their path or their text, but for the project's. */
function naming(home: string, folder = home): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const name = relative(home, path);
    if (name === 'payments' || entry.name === 'node_modules' || name === '.cache/copilot/pkg') return [];
    if (entry.isDirectory())
      return [...(/belfry/i.test(entry.name) ? [starred(`${name}/`)] : []), ...naming(home, path)];
    if (RECORDS.test(name)) return [];
    const isNamed = /belfry/i.test(name) || (entry.isFile() && /belfry/i.test(readFileSync(path, 'latin1')));
    return isNamed ? [starred(name)] : [];
  });
}

/** The lines of the client's page that install the plugin, and those that remove it. */
function shownLines({ name }: ScenarioClient): readonly string[][] {
  return fencesOf(`docs/agents/${name}.md`)
    .filter(({ language, text }) => language === 'sh' && new RegExp(`^${name} (?:plugin|extensions) `).test(text))
    .map(({ text }) => text.trim().split('\n'));
}

/** In the short form one of each way of installing. */
const SHORT = ['claude', 'codex', 'gemini', 'opencode'];
const TRIED = SCENARIO_CLIENTS.filter(({ name }) => process.env['BELFRY_TORTURE'] === 'whole' || SHORT.includes(name));

it.for(TRIED)('$name', async (client, { skip }) => {
  const folder = temporaryFolder('client-');
  const had = await obtain(client, folder);
  if ('reason' in had) return skip(had.reason);
  const global = join(folder, 'prefix', 'lib', 'node_modules');
  mkdirSync(global, { recursive: true });
  symlinkSync(PACKAGE, join(global, 'belfry'));
  const world = await stage(client, had.path, { hooks: false, more: { npm_config_prefix: join(folder, 'prefix') } });
  const { home } = world;
  const left = LEFT[client.name];
  const plugin = agentByName(client.name)?.plugin;
  if (left === undefined || plugin === undefined) throw new Error('it has no plugin');
  const read = (path: string): string | null => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return null;
    }
  };
  const isInstalled = (): boolean => plugin.installedBy({ home, env: {}, read }) !== null;
  const settings = (): Readonly<Record<string, unknown>> => {
    const text = read(join(home, left.settings)) ?? '{}';
    return left.settings.endsWith('.toml') ? parseToml(text) : (parse(text) as Readonly<Record<string, unknown>>);
  };
  const types = async (lines: readonly string[]): Promise<void> => {
    for (const line of lines) {
      const ran = await world.shell(line);
      expect(ran, `${line}\n${ran.stdout}${ran.stderr}`).toMatchObject({ code: 0 });
    }
  };
  /** One run of the client, after which so many were told in all. */
  const runs = async (told: number): Promise<void> => {
    const ran = await world.once('Run the tests');
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain(ANSWER);
    await world.hears(told);
    await world.quiet(SILENCE);
    expect(
      world.told().map(({ what }) => what),
      await world.journal(),
    ).toEqual(Array.from({ length: told }, () => 'finished'));
  };
  /** Its first start in a terminal, where it asks about the hooks, with one turn. */
  const startsInTerminal = async (): Promise<void> => {
    const terminal = await world.open();
    await world.prompt(terminal, 'Run the tests');
    await world.hears(1, terminal);
    await terminal.enter(client.leave);
    await terminal.ended(120_000);
    await world.quiet(SILENCE);
    expect(world.told().map(({ what }) => what)).toEqual(['finished']);
  };

  await runs(0);
  const before = settings();
  expect([isInstalled(), naming(home)]).toEqual([false, []]);
  const [install = [], remove = []] = shownLines(client);
  expect(install.length).toBeGreaterThan(0);
  await types(install);
  expect(isInstalled()).toBe(true);
  await (left.asks ? startsInTerminal() : runs(1));
  // Beside the hooks of `belfry install` each event is reported twice, and told once.
  expect(await world.belfry('install', client.name)).toMatchObject({ code: 0 });
  await runs(2);
  expect(await world.belfry('uninstall', client.name)).toMatchObject({ code: 0 });
  expect(isInstalled()).toBe(true);
  await types(remove);
  if (remove.length === 0) {
    const { plugin: _plugin, ...rest } = settings();
    writeFileSync(join(home, left.settings), JSON.stringify(rest));
  }
  expect(isInstalled()).toBe(false);
  await runs(2);
  const after = settings();
  const noted = left.asks ? Object.keys(after).filter((key) => !/belfry/i.test(JSON.stringify(after[key]))) : [];
  const others = Object.fromEntries(noted.map((key) => [key, after[key]]));
  expect(after).toEqual({ ...others, ...before, ...left.added });
  expect(naming(home).sort()).toEqual([...left.named].sort());
});
