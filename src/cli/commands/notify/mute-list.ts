// `belfry mute --list`: the mutes in force, read from the store, so without a daemon too.
import { clockTime } from '../../../model/time/clock-time.ts';
import type { Silence } from '../../../model/event/verdict.ts';
import type { Io } from '../../io.ts';
import { pathFor } from '../../output/path-for.ts';
import { iso } from '../../../model/row-json.ts';
import { type Cell, type ListColumn, printRows } from '../../output/table-output.ts';
import { withStore } from '../../reading/with-store.ts';

const COLUMNS: readonly ListColumn[] = [
  { name: 'UNTIL', rank: 0 },
  { name: 'MUTED', rank: 1 },
  { name: 'URGENT', rank: 2 },
  { name: 'REASON', rank: 0, lines: 2 },
];

/** Prints them, oldest first. */
export async function listMutes(io: Io): Promise<void> {
  const found = await withStore((store) => store.silences(Date.now()));
  const silences = [...found].sort((a, b) => a.createdAt - b.createdAt);
  if (io.json) return io.data(silences.map(silenceJson));
  await printRows(
    io,
    COLUMNS,
    silences.map((silence) => row(io, silence)),
    'nothing is muted',
  );
}

function row(io: Io, { until, session, cwd, channel, all, reason = null }: Silence): Cell[] {
  const scope = [
    session === null ? null : `session ${session}`,
    cwd === null ? null : `folder ${pathFor(io, cwd)}`,
    channel === null ? null : `channel ${channel}`,
  ].filter((part) => part !== null);
  return [
    until === null ? 'until unmuted' : clockTime(until),
    scope.length === 0 ? 'everything' : scope.join(', '),
    { text: all ? 'urgent events muted too' : 'urgent events come through', tone: all ? 'bad' : 'plain' },
    reason ?? '',
  ];
}

function silenceJson({ id, until, session, cwd, channel, all, createdAt, reason = null }: Silence): unknown {
  return { id, until: iso(until), session, cwd, channel, all, reason, created_at: iso(createdAt) };
}
