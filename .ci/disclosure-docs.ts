// The table of docs/guide/security.md that says what leaves by which channel at which level: from what test/channels/disclosure.test.ts saw.
import { between, table, wrap } from './markdown.ts';
import { LEVELS, type Level } from '../src/model/notification/notification.ts';
import observed from '../test/fixtures/disclosure.json' with { type: 'json' };

const MARKERS = ['<!-- what leaves: made by `npm run docs` -->', '<!-- end of what leaves -->'] as const;

/** By channel, then by field: the levels at which it comes out. */
const seen: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = observed;
const channels = Object.keys(seen);
const fields = Object.keys(Object.values(seen)[0] ?? {});

/** Channels that send the field at this level and at none that sends less. */
const startingAt = (field: string, level: Level): readonly string[] =>
  channels.filter((channel) => seen[channel]?.[field]?.at(-1) === level);

/** Most are named by those that are left out. */
function listed(some: readonly string[]): string {
  const others = channels.filter((channel) => !some.includes(channel));
  const isMost = others.length < some.length / 2;
  if (!isMost) return some.join(', ');
  return others.length === 0 ? 'all' : `all but ${others.join(', ')}`;
}

/** One row a field that leaves by some channel; below it, what leaves by none. */
function whatLeaves(): string {
  const sent = (field: string): boolean => channels.some((channel) => (seen[channel]?.[field]?.length ?? 0) > 0);
  const strictestFirst = [...LEVELS].reverse();
  const rows = fields
    .filter(sent)
    .map((field) => [field, ...strictestFirst.map((level) => listed(startingAt(field, level)))]);
  const never = fields.filter((field) => !sent(field)).join('; ');
  return [
    table(['what', 'at every level', 'at `short` and `full`', 'at `full` only'], rows),
    wrap(`No channel sends: ${never}.`),
  ].join('\n\n');
}

/** The page with its table as the channels were seen to send; text around it is kept. */
export const renderDisclosure = (page: string): string => between(page, MARKERS, whatLeaves());
