// `belfry events`: the journal, filtered, and as it grows.
import type { StoredEvent } from '../store/contract.ts';
import type { Define } from './entry.ts';
import { EVENT_HEAD, eventRow } from './event-rows.ts';
import { kindOf } from './kind-option.ts';
import { limitOf } from './limit-option.ts';
import { withStore, sessionNamed, shortIds } from './with-store.ts';
import { printRows } from './table-output.ts';
import { eventJson } from './json-output.ts';
import { parseSince } from './time-args.ts';

interface Options {
  readonly since?: string;
  readonly kind?: string[];
  readonly session?: string;
  readonly failed?: true;
  readonly follow?: true;
  readonly limit: string;
}

export const define: Define = (command, io) => {
  command
    .option('--since <TIME>', 'a duration back from now (2h) or a date')
    .option('--kind <KIND...>', 'only these kinds')
    .option('--session <ID>', 'only this session')
    .option('--failed', 'only those with a delivery that was given up or waits for its channel')
    .option('--follow', 'go on with new events as they are decided; ends with Ctrl-C')
    .option('--limit <N>', 'the latest N', '50')
    .action(async (options: Options) => {
      const { session } = options;
      const filter = {
        ...(options.since === undefined ? {} : { since: parseSince(options.since, Date.now()) }),
        ...(options.kind === undefined ? {} : { kinds: options.kind.map(kindOf) }),
        ...(session === undefined ? {} : { session: await withStore((store) => sessionNamed(store, session)) }),
        ...(options.failed ? { failed: true } : {}),
      };
      const limit = limitOf(options.limit);
      const found = await withStore((store) => store.events({ ...filter, limit }));
      if (options.follow) {
        const { followEvents } = await import('./follow-events.ts');
        return followEvents(io, filter, found);
      }
      if (io.json) return io.data(found.map(withVerdicts));
      const short = shortIds(found.map(({ event }) => event.id));
      await printRows(
        io,
        EVENT_HEAD,
        found.map((stored) => eventRow(stored, short)),
        Object.keys(filter).length > 0 ? 'no event matches' : 'no events yet',
      );
    });
};

function withVerdicts(stored: StoredEvent): Record<string, unknown> {
  return { ...eventJson(stored), verdicts: stored.verdicts };
}
