// The tables of docs/contributing/service-interface.md as data: tests by name for each of its rows.
import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../docs/contributing/service-interface.md', import.meta.url), 'utf8');

/** A row of a table: its cells without the outer pipes, marks of code kept. */
export type Row = readonly string[];

/** Rows of all tables below the heading that starts with `## N` or `### N.M` (without the header rows). */
export function tableRows(section: string): Row[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => new RegExp(`^#+ ${section.replaceAll('.', '\\.')}\\.? `).test(line));
  if (start < 0) throw new Error(`the specification has no section ${section}`);
  const level = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 2;
  const length = lines.slice(start + 1).findIndex((line) => new RegExp(`^#{1,${level}} `).test(line));
  const body = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  return body
    .filter((line, i) => line.startsWith('|') && !/^\|[-| ]+\|$/.test(line) && !/^\|[-| ]+\|$/.test(body[i + 1] ?? ''))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

/** The names written as code in a cell. */
export const names = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
