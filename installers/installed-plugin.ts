// Whether an agent has Belfry as its own plugin or extension, by the client's files; changes nothing.
import type { Agent } from '../src/model/agent/agent.ts';
import { localFacts } from './files/access.ts';
import type { Machine } from './settings-file.ts';

/** A plugin that the client says it has. */
export interface InstalledPlugin {
  readonly called: 'plugin' | 'extension';
  /** The same with its article. */
  readonly an: string;
  /** The file that says so. */
  readonly file: string;
  /** How it is removed. */
  readonly removal: string;
}

/** The plugin of an agent; null: it is not installed, as far as the client's own files say. */
export function installedPlugin({ plugin }: Agent, { home, env, facts = localFacts }: Machine): InstalledPlugin | null {
  const file = plugin?.installedBy({ home, env, read: facts.text });
  if (plugin === undefined || file == null) return null;
  const { called, remove } = plugin;
  const removal = remove.length > 0 ? `run \`${remove.join(' && ')}\`` : `delete its line in ${file}`;
  return { called, an: called === 'plugin' ? 'a plugin' : 'an extension', file, removal };
}
