// Reads CSV: RFC 4180 with any line ending; a semicolon separates where the first line has no comma.

/** The cells of a record and the line it begins on; `error`: a quote that is not closed. */
export interface Records {
  readonly records: readonly { readonly line: number; readonly cells: readonly string[] }[];
  readonly error: { readonly line: number; readonly what: string } | null;
}

/** All records of a text. */
export function csvRecords(text: string): Records {
  const [firstLine = ''] = text.split(/\r?\n/, 1);
  const separator = !firstLine.includes(',') && firstLine.includes(';') ? ';' : ',';
  const records: { line: number; cells: string[] }[] = [];
  let cells: string[] = [];
  let current = '';
  let quoted = false;
  let line = 1;
  let began = 1;
  const endRecord = (): void => {
    records.push({ line: began, cells: [...cells, current] });
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
  if (quoted) return { records, error: { line: began, what: 'closing quote missing' } };
  if (current !== '' || cells.length > 0) endRecord();
  return { records, error: null };
}
