// What was told before, recorded with the code as it was before decisions got one writer and one gate.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { DIFFERENCES } from './differences.ts';

/** Random days, and more of them with outages and storms; databases of earlier versions; and what clients did, under several settings. */
export const RECORDS = ['days', 'outage-days', 'upgrades', 'courses'] as const;
export type RecordName = (typeof RECORDS)[number];

/** What everybody was told in one of them. */
export interface Account {
  /** A day's number; a database's file; a course and a setting. */
  readonly name: string;
  /** As `linesOf` writes it. */
  readonly told: readonly string[];
}

/** Of those that differ on purpose, in the file `differences`. */
export interface DifferingAccount extends Account {
  readonly record: RecordName;
}

const fileOf = (name: string): string => join(import.meta.dirname, `${name}.jsonl.br`);

/** The lines of a record, in their order. */
export function readRecord<T extends Account = Account>(name: RecordName | 'differences'): readonly T[] {
  const lines = brotliDecompressSync(readFileSync(fileOf(name))).toString();
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

/** Returns its bytes. */
export function writeRecord(name: RecordName | 'differences', accounts: readonly Account[]): number {
  const lines = accounts.map((account) => `${JSON.stringify(account)}\n`).join('');
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  const packed = brotliCompressSync(lines, { params });
  writeFileSync(fileOf(name), packed);
  return packed.length;
}

/** What has to be told now, by name: what was recorded, but for what differs on purpose. */
export function expected(record: RecordName): ReadonlyMap<string, readonly string[]> {
  const all = new Map(readRecord(record).map(({ name, told }) => [name, told]));
  const differing = DIFFERENCES.some((row) => row.record === record)
    ? readRecord<DifferingAccount>('differences').filter((account) => account.record === record)
    : [];
  for (const { name, told } of differing) all.set(name, told);
  return all;
}
