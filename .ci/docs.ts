// Writes what follows from the registries: the generated parts of docs/, and the clients' plugins.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderPlugins } from './agent-docs.ts';
import { generatedPages } from './generated-pages.ts';

const root = new URL('..', import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

function write(path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

for (const [path, render] of Object.entries(generatedPages)) {
  const file = join(root, path);
  write(path, await render(existsSync(file) ? readFileSync(file, 'utf8') : null));
}
for (const [path, text] of Object.entries(renderPlugins(version))) write(`installers/plugins/${path}`, text);
