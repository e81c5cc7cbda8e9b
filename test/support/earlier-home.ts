// A home that an earlier build left, with its texts pointing here and its times moved towards now.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { openConnection } from '../../src/store/sqlite/engine/database.ts';

/** Where it was made. */
const MADE_AT = Date.parse('2026-11-27T08:30:24Z');
const MADE_IN = { home: '/home/dev/belfry', programs: '/usr/local/lib/node_modules/belfry/dist' };

interface Here {
  readonly home: string;
  /** The folder of the built programs. */
  readonly programs: string;
  /** Base URL of what its channels post to. */
  readonly receiver: string;
  /** How long ago its daemon was killed, ms. */
  readonly ago: number;
}

/** Writes the files of that home to `here.home`. */
export function openEarlierHome(fixture: URL, here: Here): void {
  const files = JSON.parse(brotliDecompressSync(readFileSync(fixture)).toString()) as Record<string, string>;
  const by = Date.now() - here.ago - MADE_AT;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content, 'base64');
    const isSpooled = name.startsWith('spool/');
    const file = join(here.home, isSpooled ? movedInput(name, by) : name);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const text = (): string => moved(isSpooled ? movedInput(bytes.toString(), by) : bytes.toString(), here);
    writeFileSync(file, name.startsWith('state/belfry.db') ? bytes : text(), { mode: 0o600 });
  }
  moveTimes(join(here.home, 'state', 'belfry.db'), by);
}

/** A spooled input, or its name: with its times, and those in its ids (the first 48 bits of a UUID of version 7), so many ms later. */
function movedInput(text: string, by: number): string {
  return text
    .replace(/\b\d{13}\b/g, (digits) => (isTime(Number(digits)) ? String(Number(digits) + by) : digits))
    .replace(/\b([0-9a-f]{8})-([0-9a-f]{4})(?=-7[0-9a-f]{3}-)/g, (id, high: string, low: string) => {
      const at = Number.parseInt(high + low, 16);
      if (!isTime(at)) return id;
      const later = (at + by).toString(16).padStart(12, '0');
      return `${later.slice(0, 8)}-${later.slice(8)}`;
    });
}

function moved(text: string, here: Here): string {
  return text
    .replaceAll(MADE_IN.home, here.home)
    .replaceAll(MADE_IN.programs, here.programs)
    .replaceAll('http://127.0.0.1:18765', here.receiver);
}

/** Adds so many ms to each time of that week, in columns and in stored JSON. */
function moveTimes(file: string, by: number): void {
  const db = openConnection(file);
  try {
    const tables = db.all<{ name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'`,
    );
    for (const { name } of tables) {
      for (const { column } of db.all<{ column: string }>(`SELECT name AS column FROM pragma_table_info('${name}')`))
        moveColumn(db, name, column, by);
    }
  } finally {
    db.close();
  }
}

const isTime = (value: number): boolean => Math.abs(value - MADE_AT) < 30 * 86_400_000;

function moveColumn(db: ReturnType<typeof openConnection>, table: string, column: string, by: number): void {
  const rows = db.all<{ was: string | number }>(
    `SELECT DISTINCT "${column}" AS was FROM "${table}" WHERE "${column}" IS NOT NULL`,
  );
  for (const { was } of rows) {
    if (typeof was === 'number') {
      if (isTime(was)) db.run(`UPDATE "${table}" SET "${column}" = ? WHERE "${column}" = ?`, was + by, was);
    } else if (typeof was === 'string' && was.startsWith('{')) {
      const now = was.replace(/\b\d{13}\b/g, (digits) =>
        isTime(Number(digits)) ? String(Number(digits) + by) : digits,
      );
      if (now !== was) db.run(`UPDATE "${table}" SET "${column}" = ? WHERE "${column}" = ?`, now, was);
    }
  }
}
