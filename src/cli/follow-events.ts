// `belfry events --follow`: what was asked for, then each new event, one line each (with --json: one JSON document a line).
import type { EventFilter, StoredEvent } from '../store/contract.ts';
import { eventRow } from './event-rows.ts';
import type { Io } from './io.ts';
import { withStore } from './with-store.ts';
import { printRows } from './table-output.ts';
import { eventJson } from './json-output.ts';
import { sleep } from '../lib/clock.ts';

/** How often the journal is polled, ms: it is read beside the daemon, whether that runs or not. */
const EVERY = 250;
/** Most events read at once. */
const AT_ONCE = 500;

/** Never resolves: it ends with the process. */
export async function followEvents(io: Io, filter: EventFilter, first: readonly StoredEvent[]): Promise<void> {
  const print = async (found: readonly StoredEvent[]): Promise<void> => {
    if (io.json)
      for (const stored of found) io.line(JSON.stringify({ ...eventJson(stored), verdicts: stored.verdicts }));
    else for (const stored of found) await printRows(io, [], [eventRow(stored, (id) => id.slice(0, 13))], '');
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

async function latestRow(): Promise<number> {
  const [latest] = await withStore((store) => store.events({ limit: 1 }));
  return latest?.row ?? 0;
}
