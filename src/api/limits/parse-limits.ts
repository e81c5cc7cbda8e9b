// Who gets which credit limit, out of a text: JSON where it begins like it, else CSV with or without a header.
import { csvRecords } from './csv-records.ts';
import { jsonLimits } from './json-limits.ts';
import { type Contents, toNumber } from './limit.ts';

/** The entries, and what is wrong with the text as a whole. */
export const parseLimits = (text: string): Contents => (/^\s*[[{]/.test(text) ? jsonLimits(text) : csvLimits(text));

function csvLimits(text: string): Contents {
  const { records, error } = csvRecords(text);
  const lines = records.filter(({ cells }) => cells.some((one) => one.trim() !== ''));
  const [first] = lines;
  const header = first?.cells.map((one) => one.trim().toLowerCase()) ?? [];
  const emailAt = header.findIndex((name) => name === 'email' || name === 'e-mail');
  const named = emailAt >= 0;
  const limitAt = named ? header.indexOf('limit') : 1;
  if (limitAt < 0) return { found: [], errors: [{ line: first?.line ?? 1, what: 'the header has no column "limit"' }] };
  const found = (named ? lines.slice(1) : lines).map(({ line, cells }) => {
    const written = (cells[limitAt] ?? '').trim();
    return { line, written, email: (cells[named ? emailAt : 0] ?? '').trim(), limit: toNumber(written) };
  });
  return { found, errors: error ? [error] : [] };
}
