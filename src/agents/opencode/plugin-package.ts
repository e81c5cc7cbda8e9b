// The plugin as an npm package, which opencode takes by `opencode plugin`; `belfry install` writes the same module as a file.
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { asObject } from '../../lib/json/json.ts';
import type { ClientPlugin } from '../../model/agent/plugin.ts';
import { notifyingModule } from './plugin.ts';

const PACKAGE = 'belfry-opencode';
/** An entry of the setting `plugin`: the package, or its folder in ours. */
const OURS = /^belfry-opencode(?:@|$)|[/\\]installers[/\\]plugins[/\\]opencode[/\\]?$/;

export const pluginPackage: ClientPlugin = {
  called: 'plugin',
  files: ({ version, description, command }) => ({
    'package.json': { name: PACKAGE, version, description, license: 'MIT', type: 'module', main: './index.js' },
    'index.js': `// Tells Belfry what this client's sessions do.\n${notifyingModule(command)}`,
  }),
  install: (folder) => [`opencode plugin ${folder} --global`],
  remove: [],
  installedBy: ({ home, env, read }) => {
    const folder = join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode');
    const files = ['opencode.jsonc', 'opencode.json'].map((name) => join(folder, name));
    return files.find((file) => listed(read(file)).some((entry) => OURS.test(entry))) ?? null;
  },
  notes: [
    'opencode has no command that removes a plugin: delete its line under `plugin` in `~/.config/opencode/opencode.json`.',
  ],
};

function listed(settings: string | null): readonly string[] {
  const plugins = asObject(parse(settings ?? ''))['plugin'];
  return Array.isArray(plugins) ? plugins.filter((entry) => typeof entry === 'string') : [];
}
