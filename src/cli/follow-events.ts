// `belfry events --follow`: those that match, then each new event, one line each (with --json: one JSON document a line).
import type { EventFilter, StoredEvent } from '../store/contract.ts';
import { eventRow } from './event-rows.ts';
import type { Io } from './io.ts';
import { withStore } from './with-store.ts';
import { cutGraphemes, oneLine } from '../lib/text.ts';
import { type Cell, painter } from './table-output.ts';
import { columnsOf } from './text-width.ts';
import { eventJson } from '../model/row-json.ts';
import { sleep } from '../lib/clock.ts';

/** How often the journal is read, ms: directly, whether a daemon runs or not. */
const EVERY = 250;
/** Most events read at once. */
const AT_ONCE = 500;

/** Never resolves: it ends with the process. */
export async function followEvents(io: Io, filter: EventFilter, first: readonly StoredEvent[]): Promise<void> {
  const print = async (found: readonly StoredEvent[]): Promise<void> => {
    if (io.json)
      for (const stored of found) io.line(JSON.stringify({ ...eventJson(stored), verdicts: stored.verdicts }));
    else for (const stored of found) await printEvent(io, stored);
  };
  await print(first);
  let row = first.at(-1)?.row ?? (await latestRow());
  for (;;) {
    await sleep(EVERY);
    const found = await withStore((store) => store.events({ ...filter, afterRow: row, limit: AT_ONCE }));
    await print(found);
    row = found.at(-1)?.row ?? row;
  }
}

/** Columns of a terminal that time, id and kind take: rows come one by one, so nobody knows the widest. */
const WIDTHS = [8, 18, 17] as const;

async function printEvent(io: Io, stored: StoredEvent): Promise<void> {
  const [time = '', id = '', kind = '', ...rest] = eventRow(
    stored,
    (whole) => whole.slice(0, WIDTHS[1]),
    io,
    Date.now(),
  );
  const text = (cell: Cell): string => oneLine(typeof cell === 'string' ? cell : cell.text);
  if (!io.tty) return io.line([time, id, kind, ...rest].map(text).join('\t'));
  const paint = await painter(io);
  const first = [time, id, kind].map((cell, i) => {
    const padded = text(cell).padEnd(WIDTHS[i] ?? 0);
    return typeof cell === 'string' ? padded : paint(cell.tone, padded);
  });
  const room = io.columns - WIDTHS.reduce((sum, width) => sum + width + 2, 0);
  const message = cutGraphemes(text(rest.at(-1) ?? ''), Math.max(room, 10), columnsOf);
  io.line([...first, message].join('  ').trimEnd());
}

async function latestRow(): Promise<number> {
  const [latest] = await withStore((store) => store.events({ limit: 1 }));
  return latest?.row ?? 0;
}
