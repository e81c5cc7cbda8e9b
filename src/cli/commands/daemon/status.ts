// `belfry status`: whether the daemon is running (exit 0, else 7), and the state of its channels and watches.
import { existsSync } from 'node:fs';
import type { DaemonStatus } from '../../../daemon/commands/status.ts';
import { oneLine } from '../../../lib/text/text.ts';
import { clockTime } from '../../../model/time/clock-time.ts';
import { EXIT } from '../../../model/errors.ts';
import { leftOf } from '../../../model/agent/limits.ts';
import { failingWords } from '../../../model/channel/failing-words.ts';
import { formatDuration } from '../../../model/quantities.ts';
import { type DaemonInfo, runningDaemon } from '../../../runtime/daemon-file.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { askElsewhere } from '../../daemon/ask-elsewhere.ts';
import { ask } from '../../daemon/rpc.ts';
import type { Define } from '../../command-entry.ts';
import type { Io } from '../../io.ts';
import { outageWords } from '../../daemon/outage-words.ts';
import { REFUSED_FIX, refusedWords } from '../../daemon/refused-address.ts';
import { settingsWords } from './settings-words.ts';
import { stoppedLines } from './status-stopped.ts';
import { spooledEvents } from '../../daemon/count-spooled.ts';
import { unreadEvents } from '../../daemon/unread-events.ts';
import { awaitReplaced } from '../../daemon/wait-for-upgrade.ts';
import { ago } from '../../options/times.ts';
import { pathFor } from '../../output/path-for.ts';
import { wrap } from '../../output/wrap.ts';

/** Columns before the text of a line. */
const LABEL = 9;

export const define: Define = (command, io) => {
  command.action(() => act(io));
};

/** Hooks are there, which start a daemon with their first event. */
async function hasHooks(): Promise<boolean> {
  const { hookedAgents } = await import('../install/hooked-agents.ts'); // what edits agents' settings is not loaded for a daemon that runs
  return (await hookedAgents()).length > 0;
}

/** Prints it. */
export async function act(io: Io): Promise<void> {
  const paths = resolveOwnPaths();
  await awaitReplaced(paths);
  const info = runningDaemon(paths);
  const { unread: quarantined } = await unreadEvents(paths.quarantine);
  const waiting = { spooled: spooledEvents(paths.spool), quarantined };
  // Written by daemon/status.ts of the same package; an older daemon may leave fields out.
  const status = (await (info
    ? ask(paths, 'status', {}, 5_000)
    : askElsewhere(paths, 'status'))) as DaemonStatus | null;
  if (status === null) {
    io.exit = EXIT.unreachable;
    if (io.json) return io.data({ running: false, ...waiting });
    for (const line of await stoppedLines(paths, waiting.spooled)) io.line(line);
    const isKnown = existsSync(paths.config) || existsSync(paths.database) || (await hasHooks());
    return io.note(
      !isKnown ? 'not set up yet: run `belfry setup`' : 'start it with `belfry start`; the next hook starts it too',
    );
  }
  if (io.json)
    return io.data({ running: true, pid: info?.pid ?? null, version: info?.version ?? null, ...status, ...waiting });
  show(io, info, { ...status, ...waiting });
}

function show(io: Io, info: DaemonInfo | null, status: DaemonStatus & { spooled: number; quarantined: number }): void {
  const now = Date.now();
  const line = (label: string, text: string): void => {
    const lines = wrap(oneLine(text), io.tty ? io.columns - LABEL : Infinity);
    for (const [i, words] of lines.entries()) io.line(`${(i === 0 ? label : '').padEnd(LABEL)}${words}`);
  };
  const who = info === null ? 'elsewhere' : `pid ${info.pid}, version ${info.version}`;
  line('running', `${who}, for ${lasting(now - Date.parse(status.started_at))}`);
  if (info === null)
    line('socket', 'its belfry.sock is forwarded or mounted to here: it takes events, `send` and `status`');
  const { settings } = status;
  line('settings', settingsWords(settings, pathFor(io, settings.file)));
  if (settings.broken) line('INVALID', settings.broken);
  // An older daemon leaves nothing out. The first is mostly the error above.
  for (const text of settings.left_out ?? []) if (!settings.broken?.endsWith(text)) line('left out', text);
  const outage = status.journal_outage;
  if (outage) {
    const { text, fix } = outageWords(outage, now);
    line(fix === null ? 'journal' : outage.disk_full ? 'DISK' : 'JOURNAL', `${text}${fix === null ? '' : `; ${fix}`}`);
  }
  if (status.http.length > 0) line('http', `listens on ${status.http.join(', ')}`);
  for (const address of status.http_refused ?? []) line('HTTP', `${refusedWords(address)}; ${REFUSED_FIX}`);
  if (status.channels.length === 0) line('channel', 'none: add one to config.toml');
  for (const channel of status.channels) line('channel', channelWords(channel, now));
  for (const watch of status.watches ?? []) line('watch', watchWords(watch, now));
  for (const mute of status.mutes) line('muted', mute);
  // An older daemon says none of these.
  for (const { agent, limit, resets_at, sessions, continuing = 0 } of status.limits ?? []) {
    const left = leftOf({ resetsAt: resets_at === null ? null : Date.parse(resets_at) }, now);
    line(
      'limit',
      `${agent}: ${limit}${left === null ? '' : `, ${left}`}; ${sessions === 1 ? '1 session' : `${sessions} sessions`} stopped${
        continuing === 0
          ? ''
          : `; Belfry will continue ${continuing === sessions ? (sessions === 1 ? 'it' : 'them') : `${continuing} of them`}`
      }`,
    );
  }
  if (status.if_now) line('if now', status.if_now);
  if (status.away_until) line('away', `until ${clockTime(Date.parse(status.away_until))}; \`belfry back\` ends it`);
  const open = status.open_notifications || status.open_questions;
  if (open > 0) line('pending', `${open} open; \`belfry pending\` lists them`);
  line('events', eventWords(status));
}

/** "ok" only where the last attempt was accepted. */
function channelWords(channel: DaemonStatus['channels'][number], now: number): string {
  const { name, type, state, since, reason, error, next_try: next, last_attempt: last, waiting } = channel;
  const queue = waiting > 0 ? `, ${waiting} waiting` : '';
  const fault = (of: { readonly reason: string | null; readonly error: string | null }): string =>
    of.error ?? of.reason ?? 'unknown';
  const named = name === type ? name : `${name} (${type})`;
  if (state === 'failing') {
    const duration = since === null || reason === 'quota' ? '' : ` for ${lasting(now - Date.parse(since))}`;
    return `${named} ${failingWords(reason, next)}${duration}${queue}: ${fault({ reason, error })}`;
  }
  // An older daemon does not say.
  if (last === undefined) return `${named} ok${queue}`;
  if (last === null) return `${named} no event sent yet${queue}; \`belfry test ${name}\` sends a test`;
  const when = ago(Date.parse(last.at), now);
  if (last.ok) return `${named} ok, last delivery ${when}${queue}`;
  return `${named} last delivery failed ${when}${queue}: ${fault(last)}`;
}

function watchWords({ name, last_poll, error, next_poll }: DaemonStatus['watches'][number], now: number): string {
  const next = next_poll === null ? '' : `, next ${within(Date.parse(next_poll) - now)}`;
  if (last_poll === null) return `${name} not polled yet${next}`;
  const when = ago(Date.parse(last_poll), now);
  return error === null ? `${name} ok, last poll ${when}${next}` : `${name} last poll failed ${when}${next}: ${error}`;
}

const lasting = (ms: number): string => formatDuration(Math.max(1_000, ms));
const within = (ms: number): string => (ms < 1_500 ? 'now' : `in ${formatDuration(ms)}`);

/** "12 kept, all processed". */
function eventWords(status: DaemonStatus & { spooled: number; quarantined: number }): string {
  const waiting = [
    status.pending_entries > 0 ? `${status.pending_entries} to be processed` : null,
    status.spooled > 0 ? `${status.spooled} in the spool` : null,
  ].filter((part) => part !== null);
  const quarantined = status.quarantined > 0 ? `, ${status.quarantined} in quarantine` : '';
  return `${status.events} kept, ${waiting.join(', ') || 'all processed'}${quarantined}`;
}
