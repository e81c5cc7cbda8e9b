// `belfry remote list`: the machines elsewhere and how each is.
import type { RemoteState, RemoteStatus } from '../../../model/remote-status.ts';
import { clockTime } from '../../../model/time/clock-time.ts';
import { remoteJson } from '../../../model/row-json.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { runningDaemon } from '../../../runtime/daemon-file.ts';
import { ask } from '../../daemon/rpc.ts';
import type { Io } from '../../io.ts';
import { ago } from '../../options/times.ts';
import { type Cell, type ListColumn, printRows, type Tone } from '../../output/table-output.ts';
import { readSettings } from '../channel/config-before.ts';

const COLUMNS: readonly ListColumn[] = [
  { name: 'NAME', rank: 0 },
  { name: 'STATE', rank: 0 },
  { name: 'SINCE', rank: 1 },
  { name: 'ROUND TRIP', rank: 3 },
  { name: 'LAST EVENT', rank: 2 },
  { name: 'WHY', rank: 1, lines: 2 },
];
const TONES: Readonly<Record<RemoteState, Tone>> = {
  off: 'dim',
  connecting: 'plain',
  connected: 'good',
  waiting: 'notice',
  stopped: 'bad',
};

/** How each machine is that the daemon knows; none where no daemon runs. */
export async function remoteStatuses(paths: Paths): Promise<ReadonlyMap<string, RemoteStatus>> {
  if (runningDaemon(paths) === null) return new Map();
  const { remotes } = (await ask(paths, 'remotes', {}, 5_000)) as { remotes: readonly RemoteStatus[] };
  return new Map(remotes.map((one) => [one.name, one]));
}

/** In the order of the file. */
export async function list(io: Io): Promise<void> {
  const paths = resolveOwnPaths();
  const { config } = await readSettings(paths);
  const known = await remoteStatuses(paths);
  const remotes = Object.entries(config.remotes).map(([name, { ssh, run, connect }]) => ({
    name,
    ...(ssh === undefined ? { run } : { ssh }),
    connect,
    status: known.get(name) ?? null,
  }));
  if (io.json)
    return io.data({ remotes: remotes.map((one) => ({ ...one, status: one.status && remoteJson(one.status) })) });
  const now = Date.now();
  const rows = remotes.map(({ name, status }) => row(name, status, io, now));
  await printRows(io, COLUMNS, rows, 'no machines elsewhere: `belfry remote add HOST` adds one');
}

function row(name: string, status: RemoteStatus | null, { tty }: Pick<Io, 'tty'>, now: number): Cell[] {
  if (status === null) return [name, { text: 'unknown', tone: 'dim' }, '', '', '', 'the daemon does not run'];
  const when = (at: number | null): string => (at === null ? '' : tty ? ago(at, now) : clockTime(at));
  const why = status.state === 'connected' ? (status.trouble === null ? '' : 'no space is left there') : status.detail;
  return [
    name,
    { text: status.state, tone: TONES[status.state] },
    when(status.since),
    status.roundTrip === null ? '' : `${status.roundTrip} ms`,
    when(status.lastEvent),
    why ?? '',
  ];
}
