// A part of the parsed file that should be a table, whatever it is.

/** The keys and values of a table. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value when it is a table; an empty one otherwise: the schema reports what is wrong with it. */
export function asTable(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
