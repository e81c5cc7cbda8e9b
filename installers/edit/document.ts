// A JSON settings file as text and tree: with comments, its byte order mark, line ends and indentation; or refused with line and column.
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { UserError } from '../../src/model/errors.ts';

/** A parsed settings file. `text` has no byte order mark; `bom` says whether the file has one. */
export interface Document {
  /** For messages. */
  readonly file: string;
  readonly text: string;
  readonly bom: boolean;
  readonly eol: '\n' | '\r\n';
  /** One step of indentation. */
  readonly unit: string;
  /** Everything is on one line: additions are too. */
  readonly compact: boolean;
  readonly root: Node;
}

/** The text of a file; refused when it is not UTF-8. */
export function decodeSettings(file: string, bytes: Uint8Array): { text: string; bom: boolean } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith('\uFEFF') ? { text: text.slice(1), bom: true } : { text, bom: false };
  } catch {
    throw new UserError(`${file} is not UTF-8 text: save it as UTF-8, then try again (nothing was changed)`);
  }
}

/** The bytes of a text, with its byte order mark. */
export function encodeSettings(text: string, bom: boolean): Buffer {
  return Buffer.from(bom ? `\uFEFF${text}` : text);
}

/** "line 3, column 12" of an offset. */
export function position(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

/** Parses; a blank file counts as `{}`. Comments and trailing commas are accepted, as the clients do. */
export function parseDocument(file: string, source: string, bom = false): Document {
  const eol = source.includes('\r\n') ? '\r\n' : '\n';
  const text = source.trim() === '' ? `{}${eol}` : source;
  const errors: ParseError[] = [];
  const root = treeOf(file, text, errors);
  const error = errors[0];
  if (error || !root) {
    const at = position(text, error?.offset ?? 0);
    const what = error ? inWords(printParseErrorCode(error.error)) : 'no value';
    throw new UserError(`${file} is not valid JSON (${at}: ${what}): correct it, then try again (nothing was changed)`);
  }
  if (root.type !== 'object')
    throw new UserError(`${file} does not hold a JSON object: correct it, then try again (nothing was changed)`);
  return {
    file,
    text,
    bom,
    eol,
    unit: unitOf(text, root),
    compact: !text.trim().includes('\n') && (root.children?.length ?? 0) > 0,
    root,
  };
}

function treeOf(file: string, text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) throw new UserError(`${file} is nested too deeply to edit (nothing was changed)`);
    throw error;
  }
}

function unitOf(text: string, root: Node): string {
  const first = root.children?.[0];
  const indent = first ? indentBefore(text, first.offset) : null;
  return indent || '  ';
}

/** White space between the start of its line and an offset; null when there is something else. */
export function indentBefore(text: string, offset: number): string | null {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*$/.test(line) ? line : null;
}

/** Indentation of the line an offset is on. */
export function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? '';
}

/** "close brace expected" for `CloseBraceExpected`. */
function inWords(code: string): string {
  return code.replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? '' : ' '}${letter.toLowerCase()}`);
}
