// The part of docs/channels.md that follows from the registry of channels.
import * as z from 'zod';
import { channels } from '../src/channels/index.ts';
import type { Channel } from '../src/model/channel.ts';

const BEGIN = '<!-- from the registry: npm run docs -->';
const END = '<!-- end of what is from the registry -->';

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
}

/** The settings of a channel: name, kind of value, default, meaning. */
function settingsOf(channel: Channel): string[] {
  const { properties = {}, required = [] } = z.toJSONSchema(channel.schema, { io: 'input' }) as {
    properties?: Record<string, Property>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { type = 'text', description = '', default: usual }]) =>
    row([
      `\`${name}\``,
      channel.secrets.includes(name) ? 'secret' : type,
      required.includes(name) ? 'required' : usual === undefined ? 'optional' : `\`${String(usual)}\``,
      description,
    ]),
  );
}

function paceOf({ limits }: Channel): string {
  const spacing = limits.minIntervalMs === 0 ? '' : `, ${limits.minIntervalMs / 1000} s apart`;
  return `${limits.concurrency} at once${spacing}; ${limits.timeout / 1000} s each`;
}

function sectionOf(channel: Channel): string {
  const head = [row(['setting', 'value', 'default', 'meaning']), row(['---', '---', '---', '---'])];
  const example = ['```toml', '[channels.NAME]', channel.docs.example, '```'];
  return [`### ${channel.type}`, '', ...example, '', ...head, ...settingsOf(channel)].join('\n');
}

/** The page with the part between its markers regenerated. */
export function renderChannelDocs(page: string): string {
  const table = [
    row(['type', 'what it does', 'pace']),
    row(['---', '---', '---']),
    ...channels.map((channel) => row([`[${channel.type}](#${channel.type})`, channel.docs.summary, paceOf(channel)])),
  ];
  const made = [BEGIN, '', ...table, '', channels.map(sectionOf).join('\n\n'), '', END].join('\n');
  const start = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (start < 0 || end < start) throw new Error('docs/channels.md has lost its markers');
  return page.slice(0, start) + made + page.slice(end + END.length);
}
