// A transcript of test/fixtures/transcripts/: what was done, what the programs said, and what then could be seen at the service, without what differs from run to run.
import { hostname, userInfo } from 'node:os';
import type { Seen } from './peers/index.ts';

/** Characters of a line that are quoted. */
const QUOTED = 100;

/** One situation. */
export interface Situation {
  readonly name: string;
  /** What was done: a command as it is typed, or a sentence. */
  readonly done: string;
  /** What the programs said; empty: nothing worth saying. */
  readonly said: string;
  /** What is new at the service, or has changed. */
  readonly seen: readonly Seen[];
}

/** The text of a transcript. */
export const transcriptOf = (situations: readonly Situation[]): string => `${situations.map(blockOf).join('\n\n')}\n`;

function blockOf({ name, done, said, seen }: Situation): string {
  const words = said.trim() === '' ? [] : said.trim().split('\n');
  const quotes = seen.flatMap(({ lines }) => ['', ...lines.map((line) => `  | ${quoted(line)}`)]);
  return [`# ${name}`, done, ...words, ...quotes].map(stable).join('\n');
}

function quoted(line: string): string {
  if (line.length <= QUOTED) return line;
  const end = line.endsWith('…') ? ', ending in …' : '';
  return `${line.slice(0, 60)} (${line.length.toLocaleString('en')} characters${end})`;
}

/** Without the machine, its user, ports, times and durations. */
function stable(text: string): string {
  return text
    .replaceAll(hostname(), 'laptop')
    .replaceAll(new RegExp(`\\b${userInfo().username}\\b`, 'g'), 'dev')
    .replace(/127\.0\.0\.1(:\d+)?/g, 'localhost')
    .replace(/\b(after|for|in) \d+(?:\.\d+)? (?:ms|s|min)\b/g, '$1 2 s')
    .replace(/\bat once$/gm, 'after 2 s')
    .replace(/\bdelivered in \d+ m?s/g, 'delivered in 21 ms')
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b/g, '2026-06-01 12:00:00')
    .trimEnd();
}

/** What is in `after` and was not, or not so, in `before`. */
export function changesOf(before: readonly Seen[], after: readonly Seen[]): readonly Seen[] {
  const text = ({ lines }: Seen): string => lines.join('\n');
  const known = new Map(before.map((one) => [one.id, text(one)]));
  return after.filter((one) => known.get(one.id) !== text(one));
}
