// Who gets which credit limit: from EMAIL=LIMIT options and CSV files.
import { readFile } from 'node:fs/promises';
import { EXIT, UserError } from '../../model/errors.ts';

/** One user's limit. */
export interface Limit {
  readonly email: string;
  readonly limit: number;
}

const refused = (why: string): UserError => new UserError(`${why}; nothing was sent`, EXIT.usage);

/** `EMAIL=LIMIT`. */
export function fromOption(given: string): Limit {
  const cut = given.lastIndexOf('=');
  const limit = toNumber(given.slice(cut + 1));
  if (cut < 1 || limit === null)
    throw refused(`--user must be EMAIL=LIMIT such as ada@example.com=500, not "${given}"`);
  return { email: given.slice(0, cut).trim(), limit };
}

/** The entries of a CSV file: e-mail and limit, with or without a header. */
export async function fromCsvFile(path: string): Promise<Limit[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refused(`--from: cannot read ${path} (${error.code ?? 'unknown'})`);
  });
  return fromCsv(text, path);
}

/** As {@link fromCsvFile}; `path` is for messages. */
export function fromCsv(text: string, path: string): Limit[] {
  const lines = records(text.replace(/^\uFEFF/, ''), path).filter(({ cells }) =>
    cells.some((one) => one.trim() !== ''),
  );
  const [first] = lines;
  const header = first?.cells.map((one) => one.trim().toLowerCase()) ?? [];
  const named = header.includes('email') || header.includes('e-mail');
  const emailAt = named ? header.findIndex((name) => name === 'email' || name === 'e-mail') : 0;
  const limitAt = named ? header.indexOf('limit') : 1;
  if (limitAt < 0) throw refused(`--from: ${path} has a header without a column "limit"`);
  return (named ? lines.slice(1) : lines).map(({ line, cells }) => {
    const limit = toNumber(cells[limitAt] ?? '');
    if (limit === null) throw refused(`--from: ${path}:${line}: the limit "${cells[limitAt] ?? ''}" is not a number`);
    return { email: (cells[emailAt] ?? '').trim(), limit };
  });
}

/** The same user twice would leave it to chance which limit holds. */
export function assertDistinct(limits: readonly Limit[]): void {
  const seen = new Set<string>();
  for (const { email } of limits) {
    if (seen.has(email.toLowerCase())) throw refused(`${email} is there twice: say which limit holds`);
    seen.add(email.toLowerCase());
  }
}

function toNumber(text: string): number | null {
  return /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}

/** RFC 4180 with any line ending; a semicolon separates where the first line has no comma. */
function records(text: string, path: string): { line: number; cells: string[] }[] {
  const [firstLine = ''] = text.split(/\r?\n/);
  const separator = !firstLine.includes(',') && firstLine.includes(';') ? ';' : ',';
  const all: { line: number; cells: string[] }[] = [];
  let cells: string[] = [];
  let current = '';
  let quoted = false;
  let line = 1;
  let began = 1;
  const endRecord = (): void => {
    all.push({ line: began, cells: [...cells, current] });
    cells = [];
    current = '';
    began = line + 1;
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? '';
    if (quoted) {
      if (c === '\n') line++;
      if (c !== '"') current += c;
      else if (text[i + 1] === '"') {
        current += '"';
        i++;
      } else quoted = false;
    } else if (c === '"' && current.trim() === '') {
      current = '';
      quoted = true;
    } else if (c === separator) {
      cells.push(current);
      current = '';
    } else if (c === '\n' || c === '\r') {
      if (c === '\r' && text[i + 1] === '\n') i++;
      endRecord();
      line++;
    } else current += c;
  }
  if (quoted) throw refused(`--from: ${path}:${began}: a quote is not closed`);
  if (current !== '' || cells.length > 0) endRecord();
  return all;
}
