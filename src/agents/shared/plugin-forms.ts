// The two forms that plugins of several clients have: a plugin listed by a marketplace file in its own folder, and an extension.
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { asObject } from '../../lib/json/json.ts';
import type { ClientPlugin, PluginContent, PluginPlace } from '../../model/agent/plugin.ts';

const NAME = 'belfry';
/** Where every client that has such a file looks for a plugin's hooks. */
const HOOKS_FILE = 'hooks/hooks.json';

/** What differs between clients with marketplaces. */
export interface MarketplaceForm {
  /** The client's program. */
  readonly program: string;
  /** Folder of the manifest below the plugin's. */
  readonly manifest: string;
  /** The marketplace file below the plugin's folder; beside the manifest unless it says otherwise. */
  readonly marketplace?: string;
  /** The name under which the client knows the marketplace. */
  readonly market?: string;
  /** What lists the plugin in its marketplace. */
  readonly listing?: Readonly<Record<string, unknown>>;
  /** The client's words for installing and removing a plugin. */
  readonly verbs?: { readonly install: string; readonly remove: string };
  readonly enabledBy: (place: PluginPlace, id: string) => string | null;
  readonly notes: readonly string[];
}

/** A plugin and, in the same folder, the marketplace that offers it. */
export function marketplacePlugin(form: MarketplaceForm): ClientPlugin {
  const { program, manifest, market = NAME, verbs = { install: 'install', remove: 'uninstall' } } = form;
  const id = `${NAME}@${market}`;
  return {
    called: 'plugin',
    files: (content) => ({
      [`${manifest}/plugin.json`]: manifestOf(content),
      [form.marketplace ?? `${manifest}/marketplace.json`]: {
        name: NAME,
        description: 'Belfry, the pager for coding agents',
        owner: { name: 'Belfry' },
        plugins: [{ name: NAME, source: './', description: content.description, ...form.listing }],
      },
      [HOOKS_FILE]: content.hooks,
    }),
    install: (folder) => [`${program} plugin marketplace add ${folder}`, `${program} plugin ${verbs.install} ${id}`],
    remove: [`${program} plugin ${verbs.remove} ${id}`, `${program} plugin marketplace remove ${market}`],
    installedBy: (place) => form.enabledBy(place, id),
    notes: form.notes,
  };
}

/** For clients whose settings list plugins under `enabledPlugins`. */
export function enabledIn(settings: (place: PluginPlace) => string): (place: PluginPlace, id: string) => string | null {
  return (place, id) => {
    const file = settings(place);
    return asObject(asObject(parse(place.read(file) ?? ''))['enabledPlugins'])[id] === true ? file : null;
  };
}

/** An extension that the client copies into a folder of its own. */
export function extensionPlugin(
  program: string,
  settingsFolder: (place: PluginPlace) => string,
  notes: readonly string[],
): ClientPlugin {
  const manifest = `${program}-extension.json`;
  return {
    called: 'extension',
    files: ({ version, description, hooks }) => ({
      [manifest]: { name: NAME, version, description },
      [HOOKS_FILE]: hooks,
    }),
    install: (folder) => [`${program} extensions install ${folder} --consent`],
    remove: [`${program} extensions uninstall ${NAME}`],
    installedBy: (place) => {
      const file = join(settingsFolder(place), 'extensions', NAME, manifest);
      return place.read(file) === null ? null : file;
    },
    notes,
  };
}

const manifestOf = ({ version, description }: PluginContent): Readonly<Record<string, unknown>> => ({
  name: NAME,
  version,
  description,
  author: { name: 'Belfry' },
  license: 'MIT',
});
