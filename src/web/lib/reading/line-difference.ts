// The difference of two texts by lines, and differences out of what an agent asks.

/** One line: of both, only of the one before, only of the one after. */
export interface DifferenceLine {
  readonly type: 'same' | 'removed' | 'added';
  readonly text: string;
  /** Its number before; null: it was not there. */
  readonly before: number | null;
  readonly after: number | null;
}

/** Most cells of the table that is compared; texts beyond are shown as removed and added. */
const MOST_CELLS = 400_000;

/** Numbers begin at these. */
export function lineDifference(
  before: readonly string[],
  after: readonly string[],
  first = 1,
): readonly DifferenceLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const middle = compared(before.slice(start, before.length - end), after.slice(start, after.length - end));
  const all = [
    ...before.slice(0, start).map((text) => ({ type: 'same' as const, text })),
    ...middle,
    ...before.slice(before.length - end).map((text) => ({ type: 'same' as const, text })),
  ];
  return numbered(all, first, first);
}

type Plain = Pick<DifferenceLine, 'type' | 'text'>;

function numbered(lines: readonly Plain[], before: number, after: number): readonly DifferenceLine[] {
  let [old, now] = [before, after];
  return lines.map(({ type, text }) => ({
    type,
    text,
    before: type === 'added' ? null : old++,
    after: type === 'removed' ? null : now++,
  }));
}

/** By the longest common lines. */
function compared(before: readonly string[], after: readonly string[]): readonly Plain[] {
  const removed = (text: string): Plain => ({ type: 'removed', text });
  const added = (text: string): Plain => ({ type: 'added', text });
  const width = after.length + 1;
  if (before.length === 0 || after.length === 0 || (before.length + 1) * width > MOST_CELLS)
    return [...before.map(removed), ...after.map(added)];
  const common = new Uint16Array((before.length + 1) * width);
  const cell = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      common[i * width + j] =
        before[i] === after[j] ? cell(i + 1, j + 1) + 1 : Math.max(cell(i + 1, j), cell(i, j + 1));
  const found: Plain[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, now] = [before[i], after[j]];
    if (old !== undefined && old === now) {
      found.push({ type: 'same', text: old });
      i += 1;
      j += 1;
    } else if (old !== undefined && (now === undefined || cell(i + 1, j) >= cell(i, j + 1))) {
      found.push(removed(old));
      i += 1;
    } else if (now !== undefined) {
      found.push(added(now));
      j += 1;
    }
  }
  return found;
}

/** What is asked, in parts: text as it is, or a difference. */
export type AskedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'difference'; readonly lines: readonly DifferenceLine[]; readonly isOfFile: boolean };

/** Reads the differences in the text of a tool that edits files: hunks as `diff -u` has them, or old lines and new ones. Every line of the text is in a part. */
export function differencesIn(text: string): readonly AskedPart[] {
  const parts: AskedPart[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const found = hunk(lines, at) ?? passage(lines, at);
    if (found !== null) {
      parts.push(found.part);
      at = found.next;
      continue;
    }
    const last = parts.at(-1);
    if (last?.type === 'text') parts[parts.length - 1] = { type: 'text', text: `${last.text}\n${line}` };
    else parts.push({ type: 'text', text: line });
    at += 1;
  }
  return parts;
}

interface Found {
  readonly part: AskedPart;
  /** The line after it. */
  readonly next: number;
}

/** `@@ -3,7 +3,8 @@` and its lines: numbers of the file. The heading itself stays a line of text. */
function hunk(lines: readonly string[], at: number): Found | null {
  const heading = /^@@ -(\d{1,9})(?:,\d+)? \+(\d{1,9})(?:,\d+)? @@/.exec(lines[at - 1] ?? '');
  if (heading === null) return null;
  let next = at;
  while (next < lines.length && /^[-+ ]/.test(lines[next] ?? '')) next += 1;
  if (next === at) return null;
  const plain = lines.slice(at, next).map((line): Plain => {
    const type = line.startsWith('-') ? 'removed' : line.startsWith('+') ? 'added' : 'same';
    return { type, text: line.slice(1) };
  });
  const numbers = numbered(plain, Number(heading[1]), Number(heading[2]));
  return { part: { type: 'difference', lines: numbers, isOfFile: true }, next };
}

/** Lines that begin with `- `, then such with `+ `; only the latter: the whole of a new text. */
function passage(lines: readonly string[], at: number): Found | null {
  const run = (from: number, mark: string): readonly string[] => {
    let to = from;
    while (to < lines.length && (lines[to] ?? '').startsWith(mark)) to += 1;
    return lines.slice(from, to).map((line) => line.slice(mark.length));
  };
  const before = run(at, '- ');
  const after = run(at + before.length, '+ ');
  if (after.length === 0) return null;
  const difference = lineDifference(before, after);
  return {
    part: { type: 'difference', lines: difference, isOfFile: false },
    next: at + before.length + after.length,
  };
}
