// The text of config.toml with one channel added or changed; comments and order stay.
import { parse } from 'smol-toml';
import { editSetting } from '../../../config/toml/edit-setting.ts';
import { inlineToml, tomlKey } from '../../../config/toml/inline-toml.ts';
import { tomlNodes } from '../../../config/toml/toml-nodes.ts';
import type { SetupAnswers } from '../../../model/channel/setup.ts';
import { EXIT, UserError } from '../../../model/errors.ts';

/** A channel as its table has it; secrets are references. */
export interface ChannelTable {
  readonly name: string;
  readonly type: string;
  readonly settings: SetupAnswers;
}

/** The text with this table at its end. UserError where the file has its channels in a form that takes none. */
export function withTable(text: string, { name, type, settings }: ChannelTable): string {
  return withSection(text, 'channels', name, { type, ...settings });
}

/** The same for a table of another section. */
export function withSection(text: string, section: string, name: string, settings: SetupAnswers): string {
  const lines = [`[${section}.${tomlKey(name)}]`, ...settingLines(settings)];
  return parsing(appended(text, lines), `[${section}]`);
}

/** A table's settings, one a line. */
export function settingLines(settings: SetupAnswers): string[] {
  return Object.entries(settings).map(([key, value]) => `${tomlKey(key)} = ${inlineToml(value)}`);
}

/** The text with a route at its end that takes what may interrupt a person. UserError as above. */
export function withRoute(text: string, to: readonly string[], more: readonly string[] = []): string {
  const lines = ['[[routes]]', 'match = { urgency = ["normal", "urgent"] }', `to = ${inlineToml(to)}`, ...more];
  return parsing(appended(text, lines), '[[routes]]');
}

/** The same text; a table cannot be added to one that is written on one line. */
function parsing(text: string, section: string): string {
  try {
    parse(text);
    return text;
  } catch {
    const why = `config.toml has ${section} in a form that nothing can be added to`;
    throw new UserError(`${why}: use \`belfry config edit\` (nothing was changed)`, EXIT.usage);
  }
}

/** The text with these settings of a channel that is there changed. UserError where they cannot be. */
export async function withChanges(text: string, name: string, changes: SetupAnswers): Promise<string> {
  let changed = text;
  for (const [key, value] of Object.entries(changes)) {
    const edited = await editSetting(changed, ['channels', name, key], inlineToml(value));
    if ('refused' in edited)
      throw new UserError(`channels.${name}.${key} ${edited.refused}; nothing was changed`, EXIT.usage);
    changed = edited.text;
  }
  return changed;
}

/** The text with this channel among those of a route; null where the route's list cannot be found. */
export async function withTarget(text: string, route: number, name: string): Promise<string | null> {
  const nodes = await tomlNodes(text);
  const at = (path: readonly PropertyKey[]) =>
    nodes.find((node) => node.path.length === path.length && node.path.every((part, i) => part === path[i]));
  const list = at(['routes', route, 'to']);
  if (list?.kind !== 'value') return null;
  const items = nodes.filter(
    ({ path }) => path.length === 4 && path[0] === 'routes' && path[1] === route && path[2] === 'to',
  );
  const last = items.at(-1);
  const [from, to] = last ? [last.range[1], last.range[1]] : list.range;
  const item = last ? `, ${inlineToml(name)}` : `[${inlineToml(name)}]`;
  return text.slice(0, from) + item + text.slice(to);
}

function appended(text: string, lines: readonly string[]): string {
  const feed = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' ? '' : text.endsWith('\n') ? feed : feed + feed;
  return `${text}${gap}${lines.join(feed)}${feed}`;
}
