// Whether a client has Belfry as a plugin is read from its own files, as the real clients of test/clients/plugins.test.ts leave them; install, uninstall and doctor say it.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { installedPlugin } from '../../installers/installed-plugin.ts';
import { agentByName, agents } from '../../src/agents/index.ts';
import type { Agent } from '../../src/model/agent/agent.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry } from '../support/programs.ts';

const enabled = (id: string, is: boolean): string =>
  JSON.stringify({ enabledPlugins: { 'other@place': true, [id]: is } });
const listed = (...plugins: readonly unknown[]): string => JSON.stringify({ plugin: plugins });
const FOLDER = '/opt/npm/lib/node_modules/belfry/installers/plugins/opencode';

/** The client, the file below its home, its text with the plugin, and texts without it. */
const CASES: readonly (readonly [string, string, string, readonly string[]])[] = [
  ['claude', '.claude/settings.json', enabled('belfry@belfry', true), [enabled('belfry@belfry', false), '{}', '[', '']],
  [
    'droid',
    '.factory/settings.json',
    enabled('belfry@droid', true),
    [enabled('belfry@belfry', true), '{"enabledPlugins":[]}'],
  ],
  ['copilot', '.copilot/settings.json', enabled('belfry@belfry', true), [enabled('belfry@belfry', false)]],
  [
    'codex',
    '.codex/config.toml',
    '[marketplaces.belfry]\nsource = "/x"\n[plugins."belfry@belfry"]\nenabled = true\n',
    ['[plugins."belfry@belfry"]\nenabled = false\n', '[marketplaces.belfry]\nsource = "/x"\n', '[plugins'],
  ],
  ['gemini', '.gemini/extensions/belfry/gemini-extension.json', '{"name":"belfry"}', []],
  ['qwen', '.qwen/extensions/belfry/qwen-extension.json', '{"name":"belfry"}', []],
  [
    'opencode',
    '.config/opencode/opencode.json',
    listed('other', FOLDER),
    [
      listed('other'),
      listed({ name: 'belfry-opencode' }),
      listed('belfry-opencode-other'),
      '{"plugin":"belfry-opencode"}',
    ],
  ],
  ['opencode', '.config/opencode/opencode.jsonc', `// mine\n${listed('belfry-opencode@0.2.0')}`, []],
];

test('every agent with a plugin is among the cases', () => {
  const named = agents.filter(({ plugin }) => plugin !== undefined).map(({ name }) => name);
  expect([...new Set(CASES.map(([name]) => name))].sort()).toEqual(named.sort());
});

test.each(CASES)('%s by %s', (name, path, text, without) => {
  const agent = agentByName(name) as Agent;
  const home = temporaryFolder();
  const machine = { home, env: {}, platform: process.platform };
  expect(installedPlugin(agent, machine)).toBeNull();
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  for (const other of without) {
    writeFileSync(file, other);
    expect(installedPlugin(agent, machine), other).toBeNull();
  }
  writeFileSync(file, text);
  expect(installedPlugin(agent, machine)?.file).toBe(file);
});

test('doctor, install and uninstall say that there is a plugin, and how to remove it', async () => {
  const home = temporaryFolder();
  const settings = join(home, '.claude', 'settings.json');
  mkdirSync(dirname(settings));
  writeFileSync(settings, enabled('belfry@belfry', true));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const program = (name: string, text: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  program('claude', "echo '2.1.197 (Claude Code)'");
  const run = (...args: readonly string[]) => belfry(home, args, { env: { PATH: `${bin}:/usr/bin:/bin` } });
  const ofAgents = async (): Promise<unknown> => {
    const { checks } = JSON.parse((await run('doctor', '--json')).stdout) as {
      checks: { name: string; results: { level: string; text: string }[] }[];
    };
    return checks.find(({ name }) => name === 'agents')?.results;
  };
  expect(await ofAgents()).toEqual([
    {
      level: 'fail',
      text: `Claude: as a plugin, by ${settings}, it runs belfry-hook, which is not on the PATH`,
      fix: 'put the folder of `belfry-hook` on the PATH, or run `belfry install claude`',
    },
  ]);
  program('belfry-hook', 'exit 0');
  expect(await ofAgents()).toEqual([
    { level: 'ok', text: `Claude: as a plugin, by ${settings}, no event received yet` },
  ]);
  const removal = 'run `claude plugin uninstall belfry@belfry && claude plugin marketplace remove belfry`';
  const installed = await run('install', 'claude');
  expect(installed.stdout).toContain(
    `it also has Belfry as a plugin, by ${settings}: two reports of an event within 1.5 s make one notification; to remove the plugin, ${removal}`,
  );
  expect(await ofAgents()).toEqual([
    expect.objectContaining({ text: expect.stringContaining(`installed in ${settings}, also as a plugin,`) }),
  ]);
  for (const args of [['claude'], []]) {
    const removed = await run('uninstall', ...args);
    expect([removed.code, removed.stdout]).toEqual([
      0,
      expect.stringContaining(`it still has Belfry as a plugin: ${removal}`),
    ]);
    expect(removed.stdout).not.toContain('No hooks are installed');
  }
});
