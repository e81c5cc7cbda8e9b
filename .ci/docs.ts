// Writes what follows from the registry of agents: docs/agents.md between its markers, and the clients' plugins.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderAgentDocs, renderPlugins } from './agent-docs.ts';

const root = new URL('..', import.meta.url).pathname;
const page = join(root, 'docs', 'agents.md');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

writeFileSync(page, renderAgentDocs(readFileSync(page, 'utf8')));
for (const [path, text] of Object.entries(renderPlugins(version))) {
  const file = join(root, 'installers', 'plugins', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
