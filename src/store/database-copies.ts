// Copies of the journal: what a damaged one was set aside as, and what was kept before an upgrade to a newer schema.
import { lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A file beside the journal that holds what it once held, raw hook inputs too. */
export interface Copy {
  readonly path: string;
  readonly bytes: number;
  /** Unix ms when it was set aside. */
  readonly at: number;
}

/** Oldest first. Side files and what a salvage left behind count as well. */
export function copiesOf(database: string): readonly Copy[] {
  const folder = dirname(database);
  const beginnings = ['damaged-', 'schema-'].map((what) => `${basename(database)}.${what}`);
  return names(folder)
    .filter((name) => beginnings.some((beginning) => name.startsWith(beginning)))
    .flatMap((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      return stat?.isFile() ? [{ path, bytes: stat.size, at: stamped(name) ?? stat.mtimeMs }] : [];
    })
    .sort((a, b) => a.at - b.at || (a.path < b.path ? -1 : 1));
}

/** The time in the name of a damaged one: its file was written to long before. */
function stamped(name: string): number | null {
  const [, date, time] = /\.damaged-(\d{8})T(\d{6})Z/.exec(name) ?? [];
  if (date === undefined || time === undefined) return null;
  const parts = [date.slice(0, 4), date.slice(4, 6), date.slice(6), time.slice(0, 2), time.slice(2, 4), time.slice(4)];
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no folder yet
  }
}
