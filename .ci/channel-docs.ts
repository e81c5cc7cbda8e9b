// The part of docs/channels/README.md that follows from the registry of channels.
import { existsSync } from 'node:fs';
import * as z from 'zod';
import { channels } from '../src/channels/index.ts';
import { ownSettings, type SettingRow, settingRows } from '../src/cli/commands/channel/setting-rows.ts';
import type { ChannelType } from '../src/model/channel/channel.ts';
import { commonSettings } from '../src/model/channel/settings.ts';

const BEGIN = '<!-- from the registry: npm run docs -->';
const END = '<!-- end of what is from the registry -->';

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** Settings as rows: name, kind of value, default, meaning. */
function rowsOf(settings: readonly SettingRow[]): string[] {
  return settings.map(({ name, kind, values, required, default: standard, meaning }) =>
    row([
      `\`${name}\``,
      kind ?? values.map((value) => `\`${value}\``).join(', '),
      required ? 'required' : standard === null ? 'optional' : `\`${standard}\``,
      meaning,
    ]),
  );
}

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
function abilitiesTable(): string[] {
  const cellOf = (has: boolean | string = false): string =>
    typeof has === 'string' ? `with \`${has}\`` : has ? 'yes' : '';
  const titles = ['type', ...ABILITIES.map(([, title]) => title), 'quota'];
  return [
    row(titles),
    row(titles.map(() => '---')),
    ...channels.map(({ type, capabilities, docs }) =>
      row([`[${type}](#${type})`, ...ABILITIES.map(([name]) => cellOf(capabilities[name])), docs.quota ?? '']),
    ),
  ];
}

/** Settings that say as little as they may: limits that depend on others are those of the usual case. */
function paceOf(channel: ChannelType): string {
  const { concurrency, minIntervalMs, timeoutMs } = channel.limits({});
  const spacing = minIntervalMs === 0 ? '' : `, ${minIntervalMs / 1000} s apart`;
  return `${concurrency} at once${spacing}; ${timeoutMs / 1000} s each`;
}

function tableOf(settings: readonly SettingRow[]): string[] {
  return [row(['setting', 'value', 'default', 'meaning']), row(['---', '---', '---', '---']), ...rowsOf(settings)];
}

function sectionOf(channel: ChannelType): string {
  const example = ['```toml', '[channels.NAME]', channel.docs.example, '```'];
  const page = `${channel.type}.md`;
  const more = existsSync(new URL(`../docs/channels/${page}`, import.meta.url))
    ? ['', `More: [${page}](${page}).`]
    : [];
  return [`### ${channel.type}`, '', ...example, '', ...tableOf(ownSettings(channel)), ...more].join('\n');
}

/** The page with the part between its markers regenerated. */
export function renderChannelDocs(page: string): string {
  const table = [
    row(['type', 'what it does', 'for', 'when resolved', 'pace']),
    row(['---', '---', '---', '---', '---']),
    ...channels.map((channel) =>
      row([
        `[${channel.type}](#${channel.type})`,
        channel.docs.summary,
        channel.audience,
        channel.onResolved,
        paceOf(channel),
      ]),
    ),
  ];
  const common = ['### Settings of every channel', '', ...tableOf(settingRows(z.object(commonSettings)))];
  const can = ['### What each can do', '', ...abilitiesTable()];
  const made = [BEGIN, '', ...table, '', ...can, '', ...common, '', channels.map(sectionOf).join('\n\n'), '', END].join(
    '\n',
  );
  const start = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (start < 0 || end < start) throw new Error('docs/channels/README.md has lost its markers');
  return page.slice(0, start) + made + page.slice(end + END.length);
}
