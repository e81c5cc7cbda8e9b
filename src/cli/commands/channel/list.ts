// `belfry channel list`: the channels of config.toml and how each stands, with a daemon or without one.
import { readSettings } from './config-before.ts';
import { type ChannelState, channelStates } from '../../../daemon/channels/channel-states.ts';
import { failingWords } from '../../../model/channel/failing-words.ts';
import { clockTime } from '../../../model/time/clock-time.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Io } from '../../io.ts';
import { ago } from '../../options/times.ts';
import { type Cell, type ListColumn, printRows } from '../../output/table-output.ts';
import { withStore } from '../../reading/with-store.ts';

const COLUMNS: readonly ListColumn[] = [
  { name: 'NAME', rank: 0 },
  { name: 'TYPE', rank: 4 },
  { name: 'STATE', rank: 1 },
  { name: 'LAST SENT', rank: 3 },
  { name: 'WAITING', rank: 2 },
  { name: 'ERROR', rank: 0, lines: 2 },
];

/** In the order of the file. */
export async function list(io: Io): Promise<void> {
  const { config } = await readSettings(resolveOwnPaths());
  const channels = await withStore(async (store) =>
    channelStates(store, config.channels, (await store.counts()).waiting),
  );
  if (io.json) return io.data({ channels });
  const now = Date.now();
  const rows = channels.map((channel) => channelRow(channel, io, now));
  await printRows(io, COLUMNS, rows, 'no channels: `belfry channel add TYPE` adds one');
}

/** "ok" only where the last attempt was accepted. */
function stateOf(failing: string | null, last: ChannelState['last_attempt']): Cell {
  if (failing !== null) return { text: failing, tone: 'bad' };
  if (last === null) return { text: 'unused', tone: 'dim' };
  return last.ok ? { text: 'ok', tone: 'good' } : { text: 'failed', tone: 'notice' };
}

function channelRow({ name, type, ...one }: ChannelState, { tty }: Pick<Io, 'tty'>, now: number): Cell[] {
  const { state, reason, error, next_try: next, last_attempt: last, waiting } = one;
  const isFailing = state === 'failing';
  const at = last === null ? null : Date.parse(last.at);
  const when = at === null ? 'never' : tty ? ago(at, now) : clockTime(at);
  const isLost = last !== null && !last.ok;
  const trouble = isFailing ? (error ?? reason) : isLost ? (last.error ?? last.reason) : null;
  return [
    name,
    type,
    stateOf(isFailing ? failingWords(reason, next) : null, last),
    { text: isLost ? `failed ${when}` : when, tone: isLost ? 'notice' : 'dim' },
    waiting === 0 ? (tty ? '' : '0') : String(waiting),
    trouble ?? '',
  ];
}
