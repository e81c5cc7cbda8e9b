// A user's credit limit, as it stands in a file or an option.

/** One user's limit. */
export interface Limit {
  readonly email: string;
  readonly limit: number;
}

/** An entry and where it stands. `limit`: NaN where it is none, with what was written instead. */
export interface Found extends Limit {
  readonly line: number;
  readonly written: string;
}

/** What a file says, and what is wrong with it as a whole. */
export interface Contents {
  readonly found: readonly Found[];
  readonly errors: readonly LimitError[];
}

export interface LimitError {
  readonly line: number;
  readonly what: string;
}

/** A limit as people write it. */
export const toNumber = (text: string): number => (/^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN);
