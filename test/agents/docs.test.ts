// What is made from the registry is as the registry says: docs/agents/README.md and the clients' plugins.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderAgentDocs, renderPlugins, snippet } from '../../.ci/agent-docs.ts';
import { agents } from '../../src/agents/index.ts';

const root = new URL('../../', import.meta.url).pathname;
const STALE = 'run `npm run docs`';

it('keeps docs/agents/README.md up to date', () => {
  const page = readFileSync(join(root, 'docs/agents/README.md'), 'utf8');
  expect(renderAgentDocs(page), STALE).toBe(page);
  for (const agent of agents) expect(page).toContain(`### ${agent.name}\n`);
});

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
