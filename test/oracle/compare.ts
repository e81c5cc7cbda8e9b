// Shows where the code of now tells something else than it has to: `tsx test/oracle/compare.ts days 0 300` takes 300 days from day 0, `compare.ts upgrades schema-7` those of this name.
// With --before it is compared with what was recorded, also where that differs on purpose.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../support/remove-folder.ts';
import { accounts } from './program.ts';
import { expected, readRecord, type RecordName } from './recorded.ts';

const words = process.argv.slice(2);
const [record, from = '0', count = '1'] = words.filter((word) => !word.startsWith('--')) as [RecordName?, ...string[]]; // named by a developer
if (record === undefined) throw new Error('which record?');
const before = words.includes('--before')
  ? new Map(readRecord(record).map(({ name, told }) => [name, told]))
  : expected(record);
const known = [...before.keys()];
const names = /^\d+$/.test(from)
  ? known.slice(Number(from), Number(from) + Number(count))
  : known.filter((name) => name.includes(from));

const folder = mkdtempSync(join(tmpdir(), 'belfry-compare-'));

/** Lines that differ, with a few around them: "-" was told before, "+" is told now. */
function differences(old: readonly string[], now: readonly string[]): readonly string[] {
  const [a, b] = [join(folder, 'before'), join(folder, 'now')];
  writeFileSync(a, `${old.join('\n')}\n`);
  writeFileSync(b, `${now.join('\n')}\n`);
  try {
    execFileSync('diff', ['-U2', a, b], { encoding: 'utf8' });
    return [];
  } catch (error) {
    const { status, stdout } = error as { status?: number; stdout?: string }; // of execFileSync
    if (status !== 1) throw error;
    return (stdout ?? '').trimEnd().split('\n').slice(2);
  }
}

/** What kind of difference it is, roughly: "-desk retract +phone update". */
function kindOf(lines: readonly string[]): string {
  const changed = lines.filter((line) => /^[-+]/.test(line));
  const kinds = changed.map((line) => `${line[0]}${line.split(' ').slice(1, 3).join(' ')}`);
  return [...new Set(kinds)].sort().join(' ');
}

const kinds = new Map<string, string[]>();
let compared = 0;
for await (const { name, told } of accounts(record, names)) {
  compared += 1;
  const lines = differences(before.get(name) ?? [], told);
  if (lines.length === 0) continue;
  process.stdout.write(`\n${record} ${name}\n${lines.join('\n')}\n`);
  const kind = kindOf(lines);
  kinds.set(kind, [...(kinds.get(kind) ?? []), name]);
}
await removeFolder(folder);
const rows = [...kinds].toSorted((a, b) => b[1].length - a[1].length);
const differing = rows.reduce((sum, [, those]) => sum + those.length, 0);
process.stdout.write(`\n${differing} of ${compared} differ\n`);
for (const [kind, those] of rows) process.stdout.write(`${those.length}: ${kind}: ${those.join(' ')}\n`);
