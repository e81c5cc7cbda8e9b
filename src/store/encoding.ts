// Text in and out of columns: SQLite cuts at NUL, PostgreSQL refuses it, and neither holds lone surrogates; JSON escapes both.

const UNSAFE = /[\0\u0001]|\p{Surrogate}/u;

/** A column's form of any text: itself, or marked JSON where SQLite could not keep it. Equal texts have equal forms. */
export function encode(text: string): string {
  return UNSAFE.test(text) ? `\u0001${JSON.stringify(text)}` : text;
}

/** How the columns of texts with this beginning begin; it has nothing unsafe in it. */
export const beginningsOf = (plain: string): readonly string[] => [plain, `\u0001"${plain}`];

/** The text of a column written by {@link encode}. */
export function decode(text: string): string {
  return text.startsWith('\u0001') ? (JSON.parse(text.slice(1)) as string) : text; // encode() wrote a string
}

/** The value of a JSON column, as the type it was written from; undefined where it was damaged on the disk. */
export function parseJson<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined; // the next start sets such a database aside; until then its other rows are there
  }
}

/** The column of a receipt. */
export const receiptOf = (receipt: unknown): string | null =>
  receipt === null || receipt === undefined ? null : JSON.stringify(receipt);
