// `belfry events`: the journal, filtered, and as it grows.
import type { EventFilter, StoredEvent } from '../../../store/contract.ts';
import type { Define } from '../../command-entry.ts';
import { KINDS } from '../../../model/event/event.ts';
import { EVENT_COLUMNS, eventRow, reachesOf } from './event-rows.ts';
import type { Io } from '../../io.ts';
import { kindOf } from '../../options/kind.ts';
import { limitOf } from '../../options/limit.ts';
import { withStore, sessionNamed, shortIds } from '../../reading/with-store.ts';
import { printRows } from '../../output/table-output.ts';
import { eventJson } from '../../../model/row-json.ts';
import { parseSince } from '../../options/times.ts';

interface Options {
  readonly since?: string;
  readonly kind?: string[];
  readonly session?: string;
  readonly failed?: true;
  readonly follow?: true;
  readonly all?: true;
  readonly limit: string;
}

export const define: Define = (command, io) => {
  command
    .option('--since <TIME>', 'how far back (2h), or a date (default: from the beginning)')
    .option('--kind <KIND...>', 'only these kinds')
    .option('--session <ID>', 'only this session: a number of `belfry pending`, or its id')
    .option('--failed', 'only those with a delivery that was given up or is paused')
    .option('--follow', 'keep printing new events; Ctrl-C ends it')
    .option('--all', 'list agent.other as well, as --json does')
    .option('--limit <N>', 'at most N, the latest', '50')
    .action(async (options: Options) => {
      const { session } = options;
      const filter = {
        ...(options.since === undefined ? {} : { since: parseSince(options.since, Date.now()) }),
        ...(options.kind === undefined ? {} : { kinds: options.kind.map(kindOf) }),
        ...(session === undefined ? {} : { session: await withStore((store) => sessionNamed(store, session)) }),
        ...(options.failed ? { failed: true } : {}),
      };
      const limit = limitOf(options.limit);
      // Hook events that mean nothing to people would push everything else out; a pipe has the rows of the terminal.
      const quiet = !io.json && !options.all && options.kind === undefined;
      const shown = quiet ? { ...filter, kinds: KINDS.filter((kind) => kind !== 'agent.other') } : filter;
      if (options.follow) {
        const { followEvents } = await import('./follow-events.ts');
        return followEvents(io, shown, limit);
      }
      const found = await withStore((store) => store.events({ ...shown, limit }));
      if (io.json) return io.data(found.map(withVerdicts));
      const ids = found.map(({ event }) => event.id);
      const short = io.tty ? await withStore((store) => shortIds(store, ids)) : (id: string) => id;
      const now = Date.now();
      const reaches = await withStore((store) => reachesOf(store, found));
      const rows = found.map((stored) => eventRow(stored, short, io, now, reaches.get(stored.event.id)));
      await printRows(io, EVENT_COLUMNS, rows, Object.keys(filter).length > 0 ? 'no event matches' : 'no events yet');
      if (quiet) await noteOthers(io, filter);
    });
};

/** Says that there are more, where there are. */
async function noteOthers(io: Io, filter: EventFilter): Promise<void> {
  const others = await withStore((store) => store.events({ ...filter, kinds: ['agent.other'], limit: 1 }));
  if (others.length > 0) io.note('events that only track a session are not listed; --all shows them');
}

function withVerdicts(stored: StoredEvent): Record<string, unknown> {
  return { ...eventJson(stored), verdicts: stored.verdicts };
}
