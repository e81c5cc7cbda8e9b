// The clients' plugins and the settings to paste are as the registry says.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderPlugins, snippet } from '../../.ci/agent-docs.ts';
import { agents } from '../../src/agents/index.ts';

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
