// `belfry status`: whether the daemon runs (exit 0, else 7), and its state.
import { readdirSync } from 'node:fs';
import type { DaemonStatus } from '../daemon/status.ts';
import { EXIT } from '../model/errors.ts';
import { formatDuration } from '../model/quantities.ts';
import { runningDaemon } from '../runtime/daemon-file.ts';
import { resolveOwnPaths } from '../runtime/environment.ts';
import { ask } from './rpc.ts';
import type { Define } from './entry.ts';
import type { Io } from './io.ts';
import { outageWords } from './outage.ts';
import { awaitReplaced } from './replaced.ts';
import { ago } from './time-args.ts';

export const define: Define = (command, io) => {
  command.action(() => act(io));
};

/** Prints the daemon's status. */
export async function act(io: Io): Promise<void> {
  const paths = resolveOwnPaths();
  await awaitReplaced(paths);
  const info = runningDaemon(paths);
  const waiting = { spooled: count(paths.spool, '.event', '.open'), quarantined: count(paths.quarantine, '') };
  if (!info) {
    io.exit = EXIT.unreachable;
    if (io.json) return io.data({ running: false, ...waiting });
    io.line(`not running${waiting.spooled > 0 ? `; events waiting in the spool: ${waiting.spooled}` : ''}`);
    return io.note('start it with `belfry start`; a hook starts it as well');
  }
  // Written by daemon/status.ts of the same package; an older daemon may leave fields out.
  const status = (await ask(paths, 'status', {}, 5_000)) as DaemonStatus;
  if (io.json) return io.data({ running: true, pid: info.pid, version: info.version, ...status, ...waiting });
  show(io, info.pid, info.version, { ...status, ...waiting });
}

function show(
  io: Io,
  pid: number,
  version: string,
  status: DaemonStatus & { spooled: number; quarantined: number },
): void {
  const now = Date.now();
  io.line(
    `running  pid ${pid}, version ${version}, for ${formatDuration(Math.max(1_000, now - Date.parse(status.started_at)))}`,
  );
  const { settings } = status;
  io.line(
    `settings ${settings.origin === 'file' ? settings.file : settings.origin === 'defaults' ? 'none: the defaults' : 'the last good ones'}`,
  );
  if (settings.broken) io.line(`BROKEN   ${settings.broken}`);
  const outage = status.journal_outage;
  if (outage) {
    const { text, mend } = outageWords(outage, now);
    const label = mend === null ? 'journal ' : outage.disk_full ? 'DISK    ' : 'JOURNAL ';
    io.line(`${label} ${text}${mend === null ? '' : `; ${mend}`}`);
  }
  for (const channel of status.channels) {
    const waits = channel.waiting > 0 ? `, ${channel.waiting} waiting` : '';
    const fault = channel.state === 'ok' ? '' : `: ${channel.error ?? channel.reason ?? 'unknown'}`;
    const since = channel.since === null ? '' : ` since ${ago(Date.parse(channel.since), now)}`;
    io.line(
      `channel  ${channel.name} (${channel.type}) ${channel.state === 'ok' ? `ok${waits}` : `failing${since}${waits}${fault}`}`,
    );
  }
  for (const mute of status.mutes) io.line(`muted    ${mute}`);
  io.line(
    `events   ${status.events} kept, ${status.undecided} undecided, ${status.spooled} in the spool, ${status.quarantined} in quarantine`,
  );
}

/** Files whose names end so; a shell hook's event is `PID.open`. */
function count(folder: string, ...endings: string[]): number {
  try {
    const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
    return names.filter((name) => endings.some((ending) => name.endsWith(ending))).length;
  } catch {
    return 0; // no folder: nothing is there
  }
}
