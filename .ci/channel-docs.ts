// The parts of docs/channels/ that follow from the registry of channels.
import * as z from 'zod';
import { between, table } from './markdown.ts';
import { channels } from '../src/channels/index.ts';
import { ownSettings, type SettingRow, settingRows } from '../src/cli/commands/channel/setting-rows.ts';
import type { ChannelType } from '../src/model/channel/channel.ts';
import { commonSettings } from '../src/model/channel/settings.ts';

const MARKERS = ['<!-- from the registry: npm run docs -->', '<!-- end of what is from the registry -->'] as const;

/** Settings as a table: name, kind of value, default, meaning. */
const settingsTable = (settings: readonly SettingRow[]): string =>
  table(
    ['setting', 'value', 'default', 'meaning'],
    settings.map(({ name, kind, values, required, default: standard, meaning }) => [
      `\`${name}\``,
      kind ?? values.map((value) => `\`${value}\``).join(', '),
      required ? 'required' : standard === null ? 'optional' : `\`${standard}\``,
      meaning,
    ]),
  );

const ABILITIES = [
  ['update', 'changes what it sent'],
  ['retract', 'removes it'],
  ['thread', 'thread'],
  ['buttons', 'buttons'],
  ['reply', 'replies'],
  ['priority', 'priority'],
  ['mirror', 'shows sessions'],
  ['idempotent', 'drops repeats'],
] as const;

/** What each can do, with the setting that switches it on. */
function abilitiesTable(): string {
  const cellOf = (has: boolean | string = false): string =>
    typeof has === 'string' ? `with \`${has}\`` : has ? 'yes' : '';
  return table(
    ['type', ...ABILITIES.map(([, title]) => title), 'quota'],
    channels.map(({ type, capabilities, docs }) => [
      `[${type}](${type}.md)`,
      ...ABILITIES.map(([name]) => cellOf(capabilities[name])),
      docs.quota ?? '',
    ]),
  );
}

/** Settings that say as little as they may: limits that depend on others are those of the usual case. */
function paceOf(channel: ChannelType): string {
  const { concurrency, minIntervalMs, timeoutMs } = channel.limits({});
  const spacing = minIntervalMs === 0 ? '' : `, ${minIntervalMs / 1000} s apart`;
  return `${concurrency} at once${spacing}; ${timeoutMs / 1000} s each`;
}

/** The table of all channels. */
const overview = (): string =>
  table(
    ['type', 'what it does', 'for', 'when resolved', 'pace'],
    channels.map((channel) => [
      `[${channel.type}](${channel.type}.md)`,
      channel.docs.summary,
      channel.audience,
      channel.onResolved,
      paceOf(channel),
    ]),
  );

/** docs/channels/README.md: all channels, what each can do, and the settings that every one has. */
export const renderChannelIndex = (page: string): string =>
  between(
    page,
    MARKERS,
    [
      overview(),
      '## What each can do',
      abilitiesTable(),
      '## Settings of every channel',
      settingsTable(settingRows(z.object(commonSettings))),
    ].join('\n\n'),
  );

/** The page of a channel with its settings as the registry has them; a new one has its example beside them. */
export function renderChannelPage(channel: ChannelType, page: string | null): string {
  const [begin, end] = MARKERS;
  const example = `\`\`\`toml\n[channels.NAME]\n${channel.docs.example}\n\`\`\``;
  const made = `## Settings\n\n${settingsTable(ownSettings(channel))}`;
  return between(
    page ?? `# ${channel.type}\n\n${channel.docs.summary}.\n\n${example}\n\n${begin}\n${end}\n`,
    MARKERS,
    made,
  );
}
