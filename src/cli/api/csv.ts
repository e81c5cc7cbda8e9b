// Rows as CSV: nested objects as dotted columns, lists as JSON in their cell.

type Row = Readonly<Record<string, unknown>>;

/** A header line and a line a row, RFC 4180 but with line feeds. `columns`: the header when there is no row. */
export function toCsv(rows: readonly Row[], columns: readonly string[]): string {
  const flat = rows.map((row) => flatten(row));
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  const header = names.length > 0 ? names : columns;
  return [header.map(quote), ...flat.map((row) => header.map((name) => quote(row.get(name))))]
    .map((cells) => cells.join(','))
    .join('\n');
}

function flatten(row: Row, prefix = '', into = new Map<string, unknown>()): Map<string, unknown> {
  for (const [name, value] of Object.entries(row)) {
    const path = `${prefix}${name}`;
    const nested = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (nested && prefix.split('.').length < 4) flatten(value as Row, `${path}.`, into);
    else into.set(path, value);
  }
  return into;
}

function quote(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? harmless(value) : JSON.stringify(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text that a spreadsheet would take for a formula gets a quote before it. */
const harmless = (text: string): string => (/^[=+@\t\r-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text);
