// Bounds the files in the state folder beside the journal that would otherwise grow or stay for ever.
import { closeSync, lstatSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copiesOf } from '../../store/database-copies.ts';
import type { Paths } from '../../runtime/paths.ts';
import { CREATED } from '../sessions/api-created-sessions.ts';

/** What is kept beside the journal. */
export interface KeptFile {
  readonly what: 'copy of the journal' | 'debug log of the hook' | 'created sessions';
  readonly path: string;
  readonly bytes: number;
  /** Unix ms since when it is as it is. */
  readonly at: number;
}

/** What is past its time. */
export interface KeepingRules {
  /** Unix ms. */
  readonly now: number;
  /** Raw hook inputs, and so copies of the journal, are kept this long. */
  readonly rawAgeMs: number;
  readonly maxAgeMs: number;
  /** Copies together hold at most this many bytes, not counting the latest one. */
  readonly maxBytes: number;
}

/** Bytes of a log or list above which its older half goes. */
const LONGEST = 1_000_000;

/** All there are, copies oldest first. */
export function keptFiles(paths: Pick<Paths, 'database' | 'hookLog' | 'state'>): readonly KeptFile[] {
  return [
    ...copiesOf(paths.database).map((copy) => ({ what: 'copy of the journal' as const, ...copy })),
    ...single('debug log of the hook', paths.hookLog),
    ...single('created sessions', join(paths.state, CREATED)),
  ];
}

/** Removes and shortens; returns how many files were changed. */
export function tidyKeptFiles(paths: Pick<Paths, 'database' | 'hookLog' | 'state'>, rules: KeepingRules): number {
  const { now, rawAgeMs, maxAgeMs, maxBytes } = rules;
  const all = keptFiles(paths);
  const copies = all.filter(({ what }) => what === 'copy of the journal');
  const latest = copies.at(-1)?.at ?? 0;
  let bytes = copies.reduce((sum, copy) => sum + copy.bytes, 0);
  let changed = 0;
  for (const file of all) {
    const isCopy = file.what === 'copy of the journal';
    const tooMuch = isCopy && bytes > maxBytes && file.at < latest;
    if (now - file.at > (isCopy ? rawAgeMs : maxAgeMs) || tooMuch) rmSync(file.path, { force: true });
    else if (!isCopy && file.bytes > LONGEST) keepEnd(file.path, file.bytes);
    else continue;
    if (isCopy) bytes -= file.bytes;
    changed++;
  }
  return changed;
}

function single(what: KeptFile['what'], path: string): readonly KeptFile[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? [{ what, path, bytes: stat.size, at: stat.mtimeMs }] : [];
}

/** Keeps the whole lines of the last half of what is allowed; a line written meanwhile may be lost. */
function keepEnd(path: string, size: number): void {
  const end = Buffer.alloc(LONGEST / 2);
  const file = openSync(path, 'r');
  try {
    const text = end.subarray(0, readSync(file, end, 0, end.length, size - end.length));
    const beside = `${path}.cut`;
    writeFileSync(beside, text.subarray(text.indexOf(10) + 1), { mode: 0o600 });
    renameSync(beside, path);
  } finally {
    closeSync(file);
  }
}
