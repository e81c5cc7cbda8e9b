// Takes Markdown off a text for places that would show its marks. Cautious: what may be code, a glob or a name stays as it is.

/** A code span, an image or link, bold, emphasis with `*` and with `_`, struck out; each one kind a group. */
const INLINE = new RegExp(
  [
    /(`{1,3})(?<code>[^`\n]{1,500})\1/,
    /!?\[(?<link>[^[\]\n]{1,300})\]\([^()\s]{1,1000}\)/,
    /(?<![\w*/])\*\*(?<bold>[^\s*/](?:[^*\n]{0,500}[^\s*/])?)\*\*(?![\w*/])/,
    /(?<![\w*/])\*(?<star>[^\s*/.](?:[^*\n]{0,300}[^\s*/])?)\*(?![\w*/])/,
    /(?<!\w)_(?<under>[^\s_](?:[^_\n]{0,300}[^\s_])?)_(?!\w)/,
    /~~(?<struck>[^~\n]{1,300})~~/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Emphasis within emphasis is followed this deep. */
const DEEPEST = 3;

function stripInline(line: string, depth = 0): string {
  return line.replace(INLINE, (...match) => {
    // The groups come last, as the expression has names.
    const { code, ...others } = match.at(-1) as Record<string, string | undefined>;
    if (code !== undefined) return code;
    const inner = Object.values(others).find((text) => text !== undefined) ?? '';
    return depth < DEEPEST ? stripInline(inner, depth + 1) : inner;
  });
}

/** `---`, `* * *` and the line below a table's head. */
const isRule = (line: string): boolean =>
  /^(?:[-\s]{3,}|[*\s]{3,}|[_\s]{3,}|[-|:\s]{3,})$/.test(line) && /[-*_]/.test(line);

/** A row of a table on one line: its cells between dots. */
function row(line: string): string {
  const cells = line.slice(1, -1).split('|');
  return cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ');
}

function stripLine(line: string): string {
  const trimmed = line.trim();
  const isRow = trimmed.length > 2 && trimmed.startsWith('|') && trimmed.endsWith('|');
  const bare = isRow
    ? row(trimmed)
    : line
        .replace(/^ {0,3}#{1,6}[ \t]+/, '')
        .replace(/^ {0,3}>[ \t]?/, '')
        .replace(/^([ \t]{0,12})[*+][ \t]+/, '$1- ');
  return stripInline(bare);
}

/** The text without its Markdown, line by line; code keeps what looks like it. */
export function stripMarkdown(text: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(```|~~~)[\w+-]{0,40}[ \t]*$/.exec(line)?.[1] ?? null;
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    else if (fence !== null) lines.push(line);
    else if (!isRule(line)) lines.push(stripLine(line));
  }
  return lines.join('\n');
}
