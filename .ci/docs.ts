// Writes what follows from the registries: docs/agents.md and docs/channels.md between their markers, and the clients' plugins.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderAgentDocs, renderPlugins } from './agent-docs.ts';
import { renderChannelDocs } from './channel-docs.ts';

const root = new URL('..', import.meta.url).pathname;
const page = join(root, 'docs', 'agents.md');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

writeFileSync(page, renderAgentDocs(readFileSync(page, 'utf8')));
const channelPage = join(root, 'docs', 'channels.md');
writeFileSync(channelPage, renderChannelDocs(readFileSync(channelPage, 'utf8')));
for (const [path, text] of Object.entries(renderPlugins(version))) {
  const file = join(root, 'installers', 'plugins', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
