// `belfry events --follow`: those that match, then each new event, one line each (with --json: one JSON document a line).
import type { EventFilter, StoredEvent } from '../../../store/contract.ts';
import { EVENT_COLUMNS, eventRow, reachesOf } from './event-rows.ts';
import type { Io } from '../../io.ts';
import type { Reach } from '../../reading/delivery-reach.ts';
import { withStore } from '../../reading/with-store.ts';
import { cutGraphemes, oneLine } from '../../../lib/text/text.ts';
import { type Cell, painter } from '../../output/table-output.ts';
import { columnsOf } from '../../output/text-width.ts';
import { eventJson } from '../../../model/row-json.ts';
import { sleep } from '../../../lib/clock.ts';

/** How often the journal is read, ms: directly, whether a daemon runs or not. */
const EVERY = 250;
/** Most events read at once. */
const AT_ONCE = 500;

/** Prints the latest `limit`, then what is recorded, each once. Never resolves: it ends with the process. */
export async function followEvents(io: Io, filter: EventFilter, limit: number): Promise<void> {
  const print = async (found: readonly StoredEvent[]): Promise<void> => {
    if (io.json)
      for (const stored of found) io.line(JSON.stringify({ ...eventJson(stored), verdicts: stored.verdicts }));
    else {
      const reaches = await withStore((store) => reachesOf(store, found));
      for (const stored of found) await printEvent(io, stored, reaches.get(stored.event.id));
    }
  };
  // The row before the list: what is recorded in between is in the list, or comes next. A list goes by time, and rows need not.
  const { from, first } = await withStore(async (store) => {
    const from = await store.lastEventRow();
    return { from, first: await store.events({ ...filter, limit }) };
  });
  await print(first);
  const printed = new Set(first.map(({ row }) => row));
  for (let row = from; ; ) {
    await sleep(EVERY);
    const found = await withStore((store) => store.events({ ...filter, afterRow: row, limit: AT_ONCE }));
    await print(found.filter((stored) => !printed.has(stored.row)));
    row = found.at(-1)?.row ?? row;
  }
}

/** What a terminal shows before the title, and how wide: rows come one by one, so nobody knows the widest. */
const WIDTHS = { TIME: 8, ID: 18, KIND: 17, SENT: 7 } as const;
/** Where the terminal is narrower, the kind is left to the title, which says it. */
const ROOM_FOR_KIND = 100;

async function printEvent(io: Io, stored: StoredEvent, reach: Reach | undefined): Promise<void> {
  const cells = eventRow(stored, (whole) => whole.slice(0, WIDTHS.ID), io, Date.now(), reach);
  const text = (cell: Cell): string => oneLine(typeof cell === 'string' ? cell : cell.text);
  if (!io.tty)
    return io.line(
      cells
        .filter((_, i) => EVENT_COLUMNS[i]?.insteadOf === undefined)
        .map(text)
        .join('\t'),
    );
  const paint = await painter(io);
  const named = (name: string): Cell => cells[EVENT_COLUMNS.findIndex((column) => column.name === name)] ?? '';
  const shown = Object.entries(WIDTHS).filter(([name]) => name !== 'KIND' || io.columns >= ROOM_FOR_KIND);
  const first = shown.map(([name, width]) => {
    const cell = named(name);
    const padded = text(cell).padEnd(width);
    return typeof cell === 'string' ? padded : paint(cell.tone, padded);
  });
  const room = io.columns - shown.reduce((sum, [, width]) => sum + width + 2, 0);
  const title = cutGraphemes(text(named('TITLE')), Math.max(room, 10), columnsOf);
  io.line([...first, title].join('  ').trimEnd());
}
