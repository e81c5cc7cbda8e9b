// Markdown of an agent as blocks and spans: the parts of it that plans and last words use. What it does not know stays text as it was written;
// nothing becomes markup of the page, and nothing is a link, since where an agent leads is not where you meant to go.

export type Span =
  | { readonly type: 'text' | 'code'; readonly text: string }
  | { readonly type: 'strong' | 'emphasis'; readonly spans: readonly Span[] };

export type Block =
  | { readonly type: 'paragraph' | 'quote'; readonly spans: readonly Span[] }
  | { readonly type: 'heading'; readonly level: number; readonly spans: readonly Span[] }
  | { readonly type: 'code'; readonly text: string; readonly language: string }
  | { readonly type: 'item'; readonly depth: number; readonly mark: string; readonly spans: readonly Span[] }
  | { readonly type: 'table'; readonly rows: readonly (readonly (readonly Span[])[])[] }
  | { readonly type: 'rule' };

/** Reads a text. */
export function markdownBlocks(text: string): readonly Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const { block, next } = blockAt(lines, at);
    if (block !== null) blocks.push(block);
    at = next;
  }
  return blocks;
}

interface Read {
  readonly block: Block | null;
  readonly next: number;
}

const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/s;
const HEADING = /^(#{1,6})\s+(.*)$/s;
const FENCE = /^`{3,}|^~{3,}/;
const RULE = /^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;

/** What begins a block of code: its mark and language. Null: the line begins none. */
function fenceOf(line: string): { readonly mark: string; readonly language: string } | null {
  const text = line.trim();
  const [mark] = FENCE.exec(text) ?? [];
  if (mark === undefined) return null;
  const language = text.slice(mark.length).trim();
  return /^[\w+#.-]*$/.test(language) ? { mark, language } : null;
}

/** What separates a table's head from its rows: `| --- | :-: |`. */
function isTableRule(line: string): boolean {
  const text = line.trim();
  const parts = text.split('|');
  if (parts.length < (text.startsWith('|') ? 3 : 2)) return false;
  const cells = parts.slice(text.startsWith('|') ? 1 : 0, text.endsWith('|') ? -1 : undefined);
  return cells.every((cell) => /^:?-+:?$/.test(cell.trim()));
}

function blockAt(lines: readonly string[], at: number): Read {
  const line = lines[at] ?? '';
  if (line.trim() === '') return { block: null, next: at + 1 };
  const fence = fenceOf(line);
  if (fence !== null) return codeAt(lines, at, fence.mark, fence.language);
  const heading = HEADING.exec(line);
  if (heading !== null)
    return {
      block: { type: 'heading', level: heading[1]?.length ?? 1, spans: spansOf(heading[2] ?? '') },
      next: at + 1,
    };
  if (RULE.test(line)) return { block: { type: 'rule' }, next: at + 1 };
  if (line.includes('|') && isTableRule(lines[at + 1] ?? '')) return tableAt(lines, at);
  const item = ITEM.exec(line);
  if (item !== null) {
    const [, indent = '', mark = '', words = ''] = item;
    const end = runEnd(lines, at + 1);
    const more = lines.slice(at + 1, end).map((one) => one.trim());
    const depth = Math.min(6, Math.floor(indent.replaceAll('\t', '    ').length / 2));
    return { block: { type: 'item', depth, mark, spans: spansOf([words, ...more].join('\n')) }, next: end };
  }
  const isQuote = /^\s*>/.test(line);
  const end = runEnd(lines, at + 1);
  const own = lines.slice(at, end);
  const words = isQuote ? own.map((one) => one.replace(/^\s*>\s?/, '')) : own;
  return { block: { type: isQuote ? 'quote' : 'paragraph', spans: spansOf(words.join('\n')) }, next: end };
}

/** Where a run of lines of text ends. */
function runEnd(lines: readonly string[], from: number): number {
  let end = from;
  while (end < lines.length && !begins(lines[end] ?? '')) end += 1;
  return end;
}

const begins = (line: string): boolean =>
  line.trim() === '' || fenceOf(line) !== null || [HEADING, ITEM, RULE, /^\s*>/].some((one) => one.test(line));

function codeAt(lines: readonly string[], at: number, mark: string, language: string): Read {
  let end = at + 1;
  while (end < lines.length && !(lines[end] ?? '').trim().startsWith(mark)) end += 1;
  return { block: { type: 'code', text: lines.slice(at + 1, end).join('\n'), language }, next: end + 1 };
}

function tableAt(lines: readonly string[], at: number): Read {
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? '').includes('|')) end += 1;
  const rows = [lines[at] ?? '', ...lines.slice(at + 2, end)].map((line) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => spansOf(cell.trim())),
  );
  return { block: { type: 'table', rows }, next: end };
}

/** Code first: what is in it is no emphasis. Bounded, so that no text takes long. */
const SPAN =
  /(`+)([^`]{1,2000}?)\1(?!`)|\*\*([^\s*](?:[^*]{0,2000}[^\s*])?)\*\*|(?<![\w*])\*([^\s*](?:[^*\n]{0,500}[^\s*])?)\*(?![\w*])/;

/** The spans of a text. */
export function spansOf(text: string): readonly Span[] {
  const spans: Span[] = [];
  let rest = text;
  for (let found = SPAN.exec(rest); found !== null; found = SPAN.exec(rest)) {
    if (found.index > 0) spans.push({ type: 'text', text: rest.slice(0, found.index) });
    const [whole, , code, strong, emphasis] = found;
    if (code !== undefined) spans.push({ type: 'code', text: code });
    else if (strong !== undefined) spans.push({ type: 'strong', spans: spansOf(strong) });
    else spans.push({ type: 'emphasis', spans: spansOf(emphasis ?? '') });
    rest = rest.slice(found.index + whole.length);
  }
  if (rest !== '') spans.push({ type: 'text', text: rest });
  return spans;
}
