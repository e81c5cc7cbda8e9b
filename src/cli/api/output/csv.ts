// Rows as CSV: nested objects as dotted columns, lists as JSON in their cell.
import { exactDigits, stringifyExact } from '../../../api/client/exact-json.ts';

type Row = Readonly<Record<string, unknown>>;

/** A number with more digits than JavaScript keeps. */
class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A header line and a line a row, RFC 4180 but with line feeds. `columns`: the header when there is no row. */
export function toCsv(rows: readonly Row[], columns: readonly string[]): string {
  const flat = rows.map((row) => flatten(row));
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  const header = names.length > 0 ? names : columns;
  return [header.map(quote), ...flat.map((row) => header.map((name) => quote(row.get(name))))]
    .map((cells) => cells.join(','))
    .join('\n');
}

const DEEPEST = 4;

/** The fields of nested objects by their dotted paths; `whole`: which of them stay as they are. */
export function flatten(row: Row, whole: (path: string) => boolean = () => false): Map<string, unknown> {
  const into = new Map<string, unknown>();
  const add = (object: Row, prefix: string, depth: number): void => {
    for (const [name, value] of Object.entries(object)) {
      const path = `${prefix}${name}`;
      const nested = typeof value === 'object' && value !== null && !Array.isArray(value) && !whole(path);
      const digits = typeof value === 'number' ? exactDigits(object, name) : undefined;
      if (nested && depth < DEEPEST) add(value as Row, `${path}.`, depth + 1);
      else into.set(path, digits === undefined ? value : new Digits(digits));
    }
  };
  add(row, '', 0);
  return into;
}

function quote(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (value instanceof Digits) return value.text;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? harmless(value) : stringifyExact(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text that a spreadsheet would take for a formula gets a quote before it. */
const harmless = (text: string): string => (/^[=+@\t\r-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text);
