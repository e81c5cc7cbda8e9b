// Finds our entries in an agent's settings; changes nothing.
import type { Agent } from '../src/model/agent/agent.ts';
import { decodeSettings, parseDocument } from './edit/document.ts';
import { entriesOf } from './edit/entries.ts';
import type { IsOurs } from './edit/hooks.ts';
import { type FileAccess, localFiles } from './files/access.ts';
import { type SettingsPlaces, settingsOf } from './settings-file.ts';
import { shapeOf } from './hook-entries.ts';

/** One entry of ours. */
export interface OurEntry {
  readonly file: string;
  /** Null for a module, which is one for all events. */
  readonly event: string | null;
  readonly command: string;
  /** False when the client does not run it: a later key or the other file hides it. */
  readonly counts: boolean;
}

/** Every entry of ours in the agent's files; UserError for a file that cannot be read. */
export async function findInstalled(
  agent: Agent,
  places: SettingsPlaces,
  isOurs: IsOurs,
  files: FileAccess = localFiles,
): Promise<OurEntry[]> {
  const settings = settingsOf(agent);
  const found: OurEntry[] = [];
  const hidden = new Set<string>();
  for (const place of [places.override, places.main]) {
    if (!place) continue;
    const { bytes } = await files.read(place.path);
    if (bytes === null) continue;
    if (settings.module) {
      const text = bytes.toString('utf8');
      if (isOurs(text)) found.push({ file: place.path, event: null, command: text, counts: true });
      continue;
    }
    const { text, bom } = decodeSettings(place.path, bytes);
    const entries = entriesOf(parseDocument(place.path, text, bom).root, shapeOf(settings, place));
    for (const { event, command, counts } of entries)
      if (isOurs(command)) found.push({ file: place.path, event, command, counts: counts && !hidden.has(event) });
    for (const { event } of entries) hidden.add(event);
  }
  const text = places.extension && (await files.read(places.extension.path)).bytes?.toString('utf8');
  if (places.extension && text && isOurs(text))
    found.push({ file: places.extension.path, event: null, command: text, counts: true });
  return found;
}
