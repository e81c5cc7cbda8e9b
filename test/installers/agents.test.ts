// What differs between agents: two files, flat entries, a whole module, milliseconds, the client's version.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventsFor } from '../../installers/client-version.ts';
import { installHooks, uninstallHooks } from '../../installers/install.ts';
import { placesOf } from '../../installers/settings-file.ts';
import type { Agent } from '../../src/model/agent/agent.ts';
import { temporaryFolder } from '../support/home.ts';
import { probe, probeTools, probeWith } from './probe.ts';

const group = (command: string) => [{ hooks: [{ type: 'command', command, timeout: 9 }] }];
const places = (agent: Agent, home: string) =>
  placesOf(agent, { level: 'user' }, { home, env: {}, platform: process.platform });
const load = (path: string): Record<string, never> => JSON.parse(readFileSync(path, 'utf8')) as Record<string, never>;

describe('a second file that switches events of the first off', () => {
  const cases: readonly { name: string; main?: object; override?: object; inMain: string[]; inOverride: string[] }[] = [
    { name: 'neither', inMain: ['Notification', 'SessionEnd', 'Stop'], inOverride: [] },
    { name: 'only the second', override: {}, inMain: [], inOverride: ['Notification', 'SessionEnd', 'Stop'] },
    {
      name: 'somebody in the second',
      override: { Stop: group('a') },
      main: {},
      inMain: [],
      inOverride: ['Notification', 'SessionEnd', 'Stop'],
    },
    {
      name: 'somebody in the first',
      override: {},
      main: { hooks: { Stop: group('a') } },
      inMain: ['Stop'],
      inOverride: ['Notification', 'SessionEnd'],
    },
    {
      name: 'somebody in both',
      override: { Stop: [] },
      main: { hooks: { Stop: group('a') } },
      inMain: [],
      inOverride: ['Notification', 'SessionEnd', 'Stop'],
    },
    {
      name: 'ours left in the switched-off one',
      override: { Stop: group('a') },
      main: { hooks: { Stop: group('old belfry-hook') } },
      inMain: [],
      inOverride: ['Notification', 'SessionEnd', 'Stop'],
    },
  ];
  test.each(cases)('$name', async ({ main, override, inMain, inOverride }) => {
    const home = temporaryFolder();
    const folder = join(home, '.probe');
    mkdirSync(folder);
    const [first, second] = [join(folder, 'settings.json'), join(folder, 'hooks.json')];
    if (main) writeFileSync(first, JSON.stringify(main));
    if (override) writeFileSync(second, JSON.stringify(override));
    const events = eventsFor(probe, null, true);
    await installHooks(probe, places(probe, home), events, probeTools(home));
    const ours = (list: unknown): boolean => JSON.stringify(list).includes('belfry-hook');
    const names = (file: string, at: string | null): string[] => {
      if (!existsSync(file)) return [];
      const all = at === null ? load(file) : (load(file)[at] ?? {});
      return Object.entries(all)
        .filter(([, list]) => ours(list))
        .map(([name]) => name)
        .sort();
    };
    expect(names(first, 'hooks')).toEqual(inMain);
    expect(names(second, null)).toEqual(inOverride);
    await uninstallHooks(probe, places(probe, home), probeTools(home));
    if (main && !ours(main)) expect(load(first)).toEqual(main);
    if (override) expect(load(second)).toEqual(override);
    expect(readdirSync(folder).length).toBe(Number(main !== undefined) + Number(override !== undefined));
  });
});

test('when one of two files is broken, the other is not touched', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.probe'));
  const [first, second] = [join(home, '.probe', 'settings.json'), join(home, '.probe', 'hooks.json')];
  writeFileSync(first, '{');
  writeFileSync(second, '{}');
  await expect(installHooks(probe, places(probe, home), probe.events, probeTools(home))).rejects.toThrow(
    /not valid JSON/,
  );
  expect(readFileSync(second, 'utf8')).toBe('{}');
});

test('flat entries in a file of its own, with its fixed keys', async () => {
  const home = temporaryFolder();
  const agent = probeWith({
    shape: 'flat',
    requiredKeys: { version: 1 },
    commandKey: 'bash',
    entry: (bash, timeoutSec) => ({ type: 'command', bash, timeoutSec }),
  });
  const file = places(agent, home).main.path;
  await installHooks(
    agent,
    places(agent, home),
    [{ name: 'agentStop', role: 'notify', becomes: '' }],
    probeTools(home),
  );
  expect(load(file)).toEqual({
    version: 1,
    hooks: { agentStop: [{ type: 'command', bash: 'new belfry-hook --agent probe agentStop', timeoutSec: 10 }] },
  });
  await uninstallHooks(agent, places(agent, home), probeTools(home));
  expect(existsSync(dirname(file))).toBe(false);
});

test('a whole module; somebody else’s is refused', async () => {
  const home = temporaryFolder();
  const agent = probeWith({ shape: 'module', module: (command) => `export const run = ${JSON.stringify(command)};\n` });
  const file = places(agent, home).main.path;
  await installHooks(agent, places(agent, home), agent.events, probeTools(home, 'old'));
  await installHooks(agent, places(agent, home), agent.events, probeTools(home));
  expect(readFileSync(file, 'utf8')).toBe('export const run = "new belfry-hook --agent probe ";\n');
  await uninstallHooks(agent, places(agent, home), probeTools(home));
  expect(existsSync(dirname(file))).toBe(false);
  mkdirSync(dirname(file));
  writeFileSync(file, 'export const mine = 1;\n');
  await expect(installHooks(agent, places(agent, home), agent.events, probeTools(home))).rejects.toThrow(
    /was not written by belfry/,
  );
  await uninstallHooks(agent, places(agent, home), probeTools(home));
  expect(readFileSync(file, 'utf8')).toBe('export const mine = 1;\n');
});

test('milliseconds where the client counts so', async () => {
  const home = temporaryFolder();
  const agent = probeWith({ timeoutUnit: 'milliseconds' });
  await installHooks(agent, places(agent, home), agent.events, probeTools(home));
  const timeouts = readFileSync(places(agent, home).main.path, 'utf8').match(/"timeout": \d+/g);
  expect(timeouts).toEqual([
    '"timeout": 10000',
    '"timeout": 10000',
    '"timeout": 5000',
    '"timeout": 10000',
    '"timeout": 10000',
  ]);
});

test.each([
  [null, false, ['Notification', 'Stop', 'SessionEnd', 'UserPromptSubmit']],
  ['2.0.99', false, ['Notification', 'Stop', 'SessionEnd', 'UserPromptSubmit']],
  ['2.1.0', false, ['Notification', 'Stop', 'SessionEnd', 'StopFailure', 'UserPromptSubmit']],
  ['10.0.0', true, ['Notification', 'Stop', 'SessionEnd', 'StopFailure']],
])('client version %s, minimal %s', (version, minimal, names) => {
  expect(eventsFor(probe, version, minimal).map((event) => event.name)).toEqual(names);
});
