// The clients' plugins and the settings to paste are as the registry says.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderPlugins, snippet } from '../../.ci/agent-docs.ts';
import { agents } from '../../src/agents/index.ts';
import { temporaryFolder } from '../support/home.ts';
import { run } from '../support/programs.ts';

const root = new URL('../../', import.meta.url).pathname;
const STALE = 'run `npm run docs`';

it('keeps the plugins up to date, and none beside them', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const plugins = renderPlugins(version);
  const folder = join(root, 'installers/plugins');
  const onDisk = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  expect(onDisk.sort()).toEqual(Object.keys(plugins).sort());
  for (const [path, text] of Object.entries(plugins))
    expect(readFileSync(join(folder, path), 'utf8'), STALE).toBe(text);
});

it('exits 0 and says nothing from a plugin whose hook is missing, fails or complains', async () => {
  const commands = Object.values(renderPlugins('0')).flatMap((text) =>
    [...text.matchAll(/"(belfry-hook [^"]+)"/g)].map(([, command = '']) => command),
  );
  expect(new Set(commands).size).toBeGreaterThan(agents.filter(({ plugin }) => plugin !== undefined).length);
  const bin = temporaryFolder();
  for (const hook of [null, '#!/bin/sh\nexit 3\n', '#!/bin/sh\necho broken >&2\nkill -9 $$\n']) {
    if (hook !== null) writeFileSync(join(bin, 'belfry-hook'), hook, { mode: 0o755 });
    for (const command of new Set(commands)) {
      const ran = await run('sh', ['-c', command], { PATH: `${bin}:/usr/bin:/bin` }, { input: '{}' });
      expect([command, ran.code, ran.stdout, ran.stderr]).toEqual([command, 0, '', '']);
    }
  }
});

it.each(agents.filter((agent) => agent.settings?.shape !== 'module' && agent.settings !== null))(
  'has a snippet for $name with every event in its own place',
  (agent) => {
    const settings = JSON.parse(snippet(agent)) as Record<string, unknown>;
    const hooks = (agent.settings?.hooksPath ?? []).reduce<unknown>(
      (of, key) => (of as Record<string, unknown>)[key],
      settings,
    );
    // What runs after each tool is installed with its guard only.
    const events = agent.events.filter(({ role }) => role !== 'signal');
    expect(Object.keys(hooks as object)).toEqual(events.map((event) => event.name));
    for (const event of events) {
      const text = JSON.stringify((hooks as Record<string, unknown>)[event.name]);
      expect(text).toContain(`belfry-hook --agent ${agent.name}`);
      expect(text.includes(`--event ${event.name}`)).toBe(event.named === true);
    }
  },
);
